"""The table of states: each is entered once."""

from __future__ import annotations

from bots.solver.double.mark import ENTERED, FULL, KEY, KEYS, ROUND, ROUNDS, SLOTS, STATUS, mixed
from bots.solver.double.places.room import Room
from bots.solver.double.places.state import column_key
from bots.solver.jit import compiled

__all__ = ["fresh"]


@compiled
def fresh(room: Room, awaits: int) -> bool:
    """Enter the state in the table; False when it is there already or there is no room (then STATUS is FULL)."""
    mark = room.mark
    key = int(mark[KEY])
    if awaits >= 0:
        key = (mixed(key) + mixed(column_key(room, awaits & 15) + 1 + (awaits >> 4))) & KEYS
    key = mixed(key)
    entry = (key & ~ROUNDS) | mark[ROUND]
    at = (key ^ (key >> 20)) & mark[SLOTS]
    while room.seen[at] & ROUNDS == mark[ROUND]:
        if room.seen[at] == entry:
            return False
        at = (at + 1) & mark[SLOTS]
    if mark[ENTERED] > mark[SLOTS] // 4 * 3:
        mark[STATUS] = FULL
        return False
    mark[ENTERED] += 1
    room.seen[at] = entry
    return True
