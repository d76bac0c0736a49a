"""Moves: how they are written, made and taken back, and what one made waits for."""

from __future__ import annotations

from typing import Final

from bots.solver.double.mark import COVERED, DEPTH, KEY, KEYS, TALL, TURNED, UP
from bots.solver.double.places.room import Room
from bots.solver.double.places.state import at_hand, column_key, give, put, shift, take
from bots.solver.jit import compiled, inlined

__all__ = ["awaited", "play", "unplay"]

# A move is a number: `kind | source << 4 | target << 12 | cards << 16`, `| PARTED` where the card below goes up next.
# Source and target are columns from 0, but for the reserve how many cards lie in the waste when its top card is taken,
# and for a card taken back the card. In `path` a card put up from a column stands in place of `cards`.
COLUMN_UP: Final = 0
RESERVE_UP: Final = 1
RUN: Final = 2
RESERVE_DOWN: Final = 3
TAKEN_BACK: Final = 4
PARTED: Final = 1 << 20
MOVE_BITS: Final = 21


@compiled
def play(room: Room, move: int) -> None:
    """Make a move and remember how to take it back."""
    mark, depth = room.mark, room.mark[DEPTH]
    kind, source, target, cards = move & 15, (move >> 4) & 63, (move >> 12) & 15, (move >> 16) & 15
    room.path[depth] = move & (PARTED - 1)
    room.was[depth] = mark[TURNED]
    room.keys[depth] = mark[KEY]
    room.turns[depth] = 0
    if kind in (COLUMN_UP, RUN):
        play_column(room, kind, source, target, cards)
    else:
        card = source
        if kind != TAKEN_BACK:
            room.turns[depth] = take(room, source)
            card = int(room.dealt[room.turns[depth]])
        if kind != RESERVE_DOWN:
            change = 1 if kind == RESERVE_UP else -1
            room.up[card] += change
            mark[UP] += change
        if kind != RESERVE_UP:
            key = mark[KEY] - column_key(room, target)
            put(room, target, card)
            mark[KEY] = ((key & KEYS) + column_key(room, target)) & KEYS
    mark[DEPTH] = depth + 1


@inlined
def play_column(room: Room, kind: int, source: int, target: int, cards: int) -> None:
    """Move the last cards of a column, or put its free one up, and turn up the card below."""
    mark, depth = room.mark, room.mark[DEPTH]
    key = mark[KEY] - column_key(room, source)
    if kind == RUN:
        key = (key & KEYS) - column_key(room, target)
        shift(room, source, target, cards)
        key = (key & KEYS) + column_key(room, target)
    else:
        room.height[source] -= 1
        card = int(room.cards[TALL * source + room.height[source]])
        room.path[depth] |= card << 16
        room.up[card] += 1
        mark[UP] += 1
    if room.down[source] and room.height[source] == room.down[source]:
        room.down[source] -= 1
        mark[COVERED] -= 1
        room.turns[depth] = 1
    mark[KEY] = ((key & KEYS) + column_key(room, source)) & KEYS


@compiled
def unplay(room: Room) -> None:
    """Take the last move back."""
    mark, depth = room.mark, room.mark[DEPTH] - 1
    move, turned = int(room.path[depth]), int(room.turns[depth])
    kind, source, target, cards = move & 15, (move >> 4) & 63, (move >> 12) & 15, move >> 16
    card = cards if kind == COLUMN_UP else source
    if kind in (COLUMN_UP, RUN):
        room.down[source] += turned
        mark[COVERED] += turned
        if kind == RUN:
            shift(room, target, source, cards)
        else:
            put(room, source, card)
            room.up[card] -= 1
            mark[UP] -= 1
    else:
        if kind != TAKEN_BACK:
            card = int(room.dealt[turned])
            give(room, source, turned, int(room.was[depth]))
        if kind != RESERVE_DOWN:
            change = 1 if kind == RESERVE_UP else -1
            room.up[card] -= change
            mark[UP] -= change
        if kind != RESERVE_UP:
            room.height[target] -= 1
    mark[KEY] = room.keys[depth]
    mark[DEPTH] = depth


@compiled
def awaited(room: Room) -> int:
    """Return the column that the next move must lead to, plus 16 after a card was taken back; or -1.

    A card that could have waited where it was, taken down only for another to lie on it; or a column emptied only for a
    king.
    """
    mark = room.mark
    if mark[DEPTH] == 0:
        return -1
    move = int(room.path[mark[DEPTH] - 1])
    kind, source, target = move & 15, (move >> 4) & 63, (move >> 12) & 15
    if kind == TAKEN_BACK:
        return target | 16
    if kind == RESERVE_DOWN and at_hand(mark):
        return target
    if kind == RUN and room.height[source] == 0:
        return source
    return -1
