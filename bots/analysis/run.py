"""What a whole game gave away: where other ends came within reach or went out of it, and what was better."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Final

from bots.analysis.position import WordsRefused, reach, result_of
from bots.solver.double.loss import lost_at
from bots.solver.verdict import Limits
from engine.codes import Code
from engine.game import Board
from engine.golf.rules import GolfRules
from engine.question import Change, PositionAnswer, RunAnswer
from engine.refusals import Reason
from engine.solo import UNDO, deal_out

__all__ = ["run_answer"]

MOST_MS: Final = 60_000.0
"""What a game may take where nothing is said."""
MOST_CHANGES: Final = 1_000
"""Moves and undos, to and fro, may go on for long; further changes are left out."""
FIRST_SHARE: Final = 0.3
"""The part of a game's time in which its deal is searched, in Double Solitaire."""


def run_answer(code: Code, words: Sequence[str], ms: float = MOST_MS) -> RunAnswer:
    """Analyse a game within so many CPU milliseconds. Raises WordsRefused."""
    boards = _positions(code, words)
    return _golf(boards, words, ms) if isinstance(code.rules, GolfRules) else _double(code, boards, words, ms)


def _positions(code: Code, words: Sequence[str]) -> list[Board]:
    """Return the boards from the deal to the end: one more than there are words."""
    solo = deal_out(code)
    boards: list[Board] = [solo.board]
    for word in words:
        outcome = solo.play(word)
        if isinstance(outcome, Reason):
            raise WordsRefused(code, word, outcome)
        solo = outcome.solo
        boards.append(solo.board)
    return boards


def _golf(boards: Sequence[Board], words: Sequence[str], ms: float) -> RunAnswer:
    searches = _Searches(boards, ms)
    for first, last in _lines(words):
        searches.between(first, last)
    known = [searches.at(index) for index in range(len(boards))]
    start, result = searches.look(0), result_of(boards[-1])
    assert start is not None, "the deal is searched whatever the time"
    until = max((index for index, answer in enumerate(known) if answer and answer.winnable), default=None)
    lost_from = _lost_from(known)
    return RunAnswer(
        start=start,
        result=result,
        changes=tuple(islice(_changes(searches, words), MOST_CHANGES)),
        lost_at=lost_from if until is not None and lost_from == until + 1 else None,
        winnable_until=until,
        lost_from=lost_from,
        regret=start.best.score - result.score if start.exact else None,
        dropped=_dropped(known) if searches.complete else None,
        complete=searches.complete,
    )


def _lines(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield first and last position of each stretch without an undo."""
    first = 0
    for index, word in enumerate(words):
        if word == UNDO:
            yield first, index
            first = index + 1
    yield first, len(words)


class _Searches:
    """The positions of a game of Golf, and what was found at those that had to be looked at.

    Without undo what is within reach never becomes more. So where two positions of a line are worth the same, all
    between them are, and only where they differ are those between looked at.
    """

    def __init__(self, boards: Sequence[Board], ms: float) -> None:
        self.complete = True
        self._boards = boards
        self._ms = ms
        self._begun = time.thread_time()
        self._found: dict[Board, PositionAnswer] = {}
        self._alike = list(range(len(boards)))
        """For each position one that was searched, or is to be, and is worth the same."""

    def at(self, index: int) -> PositionAnswer | None:
        """Return what was found at a position, or at one that is worth as much; None where time was up before."""
        return self._found.get(self._boards[self._alike[index]])

    def look(self, index: int) -> PositionAnswer | None:
        """Search a position unless that was done; None where time is up, but for the deal."""
        board = self._boards[index]
        if board not in self._found:
            left = self._ms - (time.thread_time() - self._begun) * 1000
            if left <= 0 and index > 0:
                self.complete = False
                return None
            found = self._found[board] = reach(board, max(left, 1))
            self.complete &= found.exact
        return self._found[board]

    def between(self, first: int, last: int) -> None:
        """See to it that of every position from first to last, a stretch without undo, it is known what it is worth."""
        stack = [(first, last)]
        self.look(first)
        while stack:
            low, high = stack.pop()
            one, other = self.at(low), self.look(high)
            if one is None or other is None:
                continue
            if one.best == other.best:
                self._alike[low + 1 : high] = [low] * (high - low - 1)
            elif high - low > 1:
                middle = (low + high) // 2
                self.look(middle)
                stack += [(middle, high), (low, middle)]


def _lost_from(known: Sequence[PositionAnswer | None]) -> int | None:
    """Return the first position from which on, to the end, each is proved lost."""
    lost_from = None
    for index in range(len(known) - 1, -1, -1):
        answer = known[index]
        if answer is None or answer.winnable is not False:
            break
        lost_from = index
    return lost_from


def _dropped(known: Sequence[PositionAnswer | None]) -> int:
    scores = [answer.best.score for answer in known if answer is not None]
    return sum(max(0, before - after) for before, after in pairwise(scores))


def _changes(searches: _Searches, words: Sequence[str]) -> Iterator[Change]:
    for index, word in enumerate(words):
        before, after = searches.at(index), searches.at(index + 1)
        if before is None or after is None or before.best == after.best:
            continue
        searched = None if word == UNDO else searches.look(index)
        better = searched.line[0] if searched is not None and searched.line else None
        yield Change(index + 1, word, after.best, after.winnable, better)


def _double(code: Code, boards: Sequence[Board], words: Sequence[str], ms: float) -> RunAnswer:
    """Tell where a game was lost; how many cards fewer a move left to be put up is not known exactly."""
    begun = time.thread_time()
    start = reach(boards[0], max(1.0, ms * FIRST_SHARE))
    loss = lost_at(code, words, Limits(ms=max(1.0, ms - (time.thread_time() - begun) * 1000)))
    until = 0 if loss.last_winnable is None and start.winnable else loss.last_winnable
    lost = None if loss.word is None else loss.word + 1
    changes = []
    if lost is not None:
        before, after = reach(boards[lost - 1], ms), reach(boards[lost], 1.0)
        changes.append(Change(lost, words[lost - 1], after.best, False, before.line[0] if before.winnable else None))
    return RunAnswer(
        start=start,
        result=result_of(boards[-1]),
        changes=tuple(changes),
        lost_at=lost,
        winnable_until=until,
        lost_from=loss.first_lost,
        complete=lost is not None or until == len(words) or loss.first_lost == 0,
    )
