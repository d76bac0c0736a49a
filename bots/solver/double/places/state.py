"""A position as the search has it: cards laid, moved and taken, and the position's key."""

from __future__ import annotations

from bots.solver.double.mark import DRAW, KEY, KEYS, RECYCLES, RESERVE, TALL, TURNED, Int64, mixed
from bots.solver.double.places.room import Room
from bots.solver.jit import compiled

__all__ = ["at_hand", "class_of", "column_key", "give", "goes_up", "put", "shift", "take", "turned_key"]


@compiled
def class_of(card: int) -> int:
    """Return a card's rank with its colour (16 for red): what decides where it lies."""
    suit = card >> 4
    return (16 if suit == 1 or suit == 2 else 0) | (card & 15)


@compiled
def at_hand(mark: Int64) -> bool:
    """Tell whether the stock is a set of cards that can all be had."""
    return bool(mark[DRAW] == 1 and mark[RECYCLES])


@compiled
def goes_up(room: Room, card: int) -> bool:
    """Tell whether a foundation takes a card."""
    return bool(room.up[card - 1] > room.up[card])


@compiled
def column_key(room: Room, c: int) -> int:
    """Return what a column adds to the state's key: the same in whichever place it stands, 0 when empty."""
    h = room.height[c]
    if h == 0:
        return 0
    return mixed((int(room.key[TALL * c + h]) + int(room.down_key[room.down[c]])) & KEYS)


@compiled
def turned_key(room: Room) -> int:
    """Return what the number of cards turned adds to the state's key: nothing where it makes no difference.

    With recycling, a waste of a whole number of draws is come to in each round, and so is the waste of all cards.
    """
    turned, mark = room.mark[TURNED], room.mark
    if mark[RECYCLES] and (turned % mark[DRAW] == 0 or turned == mark[RESERVE]):
        return 0
    return int(room.turned_key[turned])


@compiled
def put(room: Room, c: int, card: int) -> None:
    """Lay a card on a column."""
    at = TALL * c + room.height[c]
    room.cards[at] = card
    room.key[at + 1] = mixed((int(room.key[at]) + int(room.card_key[card])) & KEYS)
    room.height[c] += 1


@compiled
def shift(room: Room, of: int, to: int, cards: int) -> None:
    """Move the last cards of a column onto another."""
    at = TALL * of + room.height[of] - cards
    for i in range(cards):
        put(room, to, int(room.cards[at + i]))
    room.height[of] -= cards


@compiled
def take(room: Room, p: int) -> int:
    """Take the waste's top card when p cards lie there, and return its index among those dealt."""
    mark = room.mark
    key = mark[KEY] - turned_key(room)
    index = int(room.reserve[p - 1])
    for i in range(p, mark[RESERVE]):
        room.reserve[i - 1] = room.reserve[i]
    room.held[room.dealt[index]] -= 1
    mark[RESERVE] -= 1
    mark[TURNED] = p - 1
    mark[KEY] = (key - room.dealt_key[index] + turned_key(room)) & KEYS
    return index


@compiled
def give(room: Room, p: int, index: int, turned: int) -> None:
    """Give a card back to the reserve, all but the key."""
    mark = room.mark
    for i in range(mark[RESERVE], p - 1, -1):
        room.reserve[i] = room.reserve[i - 1]
    room.reserve[p - 1] = index
    room.held[room.dealt[index]] += 1
    mark[RESERVE] += 1
    mark[TURNED] = turned
