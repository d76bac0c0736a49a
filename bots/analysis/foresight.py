"""How often a game was played as if the unseen cards were known: what only cheats can do again and again."""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from bots.analysis.foresight_double import foresight_double
from bots.analysis.position import WordsRefused
from bots.solver.verdict import Limits, solve_golf
from engine.codes import Code
from engine.double.rules import DoubleRules
from engine.golf.board import GolfBoard
from engine.question import ForesightAnswer
from engine.refusals import Reason
from engine.solo import UNDO, deal_out

__all__ = ["WORLDS", "foresight"]

WORLDS: Final = 8
"""Shuffles of the unseen cards over which a move's worth to one who sees the open cards is averaged."""
MOST_MS: Final = 60_000.0


class _OutOfTime(Exception):
    """The CPU time for this analysis is spent."""


def foresight(code: Code, words: Sequence[str], ms: float = MOST_MS) -> ForesightAnswer:
    """Weigh each decision of a game within so many CPU milliseconds, those of Golf the last first: they cost least.

    A move of Golf is worth the best score within reach after it: by all cards, or on average over shuffles of those
    that the seat has not seen. Raises WordsRefused.
    """
    if isinstance(code.rules, DoubleRules):
        return foresight_double(code, words, ms)
    decisions = _decisions(code, words)
    until = time.thread_time() * 1000 + ms
    weighed = occasions = taken = 0
    for place, (board, unseen, word) in reversed(list(enumerate(decisions))):
        try:
            by_all = _worth(board, until)
            shuffles = [_shuffled(board, unseen, Random(f"{code}:{place}:{world}")) for world in range(WORLDS)]
            worlds = [_worth(shuffle, until) for shuffle in shuffles]
        except _OutOfTime:
            return ForesightAnswer(weighed, occasions, taken, complete=False)
        by_sight = {move: sum(world[move] for world in worlds) for move in by_all}
        weighed += 1
        if _best(by_all).isdisjoint(_best(by_sight)):
            occasions += 1
            taken += word in _best(by_all)
    return ForesightAnswer(weighed, occasions, taken)


def _decisions(code: Code, words: Sequence[str]) -> list[tuple[GolfBoard, int, str]]:
    """Return the boards on which there was a choice and cards unseen, how many those were, and what was played.

    Cards that were drawn and put back by undo are seen.
    """
    solo = deal_out(code)
    seen = 0
    decisions = []
    for word in words:
        board = solo.board
        assert isinstance(board, GolfBoard)
        seen = max(seen, board.drawn)
        unseen = len(board.stock) - (seen - board.drawn)
        if word != UNDO and unseen > 1 and len(board.legal()) > 1:
            decisions.append((board, unseen, word))
        outcome = solo.play(word)
        if isinstance(outcome, Reason):
            raise WordsRefused(code, word, outcome)
        solo = outcome.solo
    return decisions


def _shuffled(board: GolfBoard, unseen: int, dice: Random) -> GolfBoard:
    """Return the board with the unseen cards at the end of its stock in another order."""
    known = len(board.stock) - unseen
    rest = list(board.stock[known:])
    dice.shuffle(rest)
    return replace(board, stock=(*board.stock[:known], *rest))


def _worth(board: GolfBoard, until: float) -> dict[str, int]:
    """Return the best score within reach after each move, all cards known. Raises _OutOfTime."""
    worth = {}
    for word in board.legal():
        answer = board.answer(word)
        assert not isinstance(answer, Reason)
        after = answer[0]
        left = until - time.thread_time() * 1000
        if left <= 0:
            raise _OutOfTime
        verdict = solve_golf(after.rules, after.columns, after.waste, after.stock, Limits(ms=left))
        if verdict.limit is not None:
            raise _OutOfTime
        worth[word] = verdict.best.score
    return worth


def _best(worth: dict[str, int]) -> set[str]:
    most = max(worth.values())
    return {move for move, value in worth.items() if value == most}
