"""The table of states: each is entered once."""

from __future__ import annotations

from bots.solver.double.mark import ENTERED, FULL, KEY, KEYS, ROUND, ROUNDS, SLOTS, STATUS
from bots.solver.double.placeless.hall import Hall
from bots.solver.jit import compiled, inlined

__all__ = ["fresh", "next_round"]


@inlined
def mixed(key: int) -> int:
    """Scatter a key."""
    key = ((key ^ (key >> 31)) * 0x1F58476D1CE4E5B9) & KEYS
    key = ((key ^ (key >> 29)) * 0x14D049BB133111EB) & KEYS
    return key ^ (key >> 32)


@compiled
def fresh(hall: Hall, awaits: int) -> bool:
    """Enter the state in the table; False when it is there already or there is no room (then STATUS is FULL)."""
    mark = hall.mark
    key = mixed((int(mark[KEY]) + awaits * 0x2545F4914F6CDD1) & KEYS)
    entry = (key & ~ROUNDS) | mark[ROUND]
    at = (key ^ (key >> 20)) & mark[SLOTS]
    while hall.seen[at] & ROUNDS == mark[ROUND]:
        if hall.seen[at] == entry:
            return False
        at = (at + 1) & mark[SLOTS]
    if mark[ENTERED] > mark[SLOTS] // 4 * 3:
        mark[STATUS] = FULL
        return False
    mark[ENTERED] += 1
    hall.seen[at] = entry
    return True


@compiled
def next_round(hall: Hall) -> None:
    """Forget all states."""
    mark = hall.mark
    mark[ENTERED] = 0
    mark[ROUND] += 1
    if mark[ROUND] > ROUNDS:
        mark[ROUND] = 1
        hall.seen[:] = 0
