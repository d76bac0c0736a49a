"""A word played once: deciding and folding one operation both ask what it does to the same board.

And seats of a race that begin with the same words share the games that these lead to.
"""

from __future__ import annotations

from typing import Final

from engine.refusals import Reason
from engine.solo import Played, Solo

__all__ = ["forget", "play"]

KEPT: Final = 1024
"""Games whose last answer is kept; a race under way needs one a seat, from the decision until it is folded."""

_answers: dict[int, tuple[Solo, str, Played | Reason]] = {}


def play(solo: Solo, word: str) -> Played | Reason:
    """Return `solo.play(word)`: the answer given before, where this very game was asked for this word last."""
    key = id(solo)
    known = _answers.get(key)
    if known is not None and known[0] is solo and known[1] == word:
        return known[2]
    answer = solo.play(word)
    if len(_answers) >= KEPT:
        _answers.clear()
    _answers[key] = (solo, word, answer)
    return answer


def forget() -> None:
    """Forget all answers, as before the first; nothing depends on it but what a play costs."""
    _answers.clear()
