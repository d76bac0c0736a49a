"""A plain win check of Golf, kept as the yardstick that the benchmark measures the solvers against."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bots.solver.golf.position import Masks, Ranks
from bots.solver.jit import compiled

SEEN = 8 << 21
"""Pairs of packed heights and last column; each holds one bit for each number of cards drawn."""


Seen = NDArray[np.int32]


def yardstick_room() -> tuple[Seen, NDArray[np.int64]]:
    """Make room for what was seen and what is to do."""
    return np.zeros(SEEN, np.int32), np.zeros(1 << 22, np.int64)


@compiled
def plain_win(
    columns: Ranks, waste: int, stock: Ranks, fits: Masks, waits: bool, seen: Seen, todo: NDArray[np.int64]
) -> bool:
    """Tell whether a deal can be won, by a search depth first that comes to every state once, removals before draws.

    What anybody would write first: no better order, no bounds, no dominance. `seen` must be zeros.
    """
    start = 0
    for k in range(7):
        start |= 5 << (3 * k)
    todo[0] = ((start << 3) | 7) << 5
    seen[(start << 3) | 7] = 1
    top = 1
    won = False
    while top and not won:
        top -= 1
        state = todo[top]
        drawn = state & 31
        source = (state >> 5) & 7
        packed = state >> 8
        if source < 7:
            top_rank = columns[source, (packed >> (3 * source)) & 7]
        elif drawn:
            top_rank = stock[drawn - 1]
        else:
            top_rank = waste
        stuck = True
        for k in range(8):
            if k == 7:
                if drawn == len(stock) or (waits and not stuck):
                    continue
                after, cards = (packed << 3) | 7, drawn + 1
            else:
                height = (packed >> (3 * k)) & 7
                if height == 0 or not (fits[top_rank] >> columns[k, height - 1]) & 1:
                    continue
                stuck = False
                after, cards = ((packed - (1 << (3 * k))) << 3) | k, drawn
                won |= (after >> 3) == 0
            if not (seen[after] >> cards) & 1:
                seen[after] |= 1 << cards
                todo[top] = (after << 5) | cards
                top += 1
    return won
