"""The moves that could be needed, the likeliest first: which can wait is reasoned in `README.md`."""

from __future__ import annotations

from typing import Final

from bots.solver.double.mark import (
    CHANCE,
    DEPTH,
    DRAW,
    KEYS,
    KING,
    NOISE,
    RECYCLES,
    RESERVE,
    SUITS,
    TALL,
    TURNED,
    WHOLE,
    WIDTH,
)
from bots.solver.double.places.certain import never_needed
from bots.solver.double.places.play import COLUMN_UP, MOVE_BITS, PARTED, RESERVE_DOWN, RESERVE_UP, RUN, TAKEN_BACK
from bots.solver.double.places.room import Room
from bots.solver.double.places.state import at_hand, class_of, goes_up
from bots.solver.jit import compiled

__all__ = ["column_moves", "moves_back", "propose", "reserve_moves"]

# What moves are worth; found by trying.
TURNS_UP: Final = 110
EMPTIES: Final = 60
PUTS_UP: Final = 40
MOVES_KING: Final = 105
UNCOVERS: Final = 100
MERGES: Final = 50
MERGES_FOR_HELD: Final = 8
PARTS: Final = 70
PARTS_TO_TURN_UP: Final = 90
BACK_FOR_RUN: Final = 45
BACK_ON_THE_WAY: Final = 20
BACK: Final = 1
RESERVE_PUT_UP: Final = 55
SERVES: Final = 50
STEP: Final = 6
LIES_THERE: Final = 20
IN_A_KINGS_WAY: Final = 30
PASSED: Final = 3


@compiled
def propose(room: Room, end: int, move: int, worth: int) -> int:
    """Add a move to those of this depth, the best first; returns where they end now."""
    mark = room.mark
    if mark[NOISE]:
        mark[CHANCE] = (int(mark[CHANCE]) * 0x5851F42D4C957F2D + 0x14057B7EF767814F) & KEYS
        worth = (worth << 10) + ((mark[CHANCE] >> 40) & 1023) * mark[NOISE]
    value = (worth << MOVE_BITS) | move
    i = end
    while i > room.first[mark[DEPTH]] and (room.moves[i - 1] >> MOVE_BITS) < worth:
        room.moves[i] = room.moves[i - 1]
        i -= 1
    room.moves[i] = value
    return end + 1


@compiled
def propose_each(room: Room, end: int, move: int, onto: int, worth: int) -> int:
    """Add a move for each of the columns given as bits."""
    for c in range(room.mark[WIDTH]):
        if onto >> c & 1:
            end = propose(room, end, move | c << 12, worth)
    return end


@compiled
def column_moves(room: Room, end: int, allowed: int, waiting: int) -> int:
    """List what the columns' cards can do; returns where the moves end.

    Cards may be moved onto the allowed columns, given as bits, and merged with the waiting ones; -1 is no restriction.
    """
    mark, king = room.mark, room.mark[KING]
    for c in range(mark[WIDTH]):
        h, down = room.height[c], room.down[c]
        if h == 0:
            continue
        card = int(room.cards[TALL * c + h - 1])
        if allowed < 0 and goes_up(room, card):
            worth = PUTS_UP
            if h == down + 1:
                worth = TURNS_UP - down if down else EMPTIES if room.wants[0] else PUTS_UP
            end = propose(room, end, COLUMN_UP | c << 4, worth)
        for i in range(down, h):
            kind = class_of(int(room.cards[TALL * c + i]))
            onto = room.hosts[(kind ^ 16) + 1] & (waiting if i == 0 else allowed) & ~(1 << c)
            if onto == 0:
                continue
            move = RUN | c << 4 | (h - i) << 16
            if i > down:
                lower = int(room.cards[TALL * c + i - 1])
                if not goes_up(room, lower):
                    continue
                move |= PARTED
                worth = PARTS_TO_TURN_UP if i == down + 1 and down else PARTS
            elif down:
                worth = MOVES_KING if kind & 15 == king else UNCOVERS - down
            elif kind & 15 == king or not room.wants[0]:
                continue
            else:
                worth = MERGES if room.wants[king] + room.wants[16 + king] else MERGES_FOR_HELD
            end = propose_each(room, end, move, onto, worth)
    return end


@compiled
def reserve_moves(room: Room, end: int, allowed: int, onto: int) -> int:
    """List what the cards can do that come to lie on the waste; returns where the moves end.

    First on from where the waste is, then, where it can be recycled, from the first draw.
    """
    mark = room.mark
    n, turned, draw = int(mark[RESERVE]), int(mark[TURNED]), int(mark[DRAW])
    listed = 0
    p = turned or min(draw, n)
    while 0 < p <= n:
        card = int(room.dealt[room.reserve[p - 1]])
        if not at_hand(mark) or not listed >> card & 1:
            listed |= 1 << card
            end = moves_from_reserve(room, end, p, card, allowed, onto)
        p = n + 1 if p == n else min(p + draw, n)
    if mark[RECYCLES]:
        for p in range(draw, n if turned % draw and turned < n else turned, draw):
            card = int(room.dealt[room.reserve[p - 1]])
            if draw > 1 or not listed >> card & 1:
                listed |= 1 << card
                end = moves_from_reserve(room, end, p, card, allowed, onto)
    return end


@compiled
def moves_from_reserve(room: Room, end: int, p: int, card: int, allowed: int, onto: int) -> int:
    """List what the card on a waste of p cards can do; returns where the moves end."""
    passed = 0 if room.mark[RECYCLES] else (p - room.mark[TURNED]) * PASSED
    if allowed < 0 and goes_up(room, card):
        end = propose(room, end, RESERVE_UP | p << 4, RESERVE_PUT_UP - passed)
    kind, king = class_of(card), room.mark[KING]
    onto &= room.hosts[(kind ^ 16) + 1]
    if onto:
        worth = SERVES + room.near[kind] * STEP if room.near[kind] else LIES_THERE
        if kind & 15 == king and room.wants[king] + room.wants[16 + king]:
            worth -= IN_A_KINGS_WAY
        end = propose_each(room, end, RESERVE_DOWN | p << 4, onto, worth - passed)
    return end


@compiled
def moves_back(room: Room, end: int, allowed: int) -> int:
    """List the cards that can be taken back; returns where the moves end."""
    mark = room.mark
    for card in range(2, mark[SUITS] << 4):
        rank = card & 15
        if rank < 2 or rank > mark[KING] or not room.up[card] > (room.up[card + 1] if rank < mark[KING] else 0):
            continue
        kind = class_of(card)
        onto = room.hosts[(kind ^ 16) + 1] & allowed
        if onto == 0 or never_needed(room, card):
            continue
        worth = BACK
        if room.wants[(kind ^ 16) - 1]:
            worth = BACK_FOR_RUN
        elif room.near[kind]:
            worth = BACK_ON_THE_WAY
        elif not mark[WHOLE]:
            continue
        end = propose_each(room, end, TAKEN_BACK | card << 4, onto, worth)
    return end
