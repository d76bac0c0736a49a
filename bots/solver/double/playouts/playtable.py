"""What play-outs work on: how cards, positions and steps are written, what steps weigh, and the memory for all that."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Floats", "Ints", "Table", "Weights", "table"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# A card is `rank | red << 4 | second << 5`: hearts are the first red suit, diamonds the second, spades the first black
# one, clubs the second. Its class, `card & CLASS`, is what decides where it lies; `card >> 4` is its suit.
# A run is one number, 0 when empty: `cards | rank << 4 | red << 8 | suits << 9`, with rank and colour of its free card;
# bit i of `suits` is `second` of the card on which i others lie. Ranks and colours of the others follow.
CLASS: Final = 31
RED: Final = 16
KING: Final = 13
COLUMNS: Final = 9

# A position is a row of numbers: the runs of the columns, then these.
UP: Final = 9
"""Heights of the foundations: eight bits for each suit, the taller place in the lower four."""
TALON: Final = 10
"""Which of the cards dealt to the stock are still there or in the waste, as bits."""
TURNED: Final = 11
"""The waste holds those cards of the talon that were dealt before this one."""
SCORE: Final = 12
MOVES: Final = 13
COST: Final = 14
"""What the way here weighs."""
ENTRY: Final = 15
"""The entry of the queue that led here, -1 at the start; of a start, its end's."""
ROW: Final = 16

# A step is `kind | source << 3 | target << 9 | cards << 13 | draws << 17 | recycled << 24`. Its source is a column, for
# a card of the talon which one it was when dealt, for one taken back the card.
COLUMN_UP: Final = 0
RUN: Final = 1
TALON_UP: Final = 2
TALON_DOWN: Final = 3
TAKEN_BACK: Final = 4

# Where numbers stand in `mark`.
TURNS: Final = 0
"""Cards that a draw turns."""
RECYCLES: Final = 1
WIDTH: Final = 2
"""Columns."""
ONE_PACK: Final = 3
"""1 for a single pack, whose other foundations count as full from the start: the game itself has two."""
PAYS_UP: Final = 4
PAYS_DOWN: Final = 5
"""For a card of the talon put on a column."""
PAYS_TURN: Final = 6
IN_ROUND: Final = 7
"""Positions that are looked at for a plan without a recycle; then for one with a recycle, then more widely."""
NEXT_ROUND: Final = 8
WIDELY: Final = 9
GATHERS: Final = 10
"""Whether what can go up goes up once nothing else is left."""
DEALT: Final = 11
"""Cards dealt to the stock; the talon is part of them."""
KNOWN: Final = 12
"""How many of these have been seen: the first."""
COVERED: Final = 13
"""Cards that lie face down."""
SEED: Final = 14
"""From which the shuffles follow; -1: none, the cards not seen are laid in their order."""
STAMP: Final = 15
"""The number of the present search, the lower part of its entries among the positions seen."""
HEAP: Final = 16
ENTRIES: Final = 17
ENDS: Final = 18
MOST: Final = 19
"""Ends that are kept."""
RECYCLE: Final = 20
"""What a recycle weighs in the present search; -1 where there is none."""
NARROW: Final = 21
"""Whether cards of the talon are played on the way to an end only where they may help a covered column."""
GATHER: Final = 22
"""Whether putting a card up is an end in itself."""
NODES: Final = 23
BEST: Final = 24
"""The best score on the way of a play-out."""
AT_ONCE: Final = 25
"""Whether plans are looked for with a recycle, and widely, from the start."""
MARKS: Final = 26

MOST_NODES: Final = 1 << 10
MOST_ENTRIES: Final = 1 << 15
SLOTS: Final = 1 << 12
STAMPS: Final = (1 << 20) - 1
KEYS: Final = (1 << 61) - 1
"""Mask of a key: under it neither int64 nor plain Python overflows."""
MOST_ENDS: Final = 64
ORDER_BITS: Final = 20
CLASSES: Final = 32
TALON_PLACES: Final = 64
CARD_PLACES: Final = 128

NOTHING: Final = -1
"""For a start whose last step turns no card up."""
DRAWS: Final = -2
"""For a start that is a draw of cards not seen."""

