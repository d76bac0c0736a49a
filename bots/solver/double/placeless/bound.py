"""The most that can still go up: why no line puts up more is reasoned in `README.md`."""

from __future__ import annotations

from bots.solver.double.mark import (
    BEST_UP,
    CARDS,
    COLUMNS,
    DRAW,
    KING,
    PASSED_OVER,
    RECYCLES,
    RESERVE,
    SUITS,
    TALL,
    TURNED,
    UP,
    WIDTH,
)
from bots.solver.double.placeless.hall import (
    BASED,
    CAN,
    DEALT,
    GONE,
    HAD,
    HELD,
    HOSTS,
    LEFT,
    LOOSE,
    LOW,
    LOWEST,
    MOST,
    ORDER,
    SAFE,
    STOCK,
    UPS,
    Hall,
)
from bots.solver.double.placeless.state import at_hand, class_of, hosts_for, hosts_of
from bots.solver.jit import compiled, inlined

__all__ = ["hopeless", "most_to_come"]


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
