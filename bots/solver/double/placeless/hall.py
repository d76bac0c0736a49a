"""What the search of the game without places works in: its memory, and where each number stands."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from bots.solver.double.mark import COLUMNS, DEEPEST, KEYS, MARKS, MOVES, TALL, Int64

__all__ = ["Hall", "hall"]

# Where the numbers of a state stand in `now`. Cards are numbers below 80, classes below 32: rank, and 16 for red.
LEFT: Final = 0
"""By column: how many of the cards dealt to it lie there still; the last of them, its base, is face up.

0 for an empty column, and for one that a king begins.
"""
LOWEST: Final = 10
"""By suit: the highest rank of which all cards are up."""
LOOSE: Final = 16
"""By card: how many lie face up on others, or are kings that begin a column."""
SHOWN: Final = 96
"""By class: how many are face up; one rank above the kings: the columns that are empty or begin with a king."""
LAID: Final = 128
"""By class: how many are loose."""
UPS: Final = 160
"""By card: how many are on the foundations; of rank 0 all."""
HELD: Final = 240
"""By card: how many are in waste and stock."""
ORDER: Final = 320
"""The cards of waste and stock, in order, by their numbers among those dealt."""
STOCK: Final = 384
"""Those dealt."""
DEALT: Final = 448
"""By column and place: the cards dealt."""
WANTS: Final = DEALT + COLUMNS * TALL
"""See `survey`."""
NEAR: Final = WANTS + 32
CAN: Final = NEAR + 32
"""See `most_to_come`."""
MOST: Final = CAN + 80
LOW: Final = MOST + 80
HOSTS: Final = LOW + COLUMNS
BASED: Final = HOSTS + 1
HAD: Final = HOSTS + 2
GONE: Final = HOSTS + 3
SAFE: Final = HOSTS + 4
NOW: Final = SAFE + 4

LEFT_KEY: Final = 0
CARD_KEY: Final = COLUMNS * TALL
TURNED_KEY: Final = CARD_KEY + 64
HELD_KEY: Final = TURNED_KEY + 64
STOCK_KEY: Final = HELD_KEY + 64
KEY_COUNT: Final = STOCK_KEY + 64

TURNS: Final = DEEPEST
WAS: Final = 2 * DEEPEST
KEPT: Final = 3 * DEEPEST
AT: Final = 4 * DEEPEST
FIRST: Final = 5 * DEEPEST
BEST: Final = 6 * DEEPEST
LISTED: Final = 7 * DEEPEST


class Hall(NamedTuple):
    """Memory of a search, made once and used again. A tuple, for numba; of few arrays, since each call hands all over.

    now: what a state consists of, from the places named above on. key: random keys, from theirs. path: the moves made,
    and of each what is needed to take it back. seen: the table of states. mark: as in `Room`.
    """

    now: Int64
    key: Int64
    path: Int64
    seen: Int64
    mark: Int64


def hall(slots: int = 1 << 22, salt: int = 1) -> Hall:
    """Make a hall for searches of up to three quarters of so many states, a power of two; keys follow from the salt."""
    return Hall(
        now=np.zeros(NOW, np.int64),
        key=np.random.default_rng(salt).integers(1, KEYS, KEY_COUNT, dtype=np.int64),
        path=np.zeros(LISTED + MOVES, np.int64),
        seen=np.zeros(slots, np.int64),
        mark=np.zeros(MARKS, np.int64),
    )
