"""The states that promise most, followed side by side where most cards are wanted in one pass."""

from __future__ import annotations

from typing import Final

from bots.solver.double.mark import CARDS, DEPTH, FULL, KING, STATUS, TALL, TURNED, UP, WIDTH, Int64
from bots.solver.double.placeless.certain import forced
from bots.solver.double.placeless.hall import DEALT, FIRST, LEFT, LISTED, LOWEST, ORDER, STOCK, Hall
from bots.solver.double.placeless.moves import column_moves, reserve_moves, suit_moves
from bots.solver.double.placeless.play import AWAITS, MOVE_BITS, play, unplay
from bots.solver.double.placeless.pool import BEST_STATE, STATES, Pool, keep_state, next_offer, offer, take_up
from bots.solver.double.placeless.seen import fresh
from bots.solver.double.placeless.state import hosts_for, hosts_of
from bots.solver.double.placeless.survey import survey
from bots.solver.jit import compiled

__all__ = ["begin", "follow"]

SOON: Final = 7


@compiled
def promise(hall: Hall, weights: Int64) -> int:
    """Return what a state seems worth where there is one pass: cards up, less what lies in the way of others.

    weights: of a card up; of one face down, and more for each rank that it is nearer than `SOON` to being wanted; of
    one in the waste, and likewise; of an empty column; of a class that takes a card, and of each card that does.
    """
    mark, now, king = hall.mark, hall.now, hall.mark[KING]
    worth = weights[0] * mark[UP] + weights[5] * hosts_for(hall, king)
    for c in range(mark[WIDTH]):
        for i in range(now[LEFT + c] - 1):
            card = now[DEALT + TALL * c + i]
            worth -= weights[1] + weights[2] * max(0, SOON + now[LOWEST + (card >> 4)] - (card & 15))
    for i in range(mark[TURNED]):
        card = now[STOCK + now[ORDER + i]]
        worth -= weights[3] + weights[4] * max(0, SOON + now[LOWEST + (card >> 4)] - (card & 15))
    for kind in range(2, king + 1):
        black, red = hosts_of(hall, kind), hosts_of(hall, 16 | kind)
        worth += weights[6] * ((black > 0) + (red > 0)) + weights[7] * (black + red)
    return int(worth)


@compiled
def offer_each(hall: Hall, pool: Pool, place: int, awaits: int, weights: Int64) -> None:
    """Offer each move from a state."""
    hall.mark[DEPTH] = hall.path[FIRST] = 0
    survey(hall)
    end = column_moves(hall, 0, awaits)
    end = suit_moves(hall, end, awaits)
    end = reserve_moves(hall, end, awaits)
    for i in range(end):
        move = int(hall.path[LISTED + i]) & ((1 << MOVE_BITS) - 1)
        play(hall, move)
        if move >> AWAITS == 0:
            forced(hall)
        offer(hall, pool, promise(hall, weights), move, place)
        while hall.mark[DEPTH]:
            unplay(hall)


@compiled
def begin(hall: Hall, pool: Pool, weights: Int64) -> None:
    """Begin a wide search where the hall stands."""
    pool.counts[:] = 0
    pool.heap[0, 0] = 0
    pool.marks[0, 2] = -1
    forced(hall)
    fresh(hall, 0)
    keep_state(hall, pool, 0)
    offer_each(hall, pool, 0, 0, weights)


@compiled
def follow(hall: Hall, pool: Pool, width: int, weights: Int64, most: int) -> bool:
    """Follow the states that promise most, `width` of each number of cards in the stock, and at most so many more.

    Returns whether it goes on: not when all that is worth it was followed, or all cards are up.
    """
    mark, count = hall.mark, pool.counts
    stop = count[STATES] + most
    while pool.heap[0, 0] and mark[STATUS] != FULL and pool.marks[count[BEST_STATE], 2] < mark[CARDS]:
        if count[STATES] >= stop:
            return True
        offers = pool.offers[next_offer(pool)]
        if count[offers[2]] >= width:
            continue
        take_up(hall, pool, int(offers[0]))
        move = int(offers[1])
        awaits = move >> AWAITS
        play(hall, move)
        if awaits == 0:
            forced(hall)
        if not fresh(hall, awaits):
            continue
        count[offers[2]] += 1
        count[STATES] += 1
        place = count[STATES]
        pool.ways[place, 0], pool.ways[place, 1] = offers[0], move
        keep_state(hall, pool, place)
        offer_each(hall, pool, place, awaits, weights)
    return False
