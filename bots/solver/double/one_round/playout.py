"""Games of one round through the stock, played out by habit: what looks best at once is played, else cards are drawn.

One takes ten to thirty microseconds, a third to a seventh of one that is played from plan to plan (`playouts`), and
with no second round to plan for it comes to as many cards: so chance evens out sooner.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bots.solver.double.one_round.habits import HABITS, Habits, column_end, from_waste, runs, survey
from bots.solver.double.one_round.row import (
    ANYTHING,
    BEST,
    CARDS,
    COLUMN_UP,
    DOWN,
    DRAWN,
    ENDS,
    HEIGHT,
    IN_STOCK,
    IN_WASTE,
    KIND,
    NOTHING,
    ROW,
    RUN,
    SOURCE,
    STOCK,
    TALL,
    TARGET,
    UNSEEN,
    UP,
    VALUE,
    WASTE,
    WASTE_DOWN,
    WASTE_UP,
    WORLD,
    put_up,
)
from bots.solver.double.playouts.playtable import COLUMNS, KEYS, MOST_ENDS, Floats, Ints
from bots.solver.jit import compiled, inlined

__all__ = ["Memory", "memory", "value_starts"]


class Memory(NamedTuple):
    """Memory of these games. A tuple, for numba.

    starts: the positions to choose from, row by row; world: one of them in a world; laid: the cards not seen, shuffled.
    """

    starts: Ints
    world: Ints
    laid: Ints
    habits: Habits


def memory(draw: int) -> Memory:
    """Make the memory for one thread, with the habits for so many cards a draw."""
    starts, world, laid = (np.zeros(count, np.int64) for count in (MOST_ENDS * ROW, WORLD, 128))
    return Memory(starts, world, laid, HABITS[draw])


@inlined
def make(row: Ints) -> None:
    """Make the best move."""
    kind, source = int(row[BEST + KIND]), int(row[BEST + SOURCE])
    target, cards = int(row[BEST + TARGET]), int(row[BEST + CARDS])
    if kind in (WASTE_UP, WASTE_DOWN):
        row[IN_WASTE] -= 1
        card = int(row[WASTE + row[IN_WASTE]])
        if kind == WASTE_UP:
            put_up(row, card)
        else:
            row[TALL * target + row[HEIGHT + target]] = card
            row[HEIGHT + target] += 1
        return
    if kind != COLUMN_UP:
        row[HEIGHT + source] -= cards
        for i in range(cards):
            row[TALL * target + row[HEIGHT + target]] = row[TALL * source + row[HEIGHT + source] + i]
            row[HEIGHT + target] += 1
    if kind != RUN:
        row[HEIGHT + source] -= 1
        put_up(row, int(row[TALL * source + row[HEIGHT + source]]))
    if row[DOWN + source] and row[HEIGHT + source] == row[DOWN + source]:
        row[DOWN + source] -= 1


@inlined
def draw_cards(row: Ints, draw: int) -> None:
    """Draw so many cards, or what is left."""
    for _ in range(min(draw, row[IN_STOCK] - row[DRAWN])):
        row[WASTE + row[IN_WASTE]] = row[STOCK + row[DRAWN]]
        row[IN_WASTE] += 1
        row[DRAWN] += 1


@compiled
def play_out(row: Ints, h: Habits, draw: int) -> int:
    """Play a position out, all cards in their places; returns how many are up at the end.

    Every move puts a card up, uncovers one, takes one from the waste, or empties a column that only a king goes to.
    """
    while True:
        survey(row)
        row[VALUE], row[BEST + KIND] = 0 if row[DRAWN] < row[IN_STOCK] else ANYTHING, NOTHING
        from_waste(row, h)
        for c in range(COLUMNS):
            if row[ENDS + c]:
                column_end(row, h, c)
                runs(row, h, c)
        if row[BEST + KIND] != NOTHING:
            make(row)
        elif row[DRAWN] < row[IN_STOCK]:
            draw_cards(row, draw)
        else:
            break
    up = 0
    for place in range(8):
        up += row[UP + place]
    return up


@inlined
def shuffled(m: Memory, unseen: Ints, cards: int, seed: int) -> None:
    """Lay the first cards of those not seen in an order that follows from the seed; -1 leaves them in theirs."""
    for i in range(cards):
        m.laid[i] = unseen[i]
    if seed >= 0:
        chance = (seed * 0x1F58476D1CE4E5B9) & KEYS
        for i in range(cards - 1, 0, -1):
            chance = (chance * 0x5851F42D4C957F2D + 0x14057B7EF767814F) & KEYS
            other = ((chance >> 29) * (i + 1)) >> 32
            m.laid[i], m.laid[other] = m.laid[other], m.laid[i]


@inlined
def place_laid(m: Memory, start: int) -> None:
    """Make a start the world, with the cards as they are laid in the places of those not seen, always in one order."""
    at, row = 0, m.world
    for i in range(ROW):
        row[i] = m.starts[start * ROW + i]
    for c in range(COLUMNS):
        for i in range(row[HEIGHT + c]):
            if row[TALL * c + i] == UNSEEN:
                row[TALL * c + i] = m.laid[at]
                at += 1
    for i in range(row[IN_WASTE]):
        if row[WASTE + i] == UNSEEN:
            row[WASTE + i] = m.laid[at]
            at += 1
    for i in range(row[DRAWN], row[IN_STOCK]):
        if row[STOCK + i] == UNSEEN:
            row[STOCK + i] = m.laid[at]
            at += 1


@compiled
def value_starts(
    m: Memory, starts: Ints, draw: int, unseen: Ints, cards: int, seed: int, results: Floats, first: int, last: int
) -> None:
    """Play starts out in the same shuffles of so many cards, and write down how many cards came to be up.

    results[start, shuffle], for the shuffles from `first` to `last`.
    """
    for shuffle in range(first, last):
        shuffled(m, unseen, cards, seed + shuffle if seed >= 0 else -1)
        for start in starts:
            place_laid(m, start)
            results[start, shuffle] = play_out(m.world, m.habits, draw)
