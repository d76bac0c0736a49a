"""What a search for plans looks at next, what it has seen, and the cheapest ends that it has found."""

from __future__ import annotations

from bots.solver.double.playouts.playtable import (
    AT_ENDS,
    AT_HEAP,
    AT_PARENTS,
    AT_SEEN,
    AT_STEPS,
    ENDS,
    ENTRIES,
    HEAP,
    KEYS,
    MOST,
    MOST_ENTRIES,
    ORDER_BITS,
    SLOTS,
    STAMP,
    STAMPS,
    TURNED,
    Ints,
)
from bots.solver.jit import inlined

__all__ = ["begin", "fresh", "keep", "pop", "push", "too_dear"]


@inlined
def begin(t: Ints) -> None:
    """Empty the queue, the ends and the table of positions seen."""
    t[STAMP] += 1
    if t[STAMP] > STAMPS:
        t[STAMP] = 1
        for i in range(AT_SEEN, AT_SEEN + SLOTS):
            t[i] = 0
    t[HEAP] = t[ENTRIES] = t[ENDS] = 0


@inlined
def push(t: Ints, parent: int, step: int, cost: int) -> None:
    """Put a step in the queue: the cheapest first, of equals the earliest."""
    entry = int(t[ENTRIES])
    if entry >= MOST_ENTRIES:
        return
    t[ENTRIES] = entry + 1
    t[AT_PARENTS + entry], t[AT_STEPS + entry] = parent, step
    key = cost << ORDER_BITS | entry
    at = int(t[HEAP])
    t[HEAP] = at + 1
    while at > 0 and t[AT_HEAP + ((at - 1) >> 1)] > key:
        t[AT_HEAP + at] = t[AT_HEAP + ((at - 1) >> 1)]
        at = (at - 1) >> 1
    t[AT_HEAP + at] = key


@inlined
def pop(t: Ints) -> int:
    """Take the first step out of the queue."""
    first, size = int(t[AT_HEAP]), int(t[HEAP]) - 1
    t[HEAP] = size
    key = t[AT_HEAP + size]
    at = 0
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and t[AT_HEAP + child + 1] < t[AT_HEAP + child]:
            child += 1
        if t[AT_HEAP + child] >= key:
            break
        t[AT_HEAP + at] = t[AT_HEAP + child]
        at = child
    t[AT_HEAP + at] = key
    return first


@inlined
def keep(t: Ints, parent: int, step: int, cost: int) -> None:
    """Keep an end if it is among the cheapest."""
    kept = int(t[ENDS])
    end = AT_ENDS + 3 * kept
    if kept == t[MOST]:
        end -= 3
        if t[end] <= cost:
            return
    else:
        t[ENDS] = kept + 1
    while end > AT_ENDS and t[end - 3] > cost:
        t[end], t[end + 1], t[end + 2] = t[end - 3], t[end - 2], t[end - 1]
        end -= 3
    t[end], t[end + 1], t[end + 2] = cost, parent, step


@inlined
def too_dear(t: Ints, cost: int) -> bool:
    """Tell whether as many ends as are kept cost no more than this."""
    return bool(t[ENDS] == t[MOST] and cost >= t[AT_ENDS + 3 * (t[MOST] - 1)])


@inlined
def fresh(t: Ints, at: int) -> bool:
    """Enter the position written from `at` on in the table of those seen; False when it is there."""
    key = 1
    for i in range(TURNED + 1):
        key = ((key ^ int(t[at + i])) * 0x1F58476D1CE4E5B9) & KEYS
        key ^= key >> 29
    stamp = int(t[STAMP])
    entry = (key & ~STAMPS) | stamp
    slot = (key ^ (key >> 20)) & (SLOTS - 1)
    while t[AT_SEEN + slot] & STAMPS == stamp:
        if t[AT_SEEN + slot] == entry:
            return False
        slot = (slot + 1) & (SLOTS - 1)
    t[AT_SEEN + slot] = entry
    return True
