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
    WIDTH,
)
from bots.solver.double.placeless.certain import never_needed
from bots.solver.double.placeless.hall import (
    DEALT,
    FIRST,
    LEFT,
    LISTED,
    LOOSE,
    LOWEST,
    NEAR,
    ORDER,
    STOCK,
    UPS,
    WANTS,
    Hall,
)
from bots.solver.double.placeless.play import (
    AWAITS,
    BASE_UP,
    FOR_KING,
    HOST,
    LOOSE_UP,
    MOVE_BITS,
    PREPARES,
    RESERVE_DOWN,
    RESERVE_UP,
    REVEAL,
    TAKEN_BACK,
)
from bots.solver.double.placeless.state import at_hand, class_of, goes_up, hosts_for, hosts_of
from bots.solver.double.placeless.survey import LONGEST_WAY
from bots.solver.jit import compiled, inlined

__all__ = ["column_moves", "propose", "reserve_moves", "suit_moves"]

# What moves are worth; found by trying.
TURNS_UP: Final = 110
REVEALS: Final = 100
DEEP: Final = 8
"""What each card below takes from that."""
EMPTIES: Final = 50
PUTS_UP: Final = 40
RESERVE_PUT_UP: Final = 110
SERVES: Final = 90
STEP: Final = 6
LIES_THERE: Final = 60
BACK_FOR_RUN: Final = 45
BACK_ON_THE_WAY: Final = 20
BACK: Final = 1
PASSED: Final = 3


@compiled
def propose(hall: Hall, end: int, move: int, worth: int) -> int:
    """Add a move to those of this depth, the best first; returns where they end now."""
    mark = hall.mark
    if mark[NOISE]:
        mark[CHANCE] = (int(mark[CHANCE]) * 0x5851F42D4C957F2D + 0x14057B7EF767814F) & KEYS
        worth = (worth << 10) + ((mark[CHANCE] >> 40) & 1023) * mark[NOISE]
    i = end
    while i > hall.path[FIRST + mark[DEPTH]] and (hall.path[LISTED + i - 1] >> MOVE_BITS) < worth:
        hall.path[LISTED + i] = hall.path[LISTED + i - 1]
        i -= 1
    hall.path[LISTED + i] = (worth << MOVE_BITS) | move
    return end + 1


@inlined
def serves(hall: Hall, awaits: int, kind: int) -> bool:
    """Tell whether a card of a class, laid down or moved, is what is awaited."""
    if awaits == 0:
        return True
    if kind & 15 == hall.mark[KING]:
        return bool(awaits & FOR_KING)
    return awaits & HOST == (kind ^ 16) + 1


@inlined
def may_prepare(awaits: int) -> bool:
    """Tell whether a move may follow that is only made for what the next one makes of it."""
    return awaits == 0 or bool(awaits & PREPARES)


@compiled
def column_moves(hall: Hall, end: int, awaits: int) -> int:
    """List what the columns' bases can do; returns where the moves end."""
    now = hall.now
    for c in range(hall.mark[WIDTH]):
        left = now[LEFT + c]
        if left == 0:
            continue
        card = int(now[DEALT + TALL * c + left - 1])
        kind = class_of(card)
        if awaits in (0, awaits & ~HOST | kind) and goes_up(hall, card) and hosts_of(hall, kind) > 0:
            worth = TURNS_UP - DEEP * left if left > 1 else EMPTIES if now[WANTS] else PUTS_UP
            end = propose(hall, end, BASE_UP | c << 4, worth)
        if hosts_for(hall, kind) <= 0:
            continue
        if left > 1:
            if serves(hall, awaits, kind):
                end = propose(hall, end, REVEAL | c << 4, REVEALS - DEEP * left)
        elif now[WANTS] and (may_prepare(awaits) or serves(hall, awaits, kind)):
            end = propose(hall, end, REVEAL | c << 4 | FOR_KING << AWAITS, EMPTIES)
    return end


@compiled
def suit_moves(hall: Hall, end: int, awaits: int) -> int:
    """List which loose cards can go up, and which cards be taken back; returns where the moves end."""
    now, king = hall.now, hall.mark[KING]
    for suit in range(hall.mark[SUITS]):
        for card in range(suit << 4 | max(1, now[LOWEST + suit]), (suit << 4 | king) + 1):
            kind = class_of(card)
            awaited = awaits in (0, awaits & ~HOST | kind)
            if awaited and now[LOOSE + card] and goes_up(hall, card) and hosts_of(hall, kind) > 0:
                end = propose(hall, end, LOOSE_UP | card << 4, PUTS_UP)
            if now[UPS + card] == 0:
                break
            if card & 15 < king and now[UPS + card] == now[UPS + card + 1]:
                continue
            if hosts_for(hall, kind) > 0 and (may_prepare(awaits) or serves(hall, awaits, kind)):
                end = move_back(hall, end, card)
    return end


@compiled
def move_back(hall: Hall, end: int, card: int) -> int:
    """List a card's being taken back, where something can come of it; returns where the moves end."""
    kind, rank = class_of(card), card & 15
    needed = kind if rank > 1 and hosts_of(hall, kind) == 0 else 0
    if (needed or rank > 2) and not never_needed(hall, card):
        near, worth = hall.now[NEAR + kind], BACK
        if near:
            worth = BACK_FOR_RUN if near == LONGEST_WAY else BACK_ON_THE_WAY
        return propose(hall, end, TAKEN_BACK | card << 4 | (needed | PREPARES) << AWAITS, worth)
    return end


@compiled
def reserve_moves(hall: Hall, end: int, awaits: int) -> int:
    """List what the cards can do that come to lie on the waste; returns where the moves end.

    First on from where the waste is, then, where it can be recycled, from the first draw.
    """
    mark = hall.mark
    n, turned, draw = int(mark[RESERVE]), int(mark[TURNED]), int(mark[DRAW])
    p = turned or min(draw, n)
    while 0 < p <= n:
        end = moves_from_reserve(hall, end, p, awaits)
        p = n + 1 if p == n else min(p + draw, n)
    if mark[RECYCLES]:
        for p in range(draw, n if turned % draw and turned < n else turned, draw):
            end = moves_from_reserve(hall, end, p, awaits)
    return end


@compiled
def moves_from_reserve(hall: Hall, end: int, p: int, awaits: int) -> int:
    """List what the card on a waste of p cards can do; returns where the moves end."""
    mark = hall.mark
    card = int(hall.now[STOCK + hall.now[ORDER + p - 1]])
    kind = class_of(card)
    passed = 0 if mark[RECYCLES] else (p - mark[TURNED]) * PASSED
    if awaits == 0 and goes_up(hall, card):
        end = propose(hall, end, RESERVE_UP | p << 4, RESERVE_PUT_UP - passed)
    if hosts_for(hall, kind) <= 0:
        return end
    near = hall.now[NEAR + kind]
    worth = SERVES + near * STEP if near else LIES_THERE
    if not at_hand(mark):
        if serves(hall, awaits, kind):
            return propose(hall, end, RESERVE_DOWN | p << 4, worth - passed)
    elif kind & 15 > 1 and hosts_of(hall, kind) == 0 and (may_prepare(awaits) or serves(hall, awaits, kind)):
        return propose(hall, end, RESERVE_DOWN | p << 4 | kind << AWAITS, worth)
    return end
