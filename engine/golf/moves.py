"""Golf's moves and their words (notation.md)."""

from __future__ import annotations

from typing import Final, final

from msgspec import Struct

from engine.golf.rules import COLUMNS, ROWS

__all__ = ["DRAW", "MOVES", "REMOVALS", "Draw", "GolfMove", "Remove"]


@final
class Draw(Struct, frozen=True):
    """Turn the stock's top card to the waste."""

    def __str__(self) -> str:
        return "d"


class Remove(Struct, frozen=True):
    """Remove the free card of a column (1..7); with a row (1 = top) that very card."""

    column: int
    row: int | None = None

    def __str__(self) -> str:
        return str(self.column) if self.row is None else f"c{self.column}r{self.row}"


GolfMove = Draw | Remove

DRAW: Final = Draw()
REMOVALS: Final = tuple(Remove(column) for column in range(1, COLUMNS + 1))
_CARDS: Final = [Remove(column, row) for column in range(1, COLUMNS + 1) for row in range(1, ROWS + 1)]
MOVES: Final[dict[str, GolfMove]] = {"d": DRAW} | {str(move): move for move in (*REMOVALS, *_CARDS)}
"""Every word but undo → its move."""
