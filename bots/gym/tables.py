"""How each game is put into arrays of fixed sizes: piles as numbers, moves as indices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import numpy as np
from gymnasium import spaces
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import FACE_DOWN, JOKERS, SUITS, Card, card_text
from engine.double.moves import MOVES as DOUBLE_MOVES
from engine.double.moves import ColumnToColumn
from engine.double.rules import COLUMNS as DOUBLE_COLUMNS
from engine.double.rules import STOCK as DOUBLE_STOCK
from engine.golf.moves import DRAW, REMOVALS
from engine.golf.rules import COLUMNS, ROWS, STOCK, TABLEAU

__all__ = ["NO_CARD", "TABLES", "UNKNOWN", "Observation", "Table"]

Observation = dict[str, NDArray[np.int8]]

NO_CARD: Final = 0
UNKNOWN: Final = 55
"""A card that lies face down; 1 to 52 are the cards (`engine.cards.Card` + 1), 53 and 54 the jokers."""

_NUMBERS: Final = {card_text(Card(card)): card + 1 for card in range(52 + len(JOKERS))} | {FACE_DOWN: UNKNOWN}
_LONGEST_RUN: Final = 13


class Table(Struct, frozen=True):
    """A game's sizes: columns and the most cards in one, the most in waste and in stock; its moves in order."""

    columns: int
    height: int
    waste: int
    stock: int
    foundations: bool
    words: tuple[str, ...]

    def space(self) -> spaces.Space[Observation]:
        """Return the space of observations."""
        sizes: dict[str, tuple[int, ...]] = {
            "columns": (self.columns, self.height),
            "waste": (self.waste,),
            "stock": (self.stock,),
        }
        piles: dict[str, spaces.Space[Any]] = {
            name: spaces.Box(NO_CARD, UNKNOWN, size, np.int8) for name, size in sizes.items()
        }
        if self.foundations:
            piles["foundations"] = spaces.Box(0, _LONGEST_RUN, (len(SUITS), 2), np.int8)
        return cast("spaces.Space[Observation]", spaces.Dict(piles))

    def observed(self, view: Mapping[str, Any]) -> Observation:
        """Write a view (notation.md) down, its piles in the same order, with no card after the last."""
        columns = np.zeros((self.columns, self.height), np.int8)
        for at, column in enumerate(view["columns"]):
            columns[at, : len(column)] = _numbers(column)
        seen = {"columns": columns, "waste": np.zeros(self.waste, np.int8), "stock": np.zeros(self.stock, np.int8)}
        seen["waste"][: len(view["waste"])] = _numbers(view["waste"])
        seen["stock"][: len(view["stock_known"])] = _numbers(view["stock_known"])
        if self.foundations:
            seen["foundations"] = np.array([view["foundations"][suit] for suit in SUITS], np.int8)
        return seen

    def mask(self, legal: Sequence[str]) -> NDArray[np.int8]:
        """Return 1 for each move that is legal, 0 for the others."""
        allowed = frozenset(legal)
        return np.fromiter((word in allowed for word in self.words), np.int8, len(self.words))


def _numbers(cards: Sequence[str]) -> list[int]:
    return [_NUMBERS[card] for card in cards]


def _double_words() -> tuple[str, ...]:
    """Return the moves that can ever be legal: none leads from a column to itself."""
    return tuple(
        word
        for word, move in DOUBLE_MOVES.items()
        if not (isinstance(move, ColumnToColumn) and move.source == move.target)
    )


_JOKERS_AND_WASTE: Final = len(JOKERS) + 1
TABLES: Final = {
    "GO": Table(
        columns=COLUMNS,
        height=ROWS,
        waste=TABLEAU + STOCK + _JOKERS_AND_WASTE,
        stock=STOCK + _JOKERS_AND_WASTE,
        foundations=False,
        words=tuple(map(str, (DRAW, *REMOVALS))),
    ),
    "DS": Table(
        columns=DOUBLE_COLUMNS,
        height=DOUBLE_COLUMNS - 1 + _LONGEST_RUN,
        waste=DOUBLE_STOCK,
        stock=DOUBLE_STOCK,
        foundations=True,
        words=_double_words(),
    ),
}
"""By the game's letters."""
