"""How often a game of Golf was played as if the unseen cards were known: what only cheats can do again and again."""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from bots.analysis.position import WordsRefused
from bots.solver.verdict import Limits, solve_golf
from engine.codes import Code
from engine.golf.board import GolfBoard
from engine.question import Answer, ForesightAnswer, NoAnswer
from engine.refusals import Reason
from engine.solo import UNDO, deal_out

__all__ = ["WORLDS", "foresight"]

WORLDS: Final = 8
"""Shuffles of the unseen cards over which a move's worth to one who sees the open cards is averaged."""
MOST_MS: Final = 60_000.0


class _OutOfTime(Exception):
    """The CPU time for this analysis is spent."""


def foresight(code: Code, words: Sequence[str], ms: float | None = None) -> Answer:
    """Weigh each decision of a game, the last first, for they cost least, within so many CPU milliseconds.

    A move is worth the best score within reach after it: by all cards, or on average over shuffles of those that the
    seat has not seen. Raises WordsRefused.
    """
    decisions = _decisions(code, words)
    if decisions is None:
        return NoAnswer("only games of Golf are weighed")
    until = time.thread_time() * 1000 + (MOST_MS if ms is None else ms)
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


def _decisions(code: Code, words: Sequence[str]) -> list[tuple[GolfBoard, int, str]] | None:
    """Return the boards on which there was a choice and cards unseen, how many those were, and what was played.

    Cards that were drawn and put back by undo are seen. None for another game.
    """
    solo = deal_out(code)
    seen = 0
    decisions = []
    for word in words:
        board = solo.board
        if not isinstance(board, GolfBoard):
            return None
        seen = max(seen, board.drawn)
        unseen = len(board.stock) - (seen - board.drawn)
        if word != UNDO and unseen > 1 and len(board.legal()) > 1:
            decisions.append((board, unseen, word))
        outcome = solo.play(word)
        if isinstance(outcome, Reason):
            raise WordsRefused(code, word, outcome)
        solo = outcome.solo
    return decisions if isinstance(solo.board, GolfBoard) else None


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
