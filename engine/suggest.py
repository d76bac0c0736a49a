"""A move to suggest to somebody who practises: what looks best from what lies open, and no more than that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, assert_never

from engine.cards import rank_of
from engine.double.board import DoubleBoard
from engine.double.moves import (
    MOVES,
    ColumnToColumn,
    ColumnToFoundation,
    DoubleMove,
    Draw,
    FoundationToColumn,
    Recycle,
    WasteToColumn,
    WasteToFoundation,
)
from engine.golf.board import GolfBoard
from engine.refusals import Reason
from engine.solo import Solo

__all__ = ["suggestion"]

LOOKED_AT: Final = 400
"""Positions that may be looked at for one hint: a few ms."""
_DRAW: Final = "d"
_KING: Final = 13


def suggestion(solo: Solo) -> str | None:
    """Return a legal word for a game, the same for all deals that look alike to the seat; None when there is none."""
    board = solo.board
    match board:
        case GolfBoard():
            return _golf(board)
        case DoubleBoard():
            words = {word: _worth(board, MOVES[word]) for word in board.legal()}
            return max(words, key=words.__getitem__) if words else None
        case _:
            assert_never(board)


def _golf(board: GolfBoard) -> str | None:
    """Return the removal that begins the longest run without a draw, from the tallest column; else a draw."""
    left = LOOKED_AT

    def run(board: GolfBoard) -> int:
        nonlocal left
        longest = 0
        for word in _removals(board):
            if left <= 0:
                break
            left -= 1
            longest = max(longest, 1 + run(_after(board, word)))
        return longest

    removals = _removals(board)
    if removals:
        height: Callable[[str], int] = lambda word: len(board.columns[int(word) - 1])  # noqa: E731
        return max(removals, key=lambda word: (run(_after(board, word)), height(word)))
    return _DRAW if _DRAW in board.legal() else None


def _removals(board: GolfBoard) -> list[str]:
    return [word for word in board.legal() if word != _DRAW]


def _after(board: GolfBoard, word: str) -> GolfBoard:
    answer = board.answer(word)
    if isinstance(answer, Reason):
        raise ValueError(f"expected a legal word, found {word!r}: {answer.value}")
    return answer[0]


def _worth(board: DoubleBoard, move: DoubleMove) -> int:
    """Return how good a move looks: cards turned up first, then cards put up, cards from the waste, a draw."""
    match move:
        case ColumnToFoundation(source):
            return 60 if _turns(board, source, 1) else 30
        case ColumnToColumn(source, _, cards):
            return _worth_of_run(board, source, cards)
        case WasteToFoundation():
            return 40
        case WasteToColumn():
            return 25
        case Draw():
            return 10
        case Recycle():
            return 5
        case FoundationToColumn():
            return 1
        case _:
            assert_never(move)


def _worth_of_run(board: DoubleBoard, source: int, cards: int) -> int:
    """A run that turns up a card; one that empties a column, unless it is a king's; part of a run leads nowhere."""
    column, down = board.columns[source - 1], board.down[source - 1]
    if _turns(board, source, cards):
        return 50 + down
    return 15 if cards == len(column) and rank_of(column[0]) != _KING else 2


def _turns(board: DoubleBoard, source: int, cards: int) -> bool:
    return 0 < board.down[source - 1] == len(board.columns[source - 1]) - cards
