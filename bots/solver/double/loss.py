"""Find the move after which a game of Double Solitaire was lost, as far as that can be proved."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from bots.solver.double.verdict import solve_double
from bots.solver.golf.search import Limits
from engine.codes import Code
from engine.double.board import DoubleBoard
from engine.refusals import Reason
from engine.solo import UNDO, deal_out

__all__ = ["Loss", "NotPlayed", "lost_along", "lost_at"]

FIRST: Final = 4_000
"""States that each position gets at first."""
MORE: Final = 8
"""How many times as many it gets in each further round."""


class NotPlayed(ValueError):
    """A word of the game cannot be played."""

    def __init__(self, index: int, word: str, reason: str) -> None:
        self.index, self.word, self.reason = index, word, reason
        super().__init__(f"expected the words of a game, but {word!r} at index {index} is refused: {reason}")


class Loss(Struct, frozen=True):
    """What is proved about the positions of a game. Positions are told by how many words had been played."""

    last_winnable: int | None
    """The last that could still be won; None where that is not proved even of the deal."""
    first_lost: int | None
    """The first that could no longer be won; None where that is not proved even of the end."""
    word: int | None
    """The index of the word that lost it: known where nothing lies between the two."""
    nodes: int
    """States visited."""
    ms: float
    """CPU milliseconds."""


def lost_at(code: Code, words: Iterable[str], limits: Limits = Limits(nodes=1_000_000)) -> Loss:  # noqa: B008 (frozen)
    """Find the last position of a game that is proved winnable, and the first that is proved lost.

    Positions that an undo took back do not count. The limits, of which one must be set, hold for all positions
    together. Raises NotPlayed for a word that the engine refuses.
    """
    return lost_along(_line(code, words), limits)


def lost_along(line: Sequence[tuple[int, DoubleBoard]], limits: Limits) -> Loss:
    """Find it on positions, each with how many words had been played, of which each led to the next.

    What can be won could be won at each position before it, and what is lost stays so: halving the line finds both.
    """
    if limits.nodes is None and limits.ms is None:
        raise ValueError("expected a limit of states or of time, found neither")
    search = _Search(line, limits)
    each = FIRST
    search.verdict(len(search.line) - 1, each)
    while not search.ended:
        search.halve(each, "winnable")
        search.halve(each, "unwinnable")
        each *= MORE
    return search.loss()


def _line(code: Code, words: Iterable[str]) -> list[tuple[int, DoubleBoard]]:
    """Return the positions that led to the last, each with how many words had been played."""
    solo = deal_out(code)
    if not isinstance(solo.board, DoubleBoard):
        raise ValueError(f"expected a code of Double Solitaire (DS), found {code}")
    line = [(0, solo.board)]
    for index, word in enumerate(words):
        played = solo.play(word)
        if isinstance(played, Reason):
            raise NotPlayed(index, word, played)
        solo = played.solo
        assert isinstance(solo.board, DoubleBoard)
        if word == UNDO:
            line.pop()
        else:
            line.append((index + 1, solo.board))
    return line


class _Search:
    """A line, and between which of its positions it was lost."""

    def __init__(self, line: Sequence[tuple[int, DoubleBoard]], limits: Limits) -> None:
        self.line, self.limits = line, limits
        self.low, self.high = -1, len(line)
        self.nodes = 0
        self.begun = time.thread_time()
        self.spent = False

    @property
    def ended(self) -> bool:
        """Whether there is nothing left to find out, or nothing left to do it with."""
        return self.spent or self.high - self.low < 2

    def halve(self, each: int, wanted: str) -> None:
        """Look for the last winnable or the first lost position; not proved to be one, it is taken to be none."""
        low, high = self.low, self.high
        while high - low > 1 and not self.ended:
            middle = (low + high) // 2
            verdict = self.verdict(middle, each)
            if (verdict == "winnable") if wanted == "winnable" else (verdict != "unwinnable"):
                low = middle
            else:
                high = middle

    def verdict(self, at: int, each: int) -> str:
        """Solve a position, and remember what that proves."""
        if at <= self.low or at >= self.high:
            return "winnable" if at <= self.low else "unwinnable"
        ms = self.limits.ms and self.limits.ms - self.ms
        nodes = each if self.limits.nodes is None else min(each, self.limits.nodes - self.nodes)
        found = solve_double(self.line[at][1], Limits(nodes, ms))
        self.nodes += found.nodes
        if found.verdict == "winnable":
            self.low = at
        elif found.verdict == "unwinnable":
            self.high = at
        self.spent = found.limit == "time" or self.nodes == self.limits.nodes
        return found.verdict

    @property
    def ms(self) -> float:
        """CPU milliseconds since it was begun."""
        return (time.thread_time() - self.begun) * 1000

    def loss(self) -> Loss:
        """Return what is proved."""
        lost = self.high < len(self.line)
        return Loss(
            last_winnable=self.line[self.low][0] if self.low >= 0 else None,
            first_lost=self.line[self.high][0] if lost else None,
            word=self.line[self.high][0] - 1 if lost and self.high == self.low + 1 and self.high else None,
            nodes=self.nodes,
            ms=self.ms,
        )
