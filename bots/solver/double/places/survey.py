"""Where cards can go, and what for."""

from __future__ import annotations

from typing import Final

from bots.solver.double.mark import KING, SUITS, TALL, WIDTH
from bots.solver.double.places.room import Room
from bots.solver.double.places.state import class_of
from bots.solver.jit import compiled

__all__ = ["survey"]

LONGEST_WAY: Final = 5


@compiled
def held_of(room: Room, kind: int) -> int:
    """Count the cards of a class in the reserve."""
    rank = kind & 15
    if kind & 16:
        return int(room.held[16 | rank] + room.held[32 | rank])
    return int(room.held[rank] + room.held[48 | rank])


@compiled
def survey(room: Room) -> None:
    """Look where cards can go, and what for.

    hosts[class]: the columns, as bits, that end in such a card; for one rank above the kings, one empty column.
    wants[class]: how many runs that cover something begin with such a card. wants[0]: how many kings there are that
    would go to an empty column, if there is none.
    near[class]: more than 0 if such a card, once it lay in a column, would take such a run, or a card from the reserve
    that would in turn; the more, the fewer such steps.
    """
    mark, hosts, wants, near = room.mark, room.hosts, room.wants, room.near
    hosts[:] = 0
    wants[:] = 0
    near[:] = 0
    king = mark[KING]
    for c in range(mark[WIDTH]):
        h, down = room.height[c], room.down[c]
        if h == 0:
            hosts[king + 1] = hosts[17 + king] = 1 << c
        else:
            hosts[class_of(int(room.cards[TALL * c + h - 1]))] |= 1 << c
            if down:
                wants[class_of(int(room.cards[TALL * c + down]))] += 1
    if not hosts[king + 1]:
        wants[0] = wants[king] + wants[16 + king] + held_of(room, king) + held_of(room, 16 + king)
        for suit in range(mark[SUITS]):
            wants[0] += room.up[suit << 4 | king]
    for rank in range(2, king + 1):
        for red in range(0, 32, 16):
            below = (16 - red) | (rank - 1)
            if hosts[red | rank]:
                continue
            if wants[below]:
                near[red | rank] = LONGEST_WAY
            elif near[below] > 1 and held_of(room, below):
                near[red | rank] = near[below] - 1
