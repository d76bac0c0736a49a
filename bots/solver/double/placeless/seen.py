"""The table of states: each is entered once."""

from __future__ import annotations

from bots.solver.double.mark import ENTERED, FULL, KEY, KEYS, ROUND, ROUNDS, SLOTS, STATUS, mixed
from bots.solver.double.placeless.hall import Hall
from bots.solver.jit import compiled

__all__ = ["fresh"]


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
