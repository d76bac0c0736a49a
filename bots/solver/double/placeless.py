"""The game without places: which cards are face up, but not where they lie. Searched depth first, each state once.

Why places make no difference, and which moves could be needed, is reasoned in `README.md` beside this file. Where most
cards are wanted, the states that promise most are followed side by side.
"""

from __future__ import annotations

from typing import Final

from bots.solver.double.hall import (
    AT,
    BASED,
    BEST,
    BEST_STATE,
    CAN,
    CARD_KEY,
    DEALT,
    FIRST,
    GONE,
    HAD,
    HELD,
    HOSTS,
    KEPT,
    LAID,
    LEFT,
    LEFT_KEY,
    LISTED,
    LOOSE,
    LOW,
    LOWEST,
    MOST,
    NEAR,
    OFFERED,
    ORDER,
    SAFE,
    SHOWN,
    STATES,
    STOCK,
    STOCK_KEY,
    TURNED_KEY,
    TURNS,
    UPS,
    WANTS,
    WAS,
    Hall,
    Pool,
)
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
    WIDTH,
    WON,
    Int64,
)
from bots.solver.jit import compiled, inlined

__all__ = ["begin", "follow", "forced", "most_to_come", "next_round", "play", "search", "unplay"]

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
LONGEST_WAY: Final = 5
PASSED: Final = 3

SOON: Final = 7

LOOKS: Final = 3
"""At every third depth it is looked whether a win is still possible: that takes as long as all else."""


@inlined
def mixed(key: int) -> int:
    """Scatter a key."""
    key = ((key ^ (key >> 31)) * 0x1F58476D1CE4E5B9) & KEYS
    key = ((key ^ (key >> 29)) * 0x14D049BB133111EB) & KEYS
    return key ^ (key >> 32)


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
def never_needed(hall: Hall, card: int) -> bool:
    """Tell whether a card may go to its foundation, and stay there, without loss."""
    suit, rank = card >> 4, card & 15
    for other in range(hall.mark[SUITS]):
        away = 1 if other == suit else 3 if ((other + 1) & 2) == ((suit + 1) & 2) else 2
        if hall.now[LOWEST + other] < rank - away:
            return False
    return True


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


@compiled
def fresh(hall: Hall, awaits: int) -> bool:
    """Enter the state in the table; False when it is there already or there is no room (then STATUS is FULL)."""
    mark = hall.mark
    key = mixed((int(mark[KEY]) + awaits * 0x2545F4914F6CDD1) & KEYS)
    entry = (key & ~ROUNDS) | mark[ROUND]
    at = (key ^ (key >> 20)) & mark[SLOTS]
    while hall.seen[at] & ROUNDS == mark[ROUND]:
        if hall.seen[at] == entry:
            return False
        at = (at + 1) & mark[SLOTS]
    if mark[ENTERED] > mark[SLOTS] // 4 * 3:
        mark[STATUS] = FULL
        return False
    mark[ENTERED] += 1
    hall.seen[at] = entry
    return True


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


@compiled
def only_move(hall: Hall) -> int:
    """Return a move that loses nothing, or -1."""
    mark = hall.mark
    for c in range(mark[WIDTH]):
        if hall.now[LEFT + c]:
            card = int(hall.now[DEALT + TALL * c + hall.now[LEFT + c] - 1])
            if goes_up(hall, card) and hosts_of(hall, class_of(card)) > 0 and never_needed(hall, card):
                return BASE_UP | c << 4
    for suit in range(mark[SUITS]):
        card = int(suit << 4 | (hall.now[LOWEST + suit] + 1))
        if card & 15 > mark[KING] or not never_needed(hall, card):
            continue
        if hall.now[LOOSE + card] and hosts_of(hall, class_of(card)) > 0:
            return LOOSE_UP | card << 4
        if hall.now[HELD + card] and at_hand(mark):
            for p in range(1, mark[RESERVE] + 1):
                if hall.now[STOCK + hall.now[ORDER + p - 1]] == card:
                    return RESERVE_UP | p << 4
    return -1


