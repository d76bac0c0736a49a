"""Double Solitaire's moves and their words (notation.md)."""

from __future__ import annotations

import re
from typing import Final, final

from msgspec import Struct

from engine.cards import SUITS
from engine.double.rules import COLUMNS

__all__ = [
    "DRAW",
    "MOVES",
    "RECYCLE",
    "ColumnToColumn",
    "ColumnToFoundation",
    "DoubleMove",
    "Draw",
    "FoundationToColumn",
    "Recycle",
    "WasteToColumn",
    "WasteToFoundation",
    "parse_move",
]


@final
class Draw(Struct, frozen=True):
    """Turn the stock's next cards to the waste."""

    def __str__(self) -> str:
        return "d"


@final
class Recycle(Struct, frozen=True):
    """Put the whole waste back as the stock, face down."""

    def __str__(self) -> str:
        return "r"


@final
class WasteToColumn(Struct, frozen=True):
    """Put the waste's top card onto a column (1..9)."""

    target: int

    def __str__(self) -> str:
        return f"w-t{self.target}"


@final
class WasteToFoundation(Struct, frozen=True):
    """Put the waste's top card onto its foundation."""

    def __str__(self) -> str:
        return "w-f"


@final
class ColumnToColumn(Struct, frozen=True):
    """Move the last cards of a column (1..9) onto another."""

    source: int
    target: int
    cards: int = 1

    def __str__(self) -> str:
        return f"t{self.source}-t{self.target}" + (f"x{self.cards}" if self.cards > 1 else "")


@final
class ColumnToFoundation(Struct, frozen=True):
    """Put a column's (1..9) last card onto its foundation."""

    source: int

    def __str__(self) -> str:
        return f"t{self.source}-f"


@final
class FoundationToColumn(Struct, frozen=True):
    """Take the top card of a suit's (0..3) first or second place back onto a column (1..9)."""

    suit: int
    place: int
    target: int

    def __str__(self) -> str:
        return f"f{SUITS[self.suit]}{'' if self.place == 1 else self.place}-t{self.target}"


DoubleMove = (
    Draw | Recycle | WasteToColumn | WasteToFoundation | ColumnToColumn | ColumnToFoundation | FoundationToColumn
)

DRAW: Final = Draw()
RECYCLE: Final = Recycle()

_NUMBERS: Final = range(1, COLUMNS + 1)
_LONGEST_RUN: Final = 13
_RUN: Final = re.compile(r"t([1-9])-t([1-9])x([1-9][0-9]{0,2})")


def _moves() -> list[DoubleMove]:
    """Return every move but those of more cards than a run can have."""
    return [
        DRAW,
        RECYCLE,
        WasteToFoundation(),
        *map(WasteToColumn, _NUMBERS),
        *map(ColumnToFoundation, _NUMBERS),
        *(FoundationToColumn(suit, place, to) for suit in range(4) for place in (1, 2) for to in _NUMBERS),
        *(ColumnToColumn(of, to, cards) for of in _NUMBERS for to in _NUMBERS for cards in range(1, _LONGEST_RUN + 1)),
    ]


MOVES: Final[dict[str, DoubleMove]] = {str(move): move for move in _moves()}
"""Canonical word → its move, but for undo and for moves of more cards than a run can have."""
_OTHER_SPELLINGS: Final = {f"{word}x1": move for word, move in MOVES.items() if re.fullmatch("t.-t.", word)} | {
    word.replace("-", "1-"): move for word, move in MOVES.items() if re.fullmatch("f.-t.", word)
}
_READ: Final = MOVES | _OTHER_SPELLINGS


def parse_move(word: str) -> DoubleMove | None:
    """Read a word other than `u`, also `t1-t2x1` and `fS1-t4`; None when it is no word of the notation."""
    move = _READ.get(word)
    if move is None and (run := _RUN.fullmatch(word)):
        return ColumnToColumn(*map(int, run.groups()))
    return move
