"""The most that can still go up: why no line puts up more is reasoned in `README.md`."""

from __future__ import annotations

from bots.solver.double.mark import (
    BEST_UP,
    CARDS,
    COLUMNS,
    DRAW,
    KING,
    PACKS,
    PASSED_OVER,
    RECYCLES,
    RESERVE,
    SUITS,
    TALL,
    TURNED,
    WIDTH,
)
from bots.solver.double.places.room import Room
from bots.solver.double.places.state import at_hand, class_of
from bots.solver.jit import compiled

__all__ = ["hopeless", "most_to_come"]


@compiled
def most_to_come(room: Room) -> int:
    """Return a number of cards that no line from here puts up more than; all cards if a win cannot be ruled out.

    It is the most that could be put up were moves never in each other's way: whatever was free once, or took a card,
    or was built up to, counts as still so. What it comes to in rounds until nothing is added:

    free[c]: the cards of a column, as bits, that can be its end; gone[c]: those that can leave, with all that lie on
    them; low[c]: the lowest that can be face up. free and gone of the reserve come after those of the columns.
    host[class]: whether such a card can be a column's end, or for one rank above the kings a column be empty.
    can[card]: how many of its equals can be free. most[card]: how many of them can be up.
    """
    mark = room.mark
    room.host[:] = 0
    room.free[:] = 0
    room.gone[:] = 0
    for c in range(mark[WIDTH]):
        room.low[c] = room.down[c]
        if room.height[c] == 0:
            can_be_empty(room)
    for suit in range(mark[SUITS]):
        room.most[suit << 4] = mark[PACKS]
        for card in range(suit << 4 | 1, (suit << 4 | mark[KING]) + 1):
            room.most[card] = room.up[card]
            room.can[card] = room.up[card] + (room.held[card] if at_hand(mark) else 0)
    more = True
    while more:
        more = False
        for c in range(mark[WIDTH]):
            if adds_of_column(room, c):
                more = True
        if not at_hand(mark) and adds_of_reserve(room):
            more = True
        if adds_of_suits(room):
            more = True
        if room.most[mark[KING]] == mark[PACKS] and most_up(room) == mark[CARDS]:
            break
    return most_up(room)


@compiled
def most_up(room: Room) -> int:
    """Count the cards that can be up."""
    count = 0
    for suit in range(room.mark[SUITS]):
        for rank in range(1, room.mark[KING] + 1):
            count += room.most[suit << 4 | rank]
    return count


@compiled
def can_be_empty(room: Room) -> None:
    """Note that a column can be empty."""
    room.host[room.mark[KING] + 1] = room.host[17 + room.mark[KING]] = 1


@compiled
def adds_of_column(room: Room, c: int) -> bool:
    """Add what the cards of a column can do; returns whether that was more than before."""
    more = False
    i = room.height[c] - 1
    bare = True  # Nothing lies on the card, or what does can leave.
    while i >= room.low[c]:
        card = int(room.cards[TALL * c + i])
        kind = class_of(card)
        if bare and not room.free[c] >> i & 1:
            room.free[c] |= 1 << i
            room.can[card] += 1
            room.host[kind] = 1
            more = True
        bare = bool(room.gone[c] >> i & 1)
        if not bare and (room.host[(kind ^ 16) + 1] or (room.free[c] >> i & 1 and room.most[card - 1])):
            room.gone[c] |= 1 << i
            bare = more = True
            if i == 0:
                can_be_empty(room)
            elif i == room.low[c]:
                room.low[c] -= 1
        i -= 1
    return more


@compiled
def adds_of_reserve(room: Room) -> bool:
    """Add what the cards of a stock can do that is no set; returns whether that was more than before."""
    mark = room.mark
    had, gone = int(room.free[COLUMNS]), int(room.gone[COLUMNS])
    moved = False
    for i in range(mark[RESERVE]):
        drawn = i + 1 - mark[TURNED]
        reached = drawn == 0 or i + 1 == mark[RESERVE] or gone >> (i + 1) & 1 or (drawn > 0 and drawn % mark[DRAW] == 0)
        if mark[RECYCLES] and (moved or (i + 1) % mark[DRAW] == 0):
            reached = True
        if reached:
            card = int(room.dealt[room.reserve[i]])
            if not had >> i & 1:
                had |= 1 << i
                room.can[card] += 1
            if room.host[(class_of(card) ^ 16) + 1] or room.most[card - 1]:
                gone |= 1 << i
            moved = moved or bool(gone >> i & 1)
    more = bool(had != room.free[COLUMNS] or gone != room.gone[COLUMNS])
    room.free[COLUMNS], room.gone[COLUMNS] = had, gone
    return more


@compiled
def adds_of_suits(room: Room) -> bool:
    """Add what can be built up, and what can lie in the columns that lay elsewhere; returns whether that was more."""
    more = False
    for suit in range(room.mark[SUITS]):
        for card in range(suit << 4 | 1, (suit << 4 | room.mark[KING]) + 1):
            count = min(room.most[card - 1], room.can[card])
            if count > room.most[card]:
                room.most[card] = count
                more = True
            kind = class_of(card)
            if room.can[card] and not room.host[kind] and room.host[(kind ^ 16) + 1]:
                room.host[kind] = 1
                more = True
    return more


@compiled
def hopeless(room: Room) -> bool:
    """Tell whether no line from here can be worth finding, and remember how many cards one might put up."""
    mark = room.mark
    most = most_to_come(room)
    if most >= mark[CARDS] or (not mark[RECYCLES] and most > mark[BEST_UP]):
        return False
    mark[PASSED_OVER] = max(mark[PASSED_OVER], most)
    return True
