"""The search: depth first, each state once."""

from __future__ import annotations

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
    WHOLE,
    WON,
)
from bots.solver.double.places.bound import hopeless
from bots.solver.double.places.certain import only_move
from bots.solver.double.places.moves import column_moves, moves_back, propose, reserve_moves
from bots.solver.double.places.play import COLUMN_UP, PARTED, awaited, play, unplay
from bots.solver.double.places.room import Room
from bots.solver.double.places.seen import fresh
from bots.solver.double.places.state import at_hand
from bots.solver.double.places.survey import survey
from bots.solver.jit import compiled

__all__ = ["search"]


@compiled
def come_to(room: Room, awaits: int) -> None:
    """Come to a state: see whether it is won, and list its moves."""
    mark, depth = room.mark, room.mark[DEPTH]
    mark[NODES] += 1
    if mark[UP] > mark[BEST_UP]:
        mark[BEST_UP] = mark[UP]
        mark[BEST_DEPTH] = depth
        room.best[:depth] = room.path[:depth]
    if mark[UP] == mark[CARDS] or (mark[COVERED] == 0 and (mark[RESERVE] == 0 or at_hand(mark))):
        mark[STATUS] = WON
    end = room.first[depth]
    room.at[depth] = end
    if depth + 3 >= DEEPEST or end + 600 > MOVES:
        mark[CUT] = 1
    else:
        move = only_move(room) if awaits < 0 else -1
        if move >= 0:
            end = propose(room, end, move, 0)
        elif awaits >= 0 or not mark[WHOLE] or not hopeless(room):
            survey(room)
            allowed = -1 if awaits < 0 else 1 << (awaits & 15)
            # Where the next of its suit is to follow a card taken back, a place may have to be made for that first.
            waiting = -1 if awaits >= 16 else allowed
            end = column_moves(room, end, allowed, waiting)
            end = reserve_moves(room, end, allowed, waiting if at_hand(mark) else allowed)
            end = moves_back(room, end, waiting)
    room.first[depth + 1] = end


@compiled
def search(room: Room, nodes: int) -> None:
    """Search on through at most so many more states, until it is won, all are seen, or the table is full."""
    mark = room.mark
    stop = mark[NODES] + nodes
    if mark[STATUS] == NEW:
        mark[STATUS] = RUNNING
        awaits = awaited(room)
        fresh(room, awaits)
        come_to(room, awaits)
    while mark[STATUS] == RUNNING and mark[NODES] < stop:
        depth = mark[DEPTH]
        if room.at[depth] == room.first[depth + 1]:
            if depth == 0:
                mark[STATUS] = EXHAUSTED
            else:
                unplay(room)
            continue
        move = int(room.moves[room.at[depth]])
        room.at[depth] += 1
        play(room, move)
        if move & PARTED:
            # No moves are listed in between: on the way back that state is passed over.
            room.at[depth + 1] = room.first[depth + 1]
            room.first[depth + 2] = room.first[depth + 1]
            play(room, COLUMN_UP | ((move >> 4) & 63) << 4)
        awaits = awaited(room)
        if fresh(room, awaits):
            come_to(room, awaits)
        else:
            unplay(room)