# Where the parts of the memory begin, after `mark`. What `Table` has no name for only kernels use.
AT_HOSTS: Final = MARKS
"""By class: which columns end in such a card, as bits (14: empty, only the first)."""
AT_WANTED: Final = AT_HOSTS + CLASSES
"""By class: how many columns with face-down cards could move onto such a card."""
AT_BASE: Final = AT_WANTED + CLASSES
AT_DOWN: Final = AT_BASE + ROW
"""How many cards lie face down in each column of the base."""
AT_ROOT: Final = AT_DOWN + COLUMNS
AT_ROOT_DOWN: Final = AT_ROOT + ROW
AT_HIDDEN: Final = AT_ROOT_DOWN + COLUMNS
"""Which these are: so many places for each column."""
AT_DEALT: Final = AT_HIDDEN + COLUMNS * COLUMNS
AT_UNSEEN: Final = AT_DEALT + TALON_PLACES
AT_LAID: Final = AT_UNSEEN + CARD_PLACES
AT_TURNS: Final = AT_LAID + CARD_PLACES
AT_STARTS: Final = AT_TURNS + MOST_ENDS
AT_ENDS: Final = AT_STARTS + MOST_ENDS * ROW
AT_SEEN: Final = AT_ENDS + MOST_ENDS * 3
"""The table of positions."""
AT_NODES: Final = AT_SEEN + SLOTS
AT_HEAP: Final = AT_NODES + MOST_NODES * ROW
"""The queue: the cheapest first."""
AT_PARENTS: Final = AT_HEAP + MOST_ENTRIES
AT_STEPS: Final = AT_PARENTS + MOST_ENTRIES
MEMORY: Final = AT_STEPS + MOST_ENTRIES


class Weights(NamedTuple):
    """What steps cost, to be compared with each other only, in sixteenths of a put-up; found by trials."""

    run: int
    """A whole run moved."""
    part: int
    """A part of a run moved, to free a card that goes up."""
    put_up: int
    """A card put up; one that is never missed costs nothing."""
    taken_back: int
    to_column: int
    """A card of the talon played onto a column, on top of the draws to it."""
    to_foundation: int
    draw: int
    turned_none: int
    """A plan that ends with a card of the talon played, not with a card turned up."""
    taken_place: int
    """A card of the talon on the last column that a column with face-down cards could have moved to."""
    given_place: int
    """Off, for a card of the talon that such a column could move to."""
    buried: int
    """Off, for each card that lies face down where one is turned up."""
    recycle: int
    """What a recycle weighs as a step by itself."""
    per_point: int
    """What each point that it costs adds."""


class Table(NamedTuple):
    """Memory of play-outs, made once and used again: one array whose parts have names. A tuple, for numba.

    Kernels hand over the one array: handing over an array for each part took most of their time.
    """

    memory: Ints
    weights: Weights

    @property
    def mark(self) -> Ints:
        """Numbers, in the order named above."""
        return self.memory[:AT_HOSTS]

    @property
    def base(self) -> Ints:
        """The position played on."""
        return self.memory[AT_BASE:AT_DOWN]

    @property
    def root(self) -> Ints:
        """The position that is to be decided."""
        return self.memory[AT_ROOT:AT_ROOT_DOWN]

    @property
    def root_down(self) -> Ints:
        """How many cards lie face down in each of its columns."""
        return self.memory[AT_ROOT_DOWN:AT_HIDDEN]

    @property
    def dealt(self) -> Ints:
        """The cards dealt to the stock."""
        return self.memory[AT_DEALT:AT_UNSEEN]

    @property
    def unseen(self) -> Ints:
        """All cards that are not known."""
        return self.memory[AT_UNSEEN:AT_LAID]

    @property
    def laid(self) -> Ints:
        """The same, shuffled."""
        return self.memory[AT_LAID:AT_TURNS]

    @property
    def turns(self) -> Ints:
        """The column in which each start turns a card up, NOTHING or DRAWS."""
        return self.memory[AT_TURNS:AT_STARTS]

    @property
    def starts(self) -> Ints:
        """Positions after the plans to choose from, row by row."""
        return self.memory[AT_STARTS:AT_ENDS]

    @property
    def ends(self) -> Ints:
        """The cheapest ends of a search, each as cost, node and last step."""
        return self.memory[AT_ENDS:AT_SEEN]

    @property
    def nodes(self) -> Ints:
        """The positions of a search, row by row."""
        return self.memory[AT_NODES:AT_HEAP]

    @property
    def parents(self) -> Ints:
        """For each entry of the queue the node that it comes from."""
        return self.memory[AT_PARENTS:AT_STEPS]

    @property
    def steps(self) -> Ints:
        """For each entry of the queue the step from there."""
        return self.memory[AT_STEPS:]


def table(weights: Weights) -> Table:
    """Make the memory for one thread."""
    return Table(np.zeros(MEMORY, np.int64), weights)