@compiled
def survey(hall: Hall) -> None:
    """Look what cards could be laid somewhere for.

    wants[class]: how many bases of a class cover something. wants[0]: how many kings would go to an empty column.
    near[class]: more than 0 if such a card, face up, would take such a base, or a card from the reserve that would in
    turn; the more, the fewer such steps.
    """
    mark = hall.mark
    wants, near = hall.now[WANTS : WANTS + 32], hall.now[NEAR : NEAR + 32]
    wants[:] = 0
    near[:] = 0
    king = mark[KING]
    for c in range(mark[WIDTH]):
        if hall.now[LEFT + c] > 1:
            wants[class_of(int(hall.now[DEALT + TALL * c + hall.now[LEFT + c] - 1]))] += 1
    if hosts_for(hall, king) == 0:
        wants[0] = wants[king] + wants[16 + king]
        for suit in range(mark[SUITS]):
            wants[0] += hall.now[UPS + (suit << 4 | king)] + hall.now[HELD + (suit << 4 | king)]
    for rank in range(2, king + 1):
        for red in range(0, 32, 16):
            kind, below = red | rank, (16 - red) | (rank - 1)
            if hosts_of(hall, kind) > 0:
                continue
            if wants[below]:
                near[kind] = LONGEST_WAY
            elif near[below] > 1:
                held = (
                    hall.now[HELD + (16 | rank - 1)] + hall.now[HELD + (32 | rank - 1)]
                    if below & 16
                    else hall.now[HELD + rank - 1] + hall.now[HELD + (48 | rank - 1)]
                )
                if held:
                    near[kind] = near[below] - 1


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


@compiled
def most_to_come(hall: Hall) -> int:
    """Return a number of cards that no line from here puts up more than; all cards if a win cannot be ruled out.

    It is the most that could be put up were moves never in each other's way: whatever was free once, or took a card,
    or was built up to, counts as still so. What it comes to in rounds until nothing is added:

    HOSTS: the classes, as bits, of which some card can be free, or for one rank above the kings a column be empty.
    LOW: by column, as in `LEFT`, down to where its base can come; BASED: the columns, as bits, whose base can be free.
    HAD, GONE: the cards of the reserve, as bits, that can be had, and that can leave.
    CAN: by card, how many of its equals can be free, loose ones left out. MOST: by card, how many of them can be up.
    SAFE: by suit, up to which rank all are up and never needed again.
    """
    mark, now = hall.mark, hall.now
    king, at_once = mark[KING], at_hand(mark)
    now[HOSTS] = now[BASED] = now[HAD] = now[GONE] = 0
    for kind in range(1, king + 1):
        if hosts_of(hall, kind) > 0:
            now[HOSTS] |= 1 << kind
        if hosts_of(hall, 16 | kind) > 0:
            now[HOSTS] |= 1 << (16 | kind)
    if hosts_for(hall, king) > 0:
        now[HOSTS] |= empty(king)
    now[LOW : LOW + COLUMNS] = now[LEFT : LEFT + COLUMNS]
    for suit in range(mark[SUITS]):
        now[SAFE + suit] = safe_rank(hall, suit)
        for card in range(suit << 4 | now[SAFE + suit], (suit << 4 | king) + 1):
            now[MOST + card] = now[UPS + card]
            now[CAN + card] = now[UPS + card] + (now[HELD + card] if at_once else 0)
    return until_no_more(hall)


@compiled
def until_no_more(hall: Hall) -> int:
    """Add what can come, round after round, and return how many cards can be up."""
    mark = hall.mark
    count, more = int(mark[UP]), True
    while more and count < mark[CARDS]:
        more = False
        for c in range(mark[WIDTH]):
            if adds_of_column(hall, c):
                more = True
        if not at_hand(mark) and adds_of_reserve(hall):
            more = True
        for suit in range(mark[SUITS]):
            added = adds_of_suit(hall, suit)
            if added >= 0:
                more = True
                count += added
    return count


@inlined
def safe_rank(hall: Hall, suit: int) -> int:
    """Return up to which rank all cards of a suit are up and never needed again."""
    safe = int(hall.now[LOWEST + suit])
    for other in range(hall.mark[SUITS]):
        if other != suit:
            away = 3 if ((other + 1) & 2) == ((suit + 1) & 2) else 2
            safe = min(safe, int(hall.now[LOWEST + other]) + away)
    return safe


@inlined
def empty(king: int) -> int:
    """Return the bits that stand for an empty column."""
    return 1 << (king + 1) | 1 << (17 + king)


