"""A state of the game without places: what lies where as numbers, which host what, and the state's key."""

from __future__ import annotations

from bots.solver.double.mark import DRAW, KEYS, KING, PACKS, RECYCLES, RESERVE, SUITS, TALL, TURNED, UP, WIDTH, Int64
from bots.solver.double.placeless.hall import (
    CARD_KEY,
    DEALT,
    LAID,
    LEFT,
    LEFT_KEY,
    LOOSE,
    LOWEST,
    ORDER,
    SHOWN,
    STOCK_KEY,
    TURNED_KEY,
    UPS,
    Hall,
)
from bots.solver.jit import compiled, inlined

__all__ = [
    "add_base",
    "add_loose",
    "at_hand",
    "class_of",
    "goes_up",
    "hosts_for",
    "hosts_of",
    "put_up",
    "take_base",
    "turned_key",
    "whole_key",
]


@inlined
def class_of(card: int) -> int:
    """Return a card's rank with its colour (16 for red): what decides where it can lie."""
    return (((card >> 4) + 1) & 2) << 3 | (card & 15)


@inlined
def at_hand(mark: Int64) -> bool:
    """Tell whether the stock is a set of cards that can all be had."""
    return bool((mark[DRAW] == 1) & (mark[RECYCLES] == 1))


@inlined
def turned_key(hall: Hall) -> int:
    """Return what the number of cards turned adds to the state's key: nothing where it makes no difference."""
    mark = hall.mark
    turned = mark[TURNED]
    if mark[RECYCLES] and (turned % mark[DRAW] == 0 or turned == mark[RESERVE]):
        return 0
    return int(hall.key[TURNED_KEY + turned])


@inlined
def hosts_for(hall: Hall, kind: int) -> int:
    """Count the places that would take a card of a class."""
    king = hall.mark[KING]
    if kind & 15 == king:
        return int(hall.now[SHOWN + king + 1] - hall.now[LAID + king] - hall.now[LAID + 16 + king])
    return int(hall.now[SHOWN + (kind ^ 16) + 1] - hall.now[LAID + kind])


@inlined
def hosts_of(hall: Hall, kind: int) -> int:
    """Count the cards of a class that nothing lies on, or need not."""
    return (
        int(hall.now[SHOWN + kind] - hall.now[LAID + (kind ^ 16) - 1]) if kind & 15 > 1 else int(hall.now[SHOWN + kind])
    )


@inlined
def goes_up(hall: Hall, card: int) -> bool:
    """Tell whether a foundation takes a card."""
    return bool(hall.now[UPS + card - 1] > hall.now[UPS + card])


@inlined
def add_base(hall: Hall, c: int) -> None:
    """Turn a column's base up, if there is one; a king that begins a column is loose."""
    left = hall.now[LEFT + c]
    if left == 1:
        card = int(hall.now[DEALT + TALL * c])
        if card & 15 == hall.mark[KING]:
            hall.now[LEFT + c] = 0
            hall.now[LOOSE + card] += 1
            hall.now[LAID + class_of(card)] += 1
            hall.now[SHOWN + class_of(card)] += 1
    if hall.now[LEFT + c] == 0:
        hall.now[SHOWN + hall.mark[KING] + 1] += 1
    else:
        hall.now[SHOWN + class_of(int(hall.now[DEALT + TALL * c + left - 1]))] += 1


@inlined
def take_base(hall: Hall, c: int) -> None:
    """Undo `add_base` but for `left`, of which the number before a king became loose does not matter."""
    left = hall.now[LEFT + c]
    if left == 0:
        hall.now[SHOWN + hall.mark[KING] + 1] -= 1
    else:
        hall.now[SHOWN + class_of(int(hall.now[DEALT + TALL * c + left - 1]))] -= 1


@inlined
def add_loose(hall: Hall, card: int, count: int) -> None:
    """Add so many loose cards, or take them away."""
    kind = class_of(card)
    hall.now[LOOSE + card] += count
    hall.now[LAID + kind] += count
    hall.now[SHOWN + kind] += count


@inlined
def put_up(hall: Hall, card: int, count: int) -> None:
    """Add so many cards to the foundations, or take them away."""
    hall.now[UPS + card] += count
    hall.mark[UP] += count
    lowest = LOWEST + (card >> 4)
    if count < 0:
        hall.now[lowest] = min(hall.now[lowest], (card & 15) - 1)
    elif hall.now[lowest] == (card & 15) - 1 and hall.now[UPS + card] == hall.mark[PACKS]:
        hall.now[lowest] += 1


@compiled
def whole_key(hall: Hall) -> int:
    """Add up the key of a state."""
    mark, now = hall.mark, hall.now
    key = turned_key(hall)
    for c in range(mark[WIDTH]):
        key = (key + int(hall.key[LEFT_KEY + TALL * c + now[LEFT + c]])) & KEYS
    for i in range(mark[RESERVE]):
        key = (key + int(hall.key[STOCK_KEY + now[ORDER + i]])) & KEYS
    for suit in range(mark[SUITS]):
        for card in range(suit << 4 | 1, (suit << 4 | mark[KING]) + 1):
            key = (key + int(now[UPS + card]) * int(hall.key[CARD_KEY + card])) & KEYS
    return key
