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
MARKS: Final = 25

MOST_NODES: Final = 1 << 10
MOST_ENTRIES: Final = 1 << 15
SLOTS: Final = 1 << 12
STAMPS: Final = (1 << 20) - 1
KEYS: Final = (1 << 61) - 1
"""Mask of a key: under it neither int64 nor plain Python overflows."""
MOST_ENDS: Final = 64
ORDER_BITS: Final = 20

NOTHING: Final = -1
"""For a start whose last step turns no card up."""
DRAWS: Final = -2
"""For a start that is a draw of cards not seen."""


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
    """Memory of play-outs, made once and used again. A tuple, for numba.

    nodes: the positions of a search, row by row; parents, steps: for each entry of the queue the node it comes from and
    the step from there; heap: the queue; seen: the table of positions; ends: the cheapest ends, each as cost, node and
    last step.
    base, down: the position played on, and how many cards lie face down in each column; root, root_down: the position
    that is to be decided; starts: positions after the plans to choose from; turns: the column in which each turns a
    card up, NOTHING or DRAWS.
    hidden[9 * column + place]: the face-down cards; dealt: those of the stock; unseen: all that are not known; laid:
    the same, shuffled.
    hosts, wanted: by class, which columns end in such a card, as bits (14: empty, only the first), and how many columns
    with face-down cards could move onto one.
    """

    nodes: Ints
    parents: Ints
    steps: Ints
    heap: Ints
    seen: Ints
    ends: Ints
    base: Ints
    down: Ints
    root: Ints
    root_down: Ints
    starts: Ints
    turns: Ints
    hidden: Ints
    dealt: Ints
    unseen: Ints
    laid: Ints
    hosts: Ints
    wanted: Ints
    mark: Ints
    weights: Weights


def table(weights: Weights) -> Table:
    """Make the memory for one thread."""

    def zeros(count: int) -> Ints:
        return np.zeros(count, np.int64)

    return Table(
        nodes=zeros(MOST_NODES * ROW),
        parents=zeros(MOST_ENTRIES),
        steps=zeros(MOST_ENTRIES),
        heap=zeros(MOST_ENTRIES),
        seen=zeros(SLOTS),
        ends=zeros(MOST_ENDS * 3),
        base=zeros(ROW),
        down=zeros(COLUMNS),
        root=zeros(ROW),
        root_down=zeros(COLUMNS),
        starts=zeros(MOST_ENDS * ROW),
        turns=zeros(MOST_ENDS),
        hidden=zeros(COLUMNS * COLUMNS),
        dealt=zeros(64),
        unseen=zeros(128),
        laid=zeros(128),
        hosts=zeros(32),
        wanted=zeros(32),
        mark=zeros(MARKS),
        weights=weights,
    )
