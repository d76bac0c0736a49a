"""Between the engine's boards and the kernels: positions one way, lines in words the other."""

from __future__ import annotations

from collections.abc import Iterable

from bots.solver.double.places.play import COLUMN_UP, RESERVE_UP, RUN, TAKEN_BACK
from bots.solver.double.position import RANK_BITS, Position, Setting
from bots.solver.verdict import LineRefused
from engine.cards import Card, rank_of, suit_of
from engine.double.board import DoubleBoard
from engine.double.moves import (
    DRAW,
    RECYCLE,
    ColumnToColumn,
    ColumnToFoundation,
    DoubleMove,
    FoundationToColumn,
    WasteToColumn,
    WasteToFoundation,
)
from engine.double.rules import DoubleRules

__all__ = ["Played", "position_of", "setting_of"]

_RANKS = (1 << RANK_BITS) - 1


def _number(card: Card) -> int:
    return suit_of(card) << RANK_BITS | rank_of(card)


def position_of(board: DoubleBoard) -> Position:
    """Write a board as the kernels take it."""
    return Position(
        columns=tuple(tuple(map(_number, column)) for column in board.columns),
        down=board.down,
        reserve=tuple(map(_number, board.waste + board.stock)),
        turned=len(board.waste),
    )


def setting_of(rules: DoubleRules) -> Setting:
    """Return how the stock is gone through under these rules; Vegas has one pass."""
    return Setting(draw=rules.draw, recycles=rules.scoring == "N")


class Played:
    """A line being played through the engine, move by move. Raises LineRefused as soon as the engine refuses one."""

    def __init__(self, board: DoubleBoard) -> None:
        self.board = board
        self.words: list[str] = []

    def follow(self, path: Iterable[int]) -> None:
        """Play the kernels' moves, drawing and recycling as they need it."""
        for move in path:
            kind, source, target, cards = move & 15, move >> 4 & 63, move >> 12 & 15, move >> 16
            if kind == COLUMN_UP:
                self._play(ColumnToFoundation(source + 1))
            elif kind == RUN:
                self._play(ColumnToColumn(source + 1, target + 1, cards))
            elif kind == TAKEN_BACK:
                suit, rank = source >> RANK_BITS, source & _RANKS
                place = 1 if self.board.foundations[2 * suit] == rank else 2
                self._play(FoundationToColumn(suit, place, target + 1))
            else:
                self._turn(source)
                self._play(WasteToFoundation() if kind == RESERVE_UP else WasteToColumn(target + 1))

    def finish(self) -> None:
        """Put up what is left when no card is face down and every other one is at hand: the lowest always goes.

        All lower ones are up, so a place of its suit ends below it; it is the free card of its column, since a column
        descends, or lies in a reserve of which every card can be turned up.
        """
        while self.board.left:
            board = self.board
            ends = [(rank_of(column[-1]), at) for at, column in enumerate(board.columns, 1) if column]
            reserve = [(rank_of(card), -at) for at, card in enumerate(board.waste + board.stock, 1)]
            _, at = min(ends + reserve)
            if at > 0:
                self._play(ColumnToFoundation(at))
            else:
                self._turn(-at)
                self._play(WasteToFoundation())

    def _turn(self, turned: int) -> None:
        """Draw, and recycle if need be, until so many cards lie in the waste."""
        for _ in range(2 * len(self.board.waste + self.board.stock) + 2):
            if len(self.board.waste) == turned:
                return
            self._play(DRAW if self.board.stock else RECYCLE)
        raise LineRefused((*self.words, "d"), len(self.words), f"the waste never holds {turned} cards")

    def _play(self, move: DoubleMove) -> None:
        self.words.append(str(move))
        if reason := self.board.refusal(move):
            raise LineRefused(self.words, len(self.words) - 1, reason)
        self.board = self.board.after(move)
