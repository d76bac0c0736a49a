"""What can still be had from a position of either game, all its cards known."""

from __future__ import annotations

from typing import assert_never

from bots.solver.double.verdict import solve_double
from bots.solver.verdict import Limits, solve_golf
from engine.codes import Code
from engine.double.board import DoubleBoard
from engine.game import Board
from engine.golf.board import GolfBoard
from engine.question import Best, PositionAnswer
from engine.record import Record, replay

__all__ = ["WordsRefused", "position_answer", "reach", "result_of", "warm_up"]


class WordsRefused(ValueError):
    """Words that cannot be played on their deal."""

    def __init__(self, code: Code, word: str, reason: str) -> None:
        super().__init__(f"expected moves that can be played on {code}, but {word!r} is refused: {reason}")


def reach(board: Board, ms: float | None = None) -> PositionAnswer:
    """Search a position for at most so many CPU milliseconds; playing on only, nothing is taken back."""
    limits = Limits(ms=ms)
    match board:
        case GolfBoard():
            golf = solve_golf(board.rules, board.columns, board.waste, board.stock, limits)
            best = Best(score=golf.best.score, removed=golf.best.removed)
            return PositionAnswer(best, _proved(golf.verdict), golf.limit is None, golf.line)
        case DoubleBoard():
            double = solve_double(board, limits)
            best = Best(score=double.best.score, placed=double.best.placed)
            return PositionAnswer(best, _proved(double.verdict), double.bound == double.best.placed, double.line)
        case _:
            assert_never(board)


def position_answer(code: Code, words: tuple[str, ...], ms: float | None = None) -> PositionAnswer:
    """Search the position that some words lead to. Raises WordsRefused."""
    solo, refusals = replay(Record(code, words))
    if refusals:
        raise WordsRefused(code, refusals[0].move, refusals[0].reason)
    return reach(solo.board, ms)


def result_of(board: Board) -> Best:
    """Return what a game comes to if it ends here."""
    if isinstance(board, GolfBoard):
        return Best(score=board.settled_score, removed=board.cleared)
    return Best(score=board.settled_score, placed=board.cleared)


def warm_up(game: str) -> None:
    """Load or compile what a game (its letters) is searched with, so that no search is charged for it."""
    from bots.players.warm_up import warm_up

    warm_up(game)


def _proved(verdict: str) -> bool | None:
    return {"winnable": True, "unwinnable": False}.get(verdict)