@compiled
def adds_of_column(hall: Hall, c: int) -> bool:
    """Add what the bases of a column can do, one after another; returns whether that was more than before."""
    now, king = hall.now, hall.mark[KING]
    more = False
    while now[LOW + c]:
        card = int(now[DEALT + TALL * c + now[LOW + c] - 1])
        kind = class_of(card)
        bare = now[HOSTS] >> kind & 1
        if bare and not now[BASED] >> c & 1:
            now[BASED] |= 1 << c
            now[CAN + card] += 1
            more = True
        # A king that begins a column stays until it goes up.
        moves = now[HOSTS] >> ((kind ^ 16) + 1) & 1 and not (card & 15 == king and now[LOW + c] == 1)
        if not moves and not (bare and now[MOST + card - 1] > now[UPS + card]):
            break
        more = True
        if not bare:  # Moved with what lies on it; it may be free there.
            now[CAN + card] += 1
        now[BASED] &= ~(1 << c)
        now[LOW + c] -= 1
        if now[LOW + c] == 0:
            now[HOSTS] |= empty(king)
        else:
            now[HOSTS] |= 1 << class_of(int(now[DEALT + TALL * c + now[LOW + c] - 1]))
    return more


@compiled
def adds_of_reserve(hall: Hall) -> bool:
    """Add what the cards of a stock can do that is no set; returns whether that was more than before."""
    mark, now = hall.mark, hall.now
    had, gone = int(now[HAD]), int(now[GONE])
    moved = False
    for i in range(mark[RESERVE]):
        drawn = i + 1 - mark[TURNED]
        reached = drawn == 0 or i + 1 == mark[RESERVE] or gone >> (i + 1) & 1 or (drawn > 0 and drawn % mark[DRAW] == 0)
        if mark[RECYCLES] and (moved or (i + 1) % mark[DRAW] == 0):
            reached = True
        if reached:
            card = int(now[STOCK + now[ORDER + i]])
            if not had >> i & 1:
                had |= 1 << i
                now[CAN + card] += 1
            if now[HOSTS] >> ((class_of(card) ^ 16) + 1) & 1 or now[MOST + card - 1] > now[UPS + card]:
                gone |= 1 << i
            moved = moved or bool(gone >> i & 1)
    more = bool(had != now[HAD] or gone != now[GONE])
    now[HAD], now[GONE] = had, gone
    return more


@compiled
def adds_of_suit(hall: Hall, suit: int) -> int:
    """Add what can be built up, and be free; returns how many cards more can be up, -1 if nothing was added."""
    now, king = hall.now, hall.mark[KING]
    added, more = 0, False
    for card in range(suit << 4 | (now[SAFE + suit] + 1), (suit << 4 | king) + 1):
        kind = class_of(card)
        bare, above = now[HOSTS] >> kind & 1, (kind ^ 16) + 1
        can = now[CAN + card] + (now[LOOSE + card] if bare else 0)
        most = min(now[MOST + card - 1], can)
        if most > now[MOST + card]:
            added += most - now[MOST + card]
            now[MOST + card] = most
            more = True
            if now[LOOSE + card]:  # Once it is up, what it lay on is free, or its column empty.
                now[HOSTS] |= empty(king) if card & 15 == king else 1 << above
        if can and not bare and now[HOSTS] >> above & 1:
            now[HOSTS] |= 1 << kind
            more = True
    return added if more else -1


@compiled
def hopeless(hall: Hall) -> bool:
    """Tell whether no line from here can be worth finding, and remember how many cards one might put up."""
    mark = hall.mark
    most = most_to_come(hall)
    if most >= mark[CARDS] or (not mark[RECYCLES] and most > mark[BEST_UP]):
        return False
    mark[PASSED_OVER] = max(mark[PASSED_OVER], most)
    return True


@compiled
def come_to(hall: Hall, awaits: int) -> None:
    """Come to a state: see whether it is won, and list its moves."""
    mark, depth = hall.mark, hall.mark[DEPTH]
    mark[NODES] += 1
    if mark[UP] > mark[BEST_UP]:
        mark[BEST_UP] = mark[UP]
        mark[BEST_DEPTH] = depth
        hall.path[BEST : BEST + depth] = hall.path[:depth]
    if mark[UP] == mark[CARDS] or (mark[COVERED] == 0 and (mark[RESERVE] == 0 or at_hand(mark))):
        mark[STATUS] = WON
    end = hall.path[FIRST + depth]
    hall.path[AT + depth] = end
    if depth + 3 >= DEEPEST or end + 600 > MOVES:
        mark[CUT] = 1
    else:
        move = only_move(hall) if awaits == 0 else -1
        if move >= 0:
            end = propose(hall, end, move, 0)
        elif awaits or depth % LOOKS or not hopeless(hall):
            survey(hall)
            end = column_moves(hall, end, awaits)
            end = suit_moves(hall, end, awaits)
            end = reserve_moves(hall, end, awaits)
    hall.path[FIRST + depth + 1] = end


