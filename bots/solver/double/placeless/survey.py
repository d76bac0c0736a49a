"""What cards could be laid somewhere for."""

from __future__ import annotations

from typing import Final

from bots.solver.double.mark import KING, SUITS, TALL, WIDTH
from bots.solver.double.placeless.hall import DEALT, HELD, LEFT, NEAR, UPS, WANTS, Hall
from bots.solver.double.placeless.state import class_of, hosts_for, hosts_of
from bots.solver.jit import compiled

__all__ = ["survey"]

LONGEST_WAY: Final = 5


@compiled
def survey(hall: Hall) -> None:
    """Look what cards could be laid somewhere for.

    wants[class]: how many bases of a class cover something. wants[0]: how many kings would go to an empty column.
    near[class]: more than 0 if such a card, face up, would take such a base, or a card from the reserve that would in
    turn; the more, the fewer such steps.
    """
    mark = hall.mark
    wants, near = hall.now[WANTS : WANTS + 32], hall.now[NEAR : NEAR + 32]
    wants[:] = 0
    near[:] = 0
    king = mark[KING]
    for c in range(mark[WIDTH]):
        if hall.now[LEFT + c] > 1:
            wants[class_of(int(hall.now[DEALT + TALL * c + hall.now[LEFT + c] - 1]))] += 1
    if hosts_for(hall, king) == 0:
        wants[0] = wants[king] + wants[16 + king]
        for suit in range(mark[SUITS]):
            wants[0] += hall.now[UPS + (suit << 4 | king)] + hall.now[HELD + (suit << 4 | king)]
    for rank in range(2, king + 1):
        for red in range(0, 32, 16):
            kind, below = red | rank, (16 - red) | (rank - 1)
            if hosts_of(hall, kind) > 0:
                continue
            if wants[below]:
                near[kind] = LONGEST_WAY
            elif near[below] > 1:
                held = (
                    hall.now[HELD + (16 | rank - 1)] + hall.now[HELD + (32 | rank - 1)]
                    if below & 16
                    else hall.now[HELD + rank - 1] + hall.now[HELD + (48 | rank - 1)]
                )
                if held:
                    near[kind] = near[below] - 1
