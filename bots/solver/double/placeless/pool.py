"""States that are followed side by side, and the moves on offer from them, the most promising first."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.solver.double.mark import COVERED, DEPTH, KEY, RESERVE, TURNED, UP, Int64
from bots.solver.double.placeless.hall import STOCK, Hall
from bots.solver.jit import compiled

__all__ = ["Pool", "keep_state", "next_offer", "offer", "pool", "take_up"]

# Where the numbers of a wide search stand in `counts`.
STATES: Final = 64
"""States followed; those by how many cards were left in the stock come before."""
OFFERED: Final = 65
BEST_STATE: Final = 66
COUNTS: Final = 67

EACH_STATE: Final = 24
"""Offers that there is room for, for each state followed; there are about twelve."""
STOCKS: Final = 60
"""Numbers of cards that can be left in the stock."""


class Pool(NamedTuple):
    """States that are followed side by side, and the moves from them that are on offer.

    states: `now` of each up to what does not change; marks: its `RESERVE`, `TURNED`, `UP`, `COVERED` and `KEY`;
    ways: the state it came from and the move. offers: a state, a move, and how many cards that leaves in the stock;
    heap: which offer comes next, by what it promises, from place 1 on, their number at 0. counts: see above.
    """

    states: NDArray[np.int8]
    marks: Int64
    ways: NDArray[np.int32]
    offers: NDArray[np.int32]
    heap: Int64
    counts: Int64


def pool(width: int) -> Pool:
    """Make room for so many states of each number of cards in the stock."""
    states = STOCKS * width + 1
    return Pool(
        states=np.zeros((states, STOCK), np.int8),
        marks=np.zeros((states, 5), np.int64),
        ways=np.zeros((states, 2), np.int32),
        offers=np.zeros((EACH_STATE * states, 3), np.int32),
        heap=np.zeros((EACH_STATE * states + 1, 2), np.int64),
        counts=np.zeros(COUNTS, np.int64),
    )


@compiled
def keep_state(hall: Hall, pool: Pool, place: int) -> None:
    """Write the state into the pool."""
    mark, marks = hall.mark, pool.marks
    for i in range(STOCK):
        pool.states[place, i] = hall.now[i]
    marks[place, 0], marks[place, 1], marks[place, 2] = mark[RESERVE], mark[TURNED], mark[UP]
    marks[place, 3], marks[place, 4] = mark[COVERED], mark[KEY]
    if mark[UP] > marks[pool.counts[BEST_STATE], 2]:
        pool.counts[BEST_STATE] = place


@compiled
def take_up(hall: Hall, pool: Pool, place: int) -> None:
    """Go on from a state of the pool."""
    mark, marks = hall.mark, pool.marks
    for i in range(STOCK):
        hall.now[i] = pool.states[place, i]
    mark[RESERVE], mark[TURNED], mark[UP] = marks[place, 0], marks[place, 1], marks[place, 2]
    mark[COVERED], mark[KEY] = marks[place, 3], marks[place, 4]
    mark[DEPTH] = 0


@compiled
def offer(hall: Hall, pool: Pool, promised: int, move: int, place: int) -> None:
    """Put a move from a state in order: before those that leave fewer cards in the stock, or promise less."""
    heap, count = pool.heap, pool.counts
    if count[OFFERED] == len(pool.offers):
        return
    stock = hall.mark[RESERVE] - hall.mark[TURNED]
    offers = pool.offers[count[OFFERED]]
    offers[0], offers[1], offers[2] = place, move, stock
    heap[0, 0] += 1
    key, i = (stock << 40) + (1 << 30) + promised, heap[0, 0]
    while i > 1 and heap[i >> 1, 0] < key:
        heap[i, 0], heap[i, 1] = heap[i >> 1, 0], heap[i >> 1, 1]
        i >>= 1
    heap[i, 0], heap[i, 1] = key, count[OFFERED]
    count[OFFERED] += 1


@compiled
def next_offer(pool: Pool) -> int:
    """Take the offer that comes first."""
    heap = pool.heap
    first, n = heap[1, 1], heap[0, 0] - 1
    heap[0, 0] = n
    key, at = heap[n + 1, 0], heap[n + 1, 1]
    i = 1
    while 2 * i <= n:
        child = 2 * i
        if child < n and heap[child + 1, 0] > heap[child, 0]:
            child += 1
        if heap[child, 0] <= key:
            break
        heap[i, 0], heap[i, 1] = heap[child, 0], heap[child, 1]
        i = child
    heap[i, 0], heap[i, 1] = key, at
    return int(first)
