"""The search of the game without places: depth first, each state once."""

from __future__ import annotations

from typing import Final

from bots.solver.double.mark import (
    BEST_DEPTH,
    BEST_UP,
    CARDS,
    COVERED,
    CUT,
    DEEPEST,
    DEPTH,
    EXHAUSTED,
    MOVES,
    NEW,
    NODES,
    RESERVE,
    RUNNING,
    STATUS,
    UP,
    WON,
)
from bots.solver.double.placeless.bound import hopeless
from bots.solver.double.placeless.certain import only_move
from bots.solver.double.placeless.hall import AT, BEST, FIRST, LISTED, Hall
from bots.solver.double.placeless.moves import column_moves, propose, reserve_moves, suit_moves
from bots.solver.double.placeless.play import AWAITS, MOVE_BITS, play, unplay
from bots.solver.double.placeless.seen import fresh
from bots.solver.double.placeless.state import at_hand
from bots.solver.double.placeless.survey import survey
from bots.solver.jit import compiled

__all__ = ["search"]

LOOKS: Final = 3
"""At every third depth it is looked whether a win is still possible: that takes as long as all else."""


@compiled
def come_to(hall: Hall, awaits: int) -> None:
    """Come to a state: see whether it is won, and list its moves."""
    mark, depth = hall.mark, hall.mark[DEPTH]
    mark[NODES] += 1
    if mark[UP] > mark[BEST_UP]:
        mark[BEST_UP] = mark[UP]
        mark[BEST_DEPTH] = depth
        hall.path[BEST : BEST + depth] = hall.path[:depth]
    if mark[UP] == mark[CARDS] or (mark[COVERED] == 0 and (mark[RESERVE] == 0 or at_hand(mark))):
        mark[STATUS] = WON
    end = hall.path[FIRST + depth]
    hall.path[AT + depth] = end
    if depth + 3 >= DEEPEST or end + 600 > MOVES:
        mark[CUT] = 1
    else:
        move = only_move(hall) if awaits == 0 else -1
        if move >= 0:
            end = propose(hall, end, move, 0)
        elif awaits or depth % LOOKS or not hopeless(hall):
            survey(hall)
            end = column_moves(hall, end, awaits)
            end = suit_moves(hall, end, awaits)
            end = reserve_moves(hall, end, awaits)
    hall.path[FIRST + depth + 1] = end


@compiled
def search(hall: Hall, nodes: int) -> None:
    """Search on through at most so many more states, until it is won, all are seen, or the table is full."""
    mark = hall.mark
    stop = mark[NODES] + nodes
    if mark[STATUS] == NEW:
        mark[STATUS] = RUNNING
        fresh(hall, 0)
        come_to(hall, 0)
    while mark[STATUS] == RUNNING and mark[NODES] < stop:
        depth = mark[DEPTH]
        if hall.path[AT + depth] == hall.path[FIRST + depth + 1]:
            if depth == 0:
                mark[STATUS] = EXHAUSTED
            else:
                unplay(hall)
            continue
        move = int(hall.path[LISTED + hall.path[AT + depth]]) & ((1 << MOVE_BITS) - 1)
        hall.path[AT + depth] += 1
        play(hall, move)
        awaits = move >> AWAITS
        if fresh(hall, awaits):
            come_to(hall, awaits)
        else:
            unplay(hall)
