"""Find plans: the cheapest ways to the next card turned up or card of the talon played."""

from __future__ import annotations

from bots.solver.double.playouts.frontier import begin, fresh, pop, too_dear
from bots.solver.double.playouts.play import copy_row, follow
from bots.solver.double.playouts.playtable import (
    AT_BASE,
    AT_NODES,
    AT_ONCE,
    AT_PARENTS,
    AT_STEPS,
    COST,
    DEALT,
    ENDS,
    ENTRY,
    GATHER,
    GATHERS,
    HEAP,
    IN_ROUND,
    KNOWN,
    MOST,
    NARROW,
    NEXT_ROUND,
    NODES,
    ORDER_BITS,
    RECYCLE,
    RECYCLES,
    ROW,
    SCORE,
    WIDELY,
    Ints,
    Weights,
)
from bots.solver.double.playouts.steps import expand
from bots.solver.jit import compiled

__all__ = ["plan"]


@compiled
def search(t: Ints, w: Weights, limit: int) -> int:
    """Find the cheapest plans from the base within so many positions; returns how many ends were kept."""
    begin(t)
    n = 0
    while n < limit:
        at, cost, entry = AT_NODES + n * ROW, 0, -1
        if n == 0:
            copy_row(t, AT_BASE, at)
        elif t[HEAP]:
            key = pop(t)
            cost, entry = key >> ORDER_BITS, key & ((1 << ORDER_BITS) - 1)
            if too_dear(t, cost):
                break
            copy_row(t, AT_NODES + int(t[AT_PARENTS + entry]) * ROW, at)
            follow(t, at, int(t[AT_STEPS + entry]))
        else:
            break
        if fresh(t, at):
            t[at + COST], t[at + ENTRY] = cost, entry
            expand(t, w, n)
            n += 1
    t[NODES] += n
    return int(t[ENDS])


@compiled
def plan(t: Ints, w: Weights, most: int) -> int:
    """Find plans from the base: in this round through the stock, then with a recycle, then more widely.

    Or all of these at once: where a round can still be played on, a card may be better kept until the next.
    """
    t[MOST], t[GATHER] = most, 0
    recycle = w.recycle + w.per_point * min(100, t[AT_BASE + SCORE])
    if t[AT_ONCE]:
        t[NARROW], t[RECYCLE] = 0, recycle
        return search(t, w, t[WIDELY])
    t[NARROW], t[RECYCLE] = 1, -1
    found = search(t, w, t[IN_ROUND])
    if found or t[KNOWN] < t[DEALT]:
        return found
    if t[RECYCLES]:
        t[RECYCLE] = recycle
        found = search(t, w, t[NEXT_ROUND])
    if found == 0:
        t[NARROW] = 0
        found = search(t, w, t[WIDELY])
    if found == 0 and t[GATHERS]:
        t[GATHER] = 1
        found = search(t, w, t[IN_ROUND])
    return found
