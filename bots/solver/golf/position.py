"""A Golf position as the arrays that the kernels read."""

from __future__ import annotations

from functools import cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

JOKER = 0
EMPTY = 14
"""The rank of a waste without a card: every free card fits it, but it does not forbid a draw under Strict."""

COLUMNS = 7
HEIGHT = 5
MAX_STOCK = 19
NO_CARDS = (0,) * HEIGHT

Int64 = NDArray[np.int64]
Ranks = NDArray[np.int8]
Masks = NDArray[np.int32]
"""Masks of ranks: bit r is set for rank r."""


class Switches(Struct, frozen=True):
    """What the rule letters differ in, as three switches that can be set freely."""

    wrap: bool
    """King and ace are neighbours."""
    on_king: bool
    """A queen may be placed on a king."""
    draw_waits: bool
    """A draw is allowed only when no free card fits."""


LETTERS = {
    "E": Switches(wrap=True, on_king=True, draw_waits=False),
    "C": Switches(wrap=False, on_king=True, draw_waits=False),
    "S": Switches(wrap=False, on_king=False, draw_waits=True),
}


class Position(Struct, frozen=True):
    """Ranks of a position in mid-game: columns from the buried card down to the free one, stock in the order drawn.

    Ranks are 1..13, 0 for a joker; the waste is a rank or `EMPTY`.
    """

    columns: tuple[tuple[int, ...], ...]
    waste: int
    stock: tuple[int, ...]

    def left(self) -> int:
        """Count the cards in the columns."""
        return sum(len(column) for column in self.columns)


class Arrays(Struct, frozen=True):
    """A position as the kernels take it."""

    columns: Ranks
    """7 × 5, the buried card first; what is past a column's height is ignored."""
    heights: Ranks
    waste: int
    stock: Ranks
    fits: Masks
    """For each waste rank 0..14 the ranks that fit on it."""


@cache
def fitting(switches: Switches) -> Masks:
    """Give, for each waste rank 0..14, the mask of the ranks that fit on it: the same array each time."""
    masks = np.full(15, (1 << 14) - 1, np.int32)
    for rank in range(1, 14):
        neighbours = {rank - 1, rank + 1} & set(range(1, 14))
        if switches.wrap and rank in (1, 13):
            neighbours.add(14 - rank)
        if rank == 13 and not switches.on_king:
            neighbours = set()
        masks[rank] = (1 << JOKER) | sum(1 << r for r in neighbours)
    return masks


def arrays(position: Position, switches: Switches) -> Arrays:
    """Write a position down as the kernels take it."""
    # Lists of numbers: an array filled piece by piece takes ten times as long.
    columns: list[int] = []
    for column in position.columns:
        columns += column
        columns += NO_CARDS[len(column) :]
    return Arrays(
        columns=np.array(columns, np.int8).reshape(COLUMNS, HEIGHT),
        heights=np.array([len(column) for column in position.columns], np.int8),
        waste=position.waste,
        stock=np.array(position.stock, np.int8),
        fits=fitting(switches),
    )
