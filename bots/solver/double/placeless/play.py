"""Moves of the game without places: how they are written, made and taken back."""

from __future__ import annotations

from typing import Final

from bots.solver.double.mark import COVERED, DEPTH, KEY, KEYS, RESERVE, TALL, TURNED
from bots.solver.double.placeless.hall import (
    CARD_KEY,
    DEALT,
    HELD,
    KEPT,
    LEFT,
    LEFT_KEY,
    ORDER,
    STOCK,
    STOCK_KEY,
    TURNS,
    WAS,
    Hall,
)
from bots.solver.double.placeless.state import add_base, add_loose, put_up, take_base, turned_key
from bots.solver.jit import compiled

__all__ = ["play", "unplay"]

# A move is `kind | source << 4 | awaits << 12`. The source is a column, a card, or how many cards lie in the waste when
# its top card is taken. What a state awaits, if not just any move: the class of host that the next move must make use
# of, or a king to come (FOR_KING), or, after a card was taken back, another move that prepares something (PREPARES).
BASE_UP: Final = 0
LOOSE_UP: Final = 1
RESERVE_UP: Final = 2
REVEAL: Final = 3
RESERVE_DOWN: Final = 4
TAKEN_BACK: Final = 5
PREPARES: Final = 32
FOR_KING: Final = 64
HOST: Final = 31
AWAITS: Final = 12
MOVE_BITS: Final = 20


# Both are of one piece for speed: parts that get the hall handed over make the search 4 % slower, even inlined.


@compiled
def play(hall: Hall, move: int) -> None:
    """Make a move and remember how to take it back."""
    mark, depth = hall.mark, hall.mark[DEPTH]
    kind, source = move & 15, (move >> 4) & 255
    hall.path[depth] = move
    hall.path[WAS + depth] = mark[TURNED]
    hall.path[KEPT + depth] = mark[KEY]
    key = mark[KEY]
    if kind in (BASE_UP, REVEAL):
        left = hall.now[LEFT + source]
        hall.path[TURNS + depth] = left
        key -= hall.key[LEFT_KEY + TALL * source + left]
        card = int(hall.now[DEALT + TALL * source + left - 1])
        take_base(hall, source)
        mark[COVERED] -= left > 1
        hall.now[LEFT + source] = left - 1
        add_base(hall, source)
        key = (key & KEYS) + hall.key[LEFT_KEY + TALL * source + hall.now[LEFT + source]]
        if kind == REVEAL:
            add_loose(hall, card, 1)
        else:
            put_up(hall, card, 1)
            key = (key & KEYS) + hall.key[CARD_KEY + card]
    elif kind in (LOOSE_UP, TAKEN_BACK):
        count = 1 if kind == LOOSE_UP else -1
        add_loose(hall, source, -count)
        put_up(hall, source, count)
        key += count * hall.key[CARD_KEY + source]
    else:
        key -= turned_key(hall)
        index = int(hall.now[ORDER + source - 1])
        hall.path[TURNS + depth] = index
        for i in range(source, mark[RESERVE]):
            hall.now[ORDER + i - 1] = hall.now[ORDER + i]
        mark[RESERVE] -= 1
        mark[TURNED] = source - 1
        key = (key & KEYS) - hall.key[STOCK_KEY + index] + turned_key(hall)
        card = int(hall.now[STOCK + index])
        hall.now[HELD + card] -= 1
        if kind == RESERVE_UP:
            put_up(hall, card, 1)
            key = (key & KEYS) + hall.key[CARD_KEY + card]
        else:
            add_loose(hall, card, 1)
    mark[KEY] = key & KEYS
    mark[DEPTH] += 1


@compiled
def unplay(hall: Hall) -> None:
    """Take the last move back."""
    mark, depth = hall.mark, hall.mark[DEPTH] - 1
    move, turns = int(hall.path[depth]), int(hall.path[TURNS + depth])
    kind, source = move & 15, (move >> 4) & 255
    if kind in (BASE_UP, REVEAL):
        card = int(hall.now[DEALT + TALL * source + turns - 1])
        if kind == REVEAL:
            add_loose(hall, card, -1)
        else:
            put_up(hall, card, -1)
        take_base(hall, source)
        if turns == 2 and hall.now[LEFT + source] == 0:
            add_loose(hall, int(hall.now[DEALT + TALL * source]), -1)
        mark[COVERED] += turns > 1
        hall.now[LEFT + source] = turns
        add_base(hall, source)
    elif kind in (LOOSE_UP, TAKEN_BACK):
        count = 1 if kind == LOOSE_UP else -1
        add_loose(hall, source, count)
        put_up(hall, source, -count)
    else:
        card = int(hall.now[STOCK + turns])
        for i in range(mark[RESERVE], source - 1, -1):
            hall.now[ORDER + i] = hall.now[ORDER + i - 1]
        hall.now[ORDER + source - 1] = turns
        mark[RESERVE] += 1
        mark[TURNED] = hall.path[WAS + depth]
        hall.now[HELD + card] += 1
        if kind == RESERVE_UP:
            put_up(hall, card, -1)
        else:
            add_loose(hall, card, -1)
    mark[KEY] = hall.path[KEPT + depth]
    mark[DEPTH] = depth
