"""A word played once: to decide on an operation it is played, and the fold asks what came of it."""

from __future__ import annotations

from typing import Final

from engine.refusals import Reason
from engine.solo import Played, Solo

__all__ = ["forget", "outcome", "play"]

KEPT: Final = 1024
"""Games whose last answer is kept; a race under way needs one a seat, from the decision until it is folded."""

_answers: dict[int, tuple[Solo, str, Played | Reason]] = {}


def play(solo: Solo, word: str) -> Played | Reason:
    """Return `solo.play(word)`, and keep it for `outcome`."""
    answer = solo.play(word)
    if len(_answers) >= KEPT:
        _answers.clear()
    _answers[id(solo)] = (solo, word, answer)
    return answer


def outcome(solo: Solo, word: str) -> Played | Reason:
    """Return `solo.play(word)`: what `play` answered, where it was asked this last of this very game."""
    known = _answers.get(id(solo))
    if known is not None and known[0] is solo and known[1] == word:
        return known[2]
    return solo.play(word)


def forget() -> None:
    """Forget all answers, as before the first; nothing depends on it but what a play costs."""
    _answers.clear()
