"""A position of a game of one round: a row of numbers, and where each of them stands."""

from __future__ import annotations

from typing import Final

from bots.solver.double.playouts.playtable import COLUMNS, Ints
from bots.solver.jit import inlined

__all__ = ["goes_up", "hardly_missed", "put_up"]

# Cards are written as in `playtable.py`. A position is a row of numbers: the columns, so many places each, then these.
TALL: Final = 24
HEIGHT: Final = COLUMNS * TALL
"""How many cards lie in each column, then how many of them face down."""
DOWN: Final = HEIGHT + COLUMNS
UP: Final = DOWN + COLUMNS
"""Heights of the foundations, two places for each suit."""
WASTE: Final = UP + 8
STOCK: Final = WASTE + 64
"""The cards to be drawn, the next one first."""
IN_WASTE: Final = STOCK + 64
DRAWN: Final = IN_WASTE + 1
"""Cards of the stock that have been drawn, and how many there were."""
IN_STOCK: Final = DRAWN + 1
ROW: Final = IN_STOCK + 1

# What is seen in it, after it: a kernel that hands over one array is several times as fast as one that does six.
HOSTS: Final = ROW
"""By class: how many columns end in such a card."""
WANTED: Final = HOSTS + 34
"""By class: how many runs on face-down cards begin with one."""
ENDS: Final = WANTED + 34
"""Each column's free card, 0 where it is empty."""
EMPTY: Final = ENDS + COLUMNS
"""An empty column, or -1."""
VALUE: Final = EMPTY + 1
"""What the best move is worth; then that move."""
BEST: Final = VALUE + 1
WORLD: Final = BEST + 4

UNSEEN: Final = 0
"""In the place of a card that is not known."""
ANYTHING: Final = -1000
"""Less than any move is worth: with nothing left to draw, whatever there is is done."""

# A move, from `BEST` on.
KIND: Final = 0
SOURCE: Final = 1
TARGET: Final = 2
CARDS: Final = 3
NOTHING: Final = 0
WASTE_UP: Final = 1
WASTE_DOWN: Final = 2
COLUMN_UP: Final = 3
RUN: Final = 4
PART: Final = 5
"""A part of a run moved, and the card that this frees put up."""


@inlined
def goes_up(row: Ints, card: int) -> bool:
    """Tell whether a foundation takes a card."""
    at = UP + 2 * (card >> 4)
    return bool(row[at] == (card & 15) - 1 or row[at + 1] == (card & 15) - 1)


@inlined
def put_up(row: Ints, card: int) -> None:
    """Put a card on a foundation that takes it."""
    at = UP + 2 * (card >> 4)
    row[at if row[at] == (card & 15) - 1 else at + 1] += 1


@inlined
def hardly_missed(row: Ints, card: int) -> bool:
    """Tell whether all that could be laid on a card is up, or goes up by itself."""
    lower = (card & 15) - 1
    if lower > 1:
        for suit in range(1 - ((card >> 4) & 1), 4, 2):
            if row[UP + 2 * suit] < lower or row[UP + 2 * suit + 1] < lower:
                return False
    return True
