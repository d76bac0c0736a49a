"""What a whole game gave away: where other ends came within reach or went out of it, and what was better."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bots.analysis.position import WordsRefused, reach, result_of
from engine.codes import Code
from engine.game import Board
from engine.golf.board import GolfBoard
from engine.question import Change, PositionAnswer, RunAnswer
from engine.refusals import Reason
from engine.solo import UNDO, deal_out

__all__ = ["LONGEST_SEARCH_MS", "run_answer"]

LONGEST_SEARCH_MS = 2_000
"""No position takes more of the time for a game than this: what is not found by then mostly is not found soon."""


def run_answer(code: Code, words: Sequence[str], ms: float | None = None) -> RunAnswer:
    """Analyse a game within so many CPU milliseconds. Raises WordsRefused.

    Without undo what is within reach never becomes more, and what cannot be won stays so. So where two positions of a
    line are worth the same, all between them are, and only where they differ are those between looked at.
    """
    boards = _positions(code, words)
    searches = _Searches(boards, ms)
    for first, last in _lines(words):
        searches.between(first, last)
    return _told(searches, words)


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


def _lines(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield first and last position of each stretch without an undo."""
    first = 0
    for index, word in enumerate(words):
        if word == UNDO:
            yield first, index
            first = index + 1
    yield first, len(words)


class _Searches:
    """The positions of a game and what was found at those that had to be looked at."""

    def __init__(self, boards: Sequence[Board], ms: float | None) -> None:
        self.boards = boards
        self.complete = True
        self._exact = isinstance(boards[0], GolfBoard)
        self._ms = ms
        self._begun = time.thread_time()
        self._found: dict[Board, PositionAnswer] = {}
        self._alike: list[int] = list(range(len(boards)))
        """For each position one that was searched, or is to be, and is worth the same."""

    def at(self, index: int) -> PositionAnswer | None:
        """Return what was found at a position, or at one that is worth as much; None where time was up before."""
        return self._found.get(self.boards[self._alike[index]])

    def look(self, index: int) -> PositionAnswer | None:
        """Search a position unless that was done; None where time is up."""
        board = self.boards[index]
        if board not in self._found:
            most: float = LONGEST_SEARCH_MS
            if self._ms is not None:
                left = self._ms - (time.thread_time() - self._begun) * 1000
                if left <= 0 and index > 0:
                    self.complete = False
                    return None
                most = min(most, max(left, 1))
            found = self._found[board] = reach(board, most)
            if found.winnable is None or (self._exact and not found.exact):
                self.complete = False
        return self._found[board]

    def between(self, first: int, last: int) -> None:
        """See to it that every position from first to last, a stretch without undo, is worth a known amount."""
        stack = [(first, last)]
        self.look(first)
        while stack:
            low, high = stack.pop()
            one, other = self.at(low), self.look(high)
            if one is None or other is None:
                continue
            if self.worth(one) == self.worth(other):
                self._alike[low + 1 : high] = [low] * (high - low - 1)
            elif high - low > 1:
                middle = (low + high) // 2
                self.look(middle)
                stack += [(middle, high), (low, middle)]

    def worth(self, answer: PositionAnswer) -> int | bool | None:
        """What positions are compared by: the cards that can be removed, or whether a win is proved possible or not.

        How many cards of Double Solitaire can be put up is known exactly only where it can be won.
        """
        return answer.best.removed if self._exact else answer.winnable


def _told(searches: _Searches, words: Sequence[str]) -> RunAnswer:
    start = searches.at(0)
    assert start is not None, "the first position is looked at whatever the time"
    result = result_of(searches.boards[-1])
    changes = tuple(_changes(searches, words))
    exact = start.best.removed is not None and start.exact
    known = [searches.at(index) for index in range(len(searches.boards))]
    until = max((index for index, answer in enumerate(known) if answer and answer.winnable), default=None)
    lost_from = _lost_from(known)
    return RunAnswer(
        start=start,
        result=result,
        changes=changes,
        lost_at=lost_from if until is not None and lost_from == until + 1 else None,
        winnable_until=until,
        lost_from=lost_from,
        regret=start.best.score - result.score if exact else None,
        dropped=_dropped(known) if exact and searches.complete else None,
        complete=searches.complete,
    )


def _lost_from(known: Sequence[PositionAnswer | None]) -> int | None:
    """Return the first position from which on, to the end, each is proved lost."""
    lost_from = None
    for index in range(len(known) - 1, -1, -1):
        answer = known[index]
        if answer is not None and answer.winnable is False:
            lost_from = index
        else:
            break
    return lost_from


def _dropped(known: Sequence[PositionAnswer | None]) -> int:
    scores = [answer.best.score for answer in known if answer is not None]
    return sum(max(0, before - after) for before, after in pairwise(scores))


def _changes(searches: _Searches, words: Sequence[str]) -> Iterator[Change]:
    for index, word in enumerate(words):
        before, after = searches.at(index), searches.at(index + 1)
        if before is None or after is None or searches.worth(before) == searches.worth(after):
            continue
        better = None
        if word != UNDO and searches.worth(before):
            searched = searches.look(index)
            better = searched.line[0] if searched is not None and searched.line else None
        yield Change(index + 1, word, after.best, after.winnable, better)
