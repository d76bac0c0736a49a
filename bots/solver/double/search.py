"""The search: depth first, each state once, through the moves that could be needed, the likeliest first.

Which moves could be needed is reasoned in `README.md` beside this file, and tested against a search through all moves.
"""

from __future__ import annotations

from typing import Final

from bots.solver.double.room import (
    BEST_DEPTH,
    BEST_UP,
    CARDS,
    CHANCE,
    COLUMNS,
    COVERED,
    CUT,
    DEEPEST,
    DEPTH,
    DRAW,
    ENTERED,
    EXHAUSTED,
    FULL,
    KEY,
    KEYS,
    KING,
    MOVES,
    NEW,
    NODES,
    NOISE,
    PACKS,
    PASSED_OVER,
    RECYCLES,
    RESERVE,
    ROUND,
    ROUNDS,
    RUNNING,
    SLOTS,
    STATUS,
    SUITS,
    TALL,
    TURNED,
    UP,
    WHOLE,
    WIDTH,
    WON,
    Int64,
    Room,
)
from bots.solver.jit import compiled

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
LONGEST_WAY: Final = 5
PASSED: Final = 3


@compiled
def mixed(key: int) -> int:
    """Scatter a key."""
    key = ((key ^ (key >> 31)) * 0x1F58476D1CE4E5B9) & KEYS
    key = ((key ^ (key >> 29)) * 0x14D049BB133111EB) & KEYS
    return key ^ (key >> 32)


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
def at_hand(mark: Int64) -> bool:
    """Tell whether the stock is a set of cards that can all be had."""
    return bool(mark[DRAW] == 1 and mark[RECYCLES])


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


@compiled
def fresh(room: Room, awaits: int) -> bool:
    """Enter the state in the table; False when it is there already or there is no room (then STATUS is FULL)."""
    mark = room.mark
    key = int(mark[KEY])
    if awaits >= 0:
        key = (mixed(key) + mixed(column_key(room, awaits & 15) + 1 + (awaits >> 4))) & KEYS
    key = mixed(key)
    entry = (key & ~ROUNDS) | mark[ROUND]
    at = (key ^ (key >> 20)) & mark[SLOTS]
    while room.seen[at] & ROUNDS == mark[ROUND]:
        if room.seen[at] == entry:
            return False
        at = (at + 1) & mark[SLOTS]
    if mark[ENTERED] > mark[SLOTS] // 4 * 3:
        mark[STATUS] = FULL
        return False
    mark[ENTERED] += 1
    room.seen[at] = entry
    return True


@compiled
def never_needed(room: Room, card: int) -> bool:
    """Tell whether a card may go to its foundation, and stay there, without loss."""
    suit, rank = card >> 4, card & 15
    red = suit == 1 or suit == 2
    for other in range(room.mark[SUITS]):
        if other == suit:
            least = rank - 1
        elif (other == 1 or other == 2) == red:
            least = rank - 3
        else:
            least = rank - 2
        if least > 0 and room.up[other << 4 | least] < room.mark[PACKS]:
            return False
    return True


@compiled
def goes_up(room: Room, card: int) -> bool:
    """Tell whether a foundation takes a card."""
    return bool(room.up[card - 1] > room.up[card])


@compiled
def class_of(card: int) -> int:
    """Return a card's rank with its colour (16 for red): what decides where it lies."""
    suit = card >> 4
    return (16 if suit == 1 or suit == 2 else 0) | (card & 15)


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
def only_move(room: Room) -> int:
    """Return a move that loses nothing, or -1."""
    mark = room.mark
    for c in range(mark[WIDTH]):
        if room.height[c]:
            card = int(room.cards[TALL * c + room.height[c] - 1])
            if goes_up(room, card) and never_needed(room, card):
                return COLUMN_UP | c << 4
    if at_hand(mark):
        for p in range(1, mark[RESERVE] + 1):
            card = int(room.dealt[room.reserve[p - 1]])
            if goes_up(room, card) and never_needed(room, card):
                return RESERVE_UP | p << 4
    return -1


@compiled
def held_of(room: Room, kind: int) -> int:
    """Count the cards of a class in the reserve."""
    rank = kind & 15
    if kind & 16:
        return int(room.held[16 | rank] + room.held[32 | rank])
    return int(room.held[rank] + room.held[48 | rank])


@compiled
def survey(room: Room) -> None:
    """Look where cards can go, and what for.

    hosts[class]: the columns, as bits, that end in such a card; for one rank above the kings, one empty column.
    wants[class]: how many runs that cover something begin with such a card. wants[0]: how many kings there are that
    would go to an empty column, if there is none.
    near[class]: more than 0 if such a card, once it lay in a column, would take such a run, or a card from the reserve
    that would in turn; the more, the fewer such steps.
    """
    mark, hosts, wants, near = room.mark, room.hosts, room.wants, room.near
    hosts[:] = 0
    wants[:] = 0
    near[:] = 0
    king = mark[KING]
    for c in range(mark[WIDTH]):
        h, down = room.height[c], room.down[c]
        if h == 0:
            hosts[king + 1] = hosts[17 + king] = 1 << c
        else:
            hosts[class_of(int(room.cards[TALL * c + h - 1]))] |= 1 << c
            if down:
                wants[class_of(int(room.cards[TALL * c + down]))] += 1
    if not hosts[king + 1]:
        wants[0] = wants[king] + wants[16 + king] + held_of(room, king) + held_of(room, 16 + king)
        for suit in range(mark[SUITS]):
            wants[0] += room.up[suit << 4 | king]
    for rank in range(2, king + 1):
        for red in range(0, 32, 16):
            below = (16 - red) | (rank - 1)
            if hosts[red | rank]:
                continue
            if wants[below]:
                near[red | rank] = LONGEST_WAY
            elif near[below] > 1 and held_of(room, below):
                near[red | rank] = near[below] - 1


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
def propose_each(room: Room, end: int, move: int, onto: int, worth: int) -> int:
    """Add a move for each of the columns given as bits."""
    for c in range(room.mark[WIDTH]):
        if onto >> c & 1:
            end = propose(room, end, move | c << 12, worth)
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


@compiled
def next_round(room: Room) -> None:
    """Forget all states."""
    mark = room.mark
    mark[ENTERED] = 0
    mark[ROUND] += 1
    if mark[ROUND] > ROUNDS:
        mark[ROUND] = 1
        room.seen[:] = 0