@compiled
def search(hall: Hall, nodes: int) -> None:
    """Search on through at most so many more states, until it is won, all are seen, or the table is full."""
    mark = hall.mark
    stop = mark[NODES] + nodes
    if mark[STATUS] == NEW:
        mark[STATUS] = RUNNING
        fresh(hall, 0)
        come_to(hall, 0)
    while mark[STATUS] == RUNNING and mark[NODES] < stop:
        depth = mark[DEPTH]
        if hall.path[AT + depth] == hall.path[FIRST + depth + 1]:
            if depth == 0:
                mark[STATUS] = EXHAUSTED
            else:
                unplay(hall)
            continue
        move = int(hall.path[LISTED + hall.path[AT + depth]]) & ((1 << MOVE_BITS) - 1)
        hall.path[AT + depth] += 1
        play(hall, move)
        awaits = move >> AWAITS
        if fresh(hall, awaits):
            come_to(hall, awaits)
        else:
            unplay(hall)


@compiled
def next_round(hall: Hall) -> None:
    """Forget all states."""
    mark = hall.mark
    mark[ENTERED] = 0
    mark[ROUND] += 1
    if mark[ROUND] > ROUNDS:
        mark[ROUND] = 1
        hall.seen[:] = 0


@inlined
def forced(hall: Hall) -> None:
    """Put up all that can go up without loss."""
    move = only_move(hall)
    while move >= 0:
        play(hall, move)
        move = only_move(hall)


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
def keep_state(hall: Hall, pool: Pool, place: int) -> None:
    """Write the state into the pool."""
    mark, marks = hall.mark, pool.marks
    for i in range(STOCK):
        pool.states[place, i] = hall.now[i]
    marks[place, 0], marks[place, 1], marks[place, 2] = mark[RESERVE], mark[TURNED], mark[UP]
    marks[place, 3], marks[place, 4] = mark[COVERED], mark[KEY]
    if mark[UP] > marks[pool.counts[BEST_STATE], 2]:
        pool.counts[BEST_STATE] = place


@compiled
def take_up(hall: Hall, pool: Pool, place: int) -> None:
    """Go on from a state of the pool."""
    mark, marks = hall.mark, pool.marks
    for i in range(STOCK):
        hall.now[i] = pool.states[place, i]
    mark[RESERVE], mark[TURNED], mark[UP] = marks[place, 0], marks[place, 1], marks[place, 2]
    mark[COVERED], mark[KEY] = marks[place, 3], marks[place, 4]
    mark[DEPTH] = 0


@compiled
def offer(hall: Hall, pool: Pool, promised: int, move: int, place: int) -> None:
    """Put a move from a state in order: before those that leave fewer cards in the stock, or promise less."""
    heap, count = pool.heap, pool.counts
    if count[OFFERED] == len(pool.offers):
        return
    stock = hall.mark[RESERVE] - hall.mark[TURNED]
    offers = pool.offers[count[OFFERED]]
    offers[0], offers[1], offers[2] = place, move, stock
    heap[0, 0] += 1
    key, i = (stock << 40) + (1 << 30) + promised, heap[0, 0]
    while i > 1 and heap[i >> 1, 0] < key:
        heap[i, 0], heap[i, 1] = heap[i >> 1, 0], heap[i >> 1, 1]
        i >>= 1
    heap[i, 0], heap[i, 1] = key, count[OFFERED]
    count[OFFERED] += 1


@compiled
def next_offer(pool: Pool) -> int:
    """Take the offer that comes first."""
    heap = pool.heap
    first, n = heap[1, 1], heap[0, 0] - 1
    heap[0, 0] = n
    key, at = heap[n + 1, 0], heap[n + 1, 1]
    i = 1
    while 2 * i <= n:
        child = 2 * i
        if child < n and heap[child + 1, 0] > heap[child, 0]:
            child += 1
        if heap[child, 0] <= key:
            break
        heap[i, 0], heap[i, 1] = heap[child, 0], heap[child, 1]
        i = child
    heap[i, 0], heap[i, 1] = key, at
    return int(first)


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
