"""Play games of Double Solitaire out as a careful person would: from plan to plan, nothing peeked at.

A plan goes up to the next card turned up or card of the talon played; the cheapest that a short search finds is taken.
Every plan leaves fewer cards face down or fewer in stock and waste, so that a game ends after some eighty of them.
"""

from __future__ import annotations

from bots.solver.double.playtable import (
    AT_BASE,
    AT_DEALT,
    AT_DOWN,
    AT_ENDS,
    AT_HEAP,
    AT_HIDDEN,
    AT_HOSTS,
    AT_LAID,
    AT_NODES,
    AT_PARENTS,
    AT_ROOT,
    AT_ROOT_DOWN,
    AT_SEEN,
    AT_STARTS,
    AT_STEPS,
    AT_TURNS,
    AT_UNSEEN,
    AT_WANTED,
    BEST,
    CLASS,
    CLASSES,
    COLUMN_UP,
    COLUMNS,
    COST,
    COVERED,
    DEALT,
    DRAWS,
    ENDS,
    ENTRIES,
    ENTRY,
    GATHER,
    GATHERS,
    HEAP,
    IN_ROUND,
    KEYS,
    KING,
    KNOWN,
    MOST,
    MOST_ENTRIES,
    MOVES,
    NARROW,
    NEXT_ROUND,
    NODES,
    NOTHING,
    ONE_PACK,
    ORDER_BITS,
    PAYS_DOWN,
    PAYS_TURN,
    PAYS_UP,
    RECYCLE,
    RECYCLES,
    RED,
    ROW,
    RUN,
    SCORE,
    SEED,
    SLOTS,
    STAMP,
    STAMPS,
    TAKEN_BACK,
    TALON,
    TALON_DOWN,
    TALON_UP,
    TURNED,
    TURNS,
    UP,
    WIDELY,
    WIDTH,
    Floats,
    Ints,
    Table,
    Weights,
)
from bots.solver.jit import compiled, inlined

__all__ = ["card_at", "gathered", "play_out", "plays_up", "put_up", "set_out", "taken_back", "value_starts"]


@inlined
def card_at(run: int, under: int) -> int:
    """Return the card of a run on which so many others lie."""
    return (((run >> 4) & 15) + under) | ((((run >> 8) ^ under) & 1) << 4) | (((run >> (9 + under)) & 1) << 5)


@inlined
def without(run: int, cards: int) -> int:
    """Return a run without its last cards."""
    left = (run & 15) - cards
    if left == 0:
        return 0
    return left | (((run >> 4) & 15) + cards) << 4 | (((run >> 8) ^ cards) & 1) << 8 | (run >> (9 + cards)) << 9


@inlined
def with_card(run: int, card: int) -> int:
    """Return a run with one card more."""
    return (run & 15) + 1 | (card & CLASS) << 4 | ((run >> 9) << 1 | card >> 5) << 9


@inlined
def joined(run: int, other: int, cards: int) -> int:
    """Return a run with the last cards of another on it."""
    suits = (run >> 9) << cards | ((other >> 9) & ((1 << cards) - 1))
    return (run & 15) + cards | (other & 0x1F0) | suits << 9


@inlined
def goes_up(up: int, card: int) -> bool:
    """Tell whether a foundation takes a card."""
    heights = up >> ((card >> 4) << 3)
    below = (card & 15) - 1
    return bool((heights & 15) == below or ((heights >> 4) & 15) == below)


@inlined
def put_up(up: int, card: int) -> int:
    """Return the heights with a card more."""
    shift = (card >> 4) << 3
    if (up >> shift) & 15 == (card & 15) - 1:
        return up + (1 << shift)
    return up + (16 << shift)


@inlined
def taken_back(up: int, card: int) -> int:
    """Return the heights without a card that is the top of one of its suit's places."""
    shift = (card >> 4) << 3
    tall, low = (up >> shift) & 15, (up >> (shift + 4)) & 15
    up -= (tall | low << 4) << shift
    if low == card & 15:
        low -= 1
    else:
        tall, low = max(tall - 1, low), min(tall - 1, low)
    return up + ((tall | low << 4) << shift)


@inlined
def safe(up: int, card: int) -> bool:
    """Tell whether a card that goes up can never be missed on the tableau.

    What could come to lie on it, at once or later, are lower cards: of the other colour from one rank below, of its own
    from two below, each in all its copies. When all of these are up, only such as were taken back could lie there; they
    would be taken back to hold still lower cards, of which none is in play. So a line that wins with the card left down
    wins without those take-backs too, and then the card is only in the way. One pack's milder rules do not carry over:
    there the second card of a suit and rank does not exist, here it may still wait for a place.
    """
    below = (card & 15) - 1
    for suit in range(4):
        low = (up >> ((suit << 3) + 4)) & 15
        if low < (below - 1 if (suit & 1) == (card >> 4) & 1 else below):
            return False
    return True


@inlined
def cards_up(up: int) -> int:
    """Count the cards on the foundations."""
    count = 0
    for place in range(8):
        count += (up >> (place << 2)) & 15
    return count


@inlined
def next_set(bits: int, at: int) -> int:
    """Return the first set bit from a place on; there must be one."""
    bits >>= at
    while bits & 15 == 0:
        bits >>= 4
        at += 4
    while bits & 1 == 0:
        bits >>= 1
        at += 1
    return at


@inlined
def drawn(talon: int, turned: int, turns: int) -> int:
    """Return how many of the cards dealt have been turned after a draw of so many, or of what is left."""
    for _ in range(turns):
        if talon >> turned:
            turned = next_set(talon, turned) + 1
    return turned


@inlined
def waste_end(talon: int, turned: int) -> int:
    """Return behind which of the cards dealt, so many at most, the waste's top one lies; 0 when there is none."""
    while turned > 0 and not (talon >> (turned - 1)) & 1:
        turned -= 1
    return turned


@inlined
def too_dear(t: Ints, cost: int) -> bool:
    """Tell whether as many ends as are kept cost no more than this."""
    return bool(t[ENDS] == t[MOST] and cost >= t[AT_ENDS + 3 * (t[MOST] - 1)])


@inlined
def push(t: Ints, parent: int, step: int, cost: int) -> None:
    """Put a step in the queue: the cheapest first, of equals the earliest."""
    entry = int(t[ENTRIES])
    if entry >= MOST_ENTRIES:
        return
    t[ENTRIES] = entry + 1
    t[AT_PARENTS + entry], t[AT_STEPS + entry] = parent, step
    key = cost << ORDER_BITS | entry
    at = int(t[HEAP])
    t[HEAP] = at + 1
    while at > 0 and t[AT_HEAP + ((at - 1) >> 1)] > key:
        t[AT_HEAP + at] = t[AT_HEAP + ((at - 1) >> 1)]
        at = (at - 1) >> 1
    t[AT_HEAP + at] = key


@inlined
def pop(t: Ints) -> int:
    """Take the first step out of the queue."""
    first, size = int(t[AT_HEAP]), int(t[HEAP]) - 1
    t[HEAP] = size
    key = t[AT_HEAP + size]
    at = 0
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and t[AT_HEAP + child + 1] < t[AT_HEAP + child]:
            child += 1
        if t[AT_HEAP + child] >= key:
            break
        t[AT_HEAP + at] = t[AT_HEAP + child]
        at = child
    t[AT_HEAP + at] = key
    return first


@inlined
def keep(t: Ints, parent: int, step: int, cost: int) -> None:
    """Keep an end if it is among the cheapest."""
    kept = int(t[ENDS])
    end = AT_ENDS + 3 * kept
    if kept == t[MOST]:
        end -= 3
        if t[end] <= cost:
            return
    else:
        t[ENDS] = kept + 1
    while end > AT_ENDS and t[end - 3] > cost:
        t[end], t[end + 1], t[end + 2] = t[end - 3], t[end - 2], t[end - 1]
        end -= 3
    t[end], t[end + 1], t[end + 2] = cost, parent, step


@inlined
def follow(t: Ints, at: int, step: int) -> bool:
    """Make a step in the position written from `at` on; tells whether it uncovers a face-down card."""
    kind, source, target, cards = step & 7, (step >> 3) & 63, (step >> 9) & 15, (step >> 13) & 15
    t[at + MOVES] += 1
    if kind == RUN:
        run = int(t[at + source])
        t[at + target] = joined(int(t[at + target]), run, cards)
        t[at + source] = without(run, cards)
    elif kind == COLUMN_UP:
        run = int(t[at + source])
        t[at + UP] = put_up(int(t[at + UP]), card_at(run, 0))
        t[at + source] = without(run, 1)
        t[at + SCORE] += t[PAYS_UP]
    elif kind == TAKEN_BACK:
        # What it paid is taken off here, for under the option O it pays nothing the second time.
        t[at + UP] = taken_back(int(t[at + UP]), source)
        t[at + target] = with_card(int(t[at + target]), source)
        t[at + SCORE] -= t[PAYS_UP]
    else:
        play_talon(t, at, step)
    return bool(kind <= RUN and t[at + source] == 0 and t[AT_DOWN + source] > 0)


@inlined
def play_talon(t: Ints, at: int, step: int) -> None:
    """Play a card of the talon in the position written from `at` on, with the draws that bring it to the top."""
    source, target, recycled = (step >> 3) & 63, (step >> 9) & 15, (step >> 24) & 1
    card = int(t[AT_DEALT + source])
    if recycled:
        t[at + SCORE] -= min(100, t[at + SCORE])
    t[at + MOVES] += ((step >> 17) & 127) + recycled
    talon = int(t[at + TALON]) & ~(1 << source)
    t[at + TALON], t[at + TURNED] = talon, waste_end(talon, source)
    if step & 7 == TALON_UP:
        t[at + UP] = put_up(int(t[at + UP]), card)
        t[at + SCORE] += t[PAYS_UP]
    else:
        t[at + target] = with_card(int(t[at + target]), card)
        t[at + SCORE] += t[PAYS_DOWN]


@inlined
def fresh(t: Ints, at: int) -> bool:
    """Enter the position written from `at` on in the table of those seen; False when it is there."""
    key = 1
    for i in range(TURNED + 1):
        key = ((key ^ int(t[at + i])) * 0x1F58476D1CE4E5B9) & KEYS
        key ^= key >> 29
    stamp = int(t[STAMP])
    entry = (key & ~STAMPS) | stamp
    slot = (key ^ (key >> 20)) & (SLOTS - 1)
    while t[AT_SEEN + slot] & STAMPS == stamp:
        if t[AT_SEEN + slot] == entry:
            return False
        slot = (slot + 1) & (SLOTS - 1)
    t[AT_SEEN + slot] = entry
    return True


@inlined
def survey(t: Ints, at: int) -> None:
    """Look in a node's position where cards can go, and what for."""
    for i in range(AT_HOSTS, AT_WANTED + CLASSES):
        t[i] = 0
    for c in range(t[WIDTH]):
        run = int(t[at + c])
        if run == 0:
            if t[AT_HOSTS + KING + 1] == 0:
                t[AT_HOSTS + KING + 1] = t[AT_HOSTS + (KING + 1 | RED)] = 1 << c
        else:
            t[AT_HOSTS + ((run >> 4) & CLASS)] |= 1 << c
            if t[AT_DOWN + c]:
                t[AT_WANTED + ((card_at(run, (run & 15) - 1) & CLASS) ^ RED) + 1] += 1


@inlined
def talon_card(t: Ints, w: Weights, n: int, card: int, step: int, price: int, of_use: int) -> None:
    """List what a card of the talon can do once it is drawn."""
    kind = card & CLASS
    if goes_up(int(t[AT_NODES + n * ROW + UP]), card):
        push(t, n, TALON_UP | step, price + w.to_foundation)
        keep(t, n, TALON_UP | step, price + w.to_foundation + w.turned_none)
    onto = int(t[AT_HOSTS + (kind ^ RED) + 1])
    if onto == 0:
        return
    takers = 0
    for target in range(t[WIDTH]):
        takers += (onto >> target) & 1
    ending = w.turned_none
    if t[AT_WANTED + (kind ^ RED) + 1] >= takers:
        ending += w.taken_place
    if t[AT_WANTED + kind]:
        ending -= w.given_place
    for target in range(t[WIDTH]):
        if (onto >> target) & 1:
            if not t[NARROW] or (of_use >> kind) & 1:
                push(t, n, TALON_DOWN | step | target << 9, price + w.to_column)
            keep(t, n, TALON_DOWN | step | target << 9, price + w.to_column + ending)


@inlined
def of_use_to(t: Ints) -> int:
    """Return the classes that are looked for, or can lead to one that is, up to two ranks higher, as bits."""
    of_use = 0
    for kind in range(2, CLASSES):
        if t[AT_WANTED + kind]:
            of_use |= 1 << kind | 1 << (kind ^ RED) + 1 | 1 << kind + 2
    return of_use


@inlined
def talon_steps(t: Ints, w: Weights, n: int) -> int:
    """List what the cards of waste and stock can do; returns the classes of those within reach, as bits.

    First the waste's top, then what draws bring to the top, as far as it has been seen, then what a recycle does.
    """
    at = AT_NODES + n * ROW
    cost, talon, p = int(t[at + COST]), int(t[at + TALON]), int(t[at + TURNED])
    of_use = of_use_to(t)
    reached, listed, passed = 0, 0, 0
    draws, recycled = 0, 0
    while talon:
        if p:
            if recycled and (passed >> p) & 1:
                break
            passed |= 1 << p
            price = cost + draws * w.draw + recycled * t[RECYCLE]
            if t[NARROW] and too_dear(t, price):
                break  # So is all that comes after.
            card = int(t[AT_DEALT + p - 1])
            if not (listed >> card) & 1:  # An equal card is nearer.
                listed |= 1 << card
                reached |= 1 << (card & CLASS)
                talon_card(t, w, n, card, (p - 1) << 3 | draws << 17 | recycled << 24, price, of_use)
        if talon >> p:
            p = drawn(talon, p, t[TURNS])
            draws += 1
            if p > t[KNOWN]:
                break
        elif recycled or t[RECYCLE] < 0:
            break
        else:
            recycled, p = 1, 0
    return reached


@inlined
def column_steps(t: Ints, w: Weights, n: int, c: int) -> None:
    """List what a column's cards can do."""
    at = AT_NODES + n * ROW
    cost, up, run, covers = int(t[at + COST]), int(t[at + UP]), int(t[at + c]), int(t[AT_DOWN + c])
    size = run & 15
    if goes_up(up, card_at(run, 0)):
        if size == 1 and covers:
            keep(t, n, COLUMN_UP | c << 3, cost + w.put_up - w.buried * covers)
        else:
            push(t, n, COLUMN_UP | c << 3, cost + w.put_up)
            if t[GATHER]:
                keep(t, n, COLUMN_UP | c << 3, cost + w.put_up)
    for cards in range(1, size + 1):
        lower = card_at(run, cards - 1)
        if cards < size:
            # Moved in part, a run leaves an end just like the one it goes to: that helps only the card it frees.
            if not goes_up(up, card_at(run, cards)):
                continue
        elif not covers and lower & 15 == KING:
            continue  # A king's run on an empty column's ground gains nothing elsewhere.
        onto = int(t[AT_HOSTS + ((lower & CLASS) ^ RED) + 1])
        for target in range(t[WIDTH]):
            if (onto >> target) & 1 and target != c:
                step = RUN | c << 3 | target << 9 | cards << 13
                if cards < size:
                    push(t, n, step, cost + w.part)
                elif covers:
                    keep(t, n, step, cost + w.run - w.buried * covers)
                else:
                    push(t, n, step, cost + w.run)


@inlined
def back_steps(t: Ints, w: Weights, n: int, reached: int) -> None:
    """List the cards that can be taken back to hold a run, or a card of the talon within reach."""
    at = AT_NODES + n * ROW
    cost, up = int(t[at + COST]), int(t[at + UP])
    for place in range(8):
        suit, lower = place >> 1, place & 1
        tall, low = (up >> (suit << 3)) & 15, (up >> ((suit << 3) + 4)) & 15
        rank = low if (lower or t[ONE_PACK]) else tall
        # Aces have nothing to hold, and of two equal tops one is enough.
        if rank < 2 or (lower and (low == tall or t[ONE_PACK])):
            continue
        kind = (suit & 1) << 4 | rank
        if not t[AT_WANTED + kind] and (t[NARROW] or not (reached >> ((kind ^ RED) - 1)) & 1):
            continue
        onto = int(t[AT_HOSTS + (kind ^ RED) + 1])
        for target in range(t[WIDTH]):
            if (onto >> target) & 1:
                push(t, n, TAKEN_BACK | (suit << 4 | rank) << 3 | target << 9, cost + w.taken_back)


@inlined
def expand(t: Ints, w: Weights, n: int) -> None:
    """List what can be done in a node's position."""
    at = AT_NODES + n * ROW
    up = int(t[at + UP])
    for c in range(t[WIDTH]):
        run = int(t[at + c])
        if run and (run & 15 > 1 or not t[AT_DOWN + c]):
            card = card_at(run, 0)
            if goes_up(up, card) and safe(up, card):
                # It is never missed and turns none up: all else can be done after it.
                push(t, n, COLUMN_UP | c << 3, int(t[at + COST]))
                if t[GATHER]:
                    keep(t, n, COLUMN_UP | c << 3, int(t[at + COST]))
                return
    survey(t, at)
    for c in range(t[WIDTH]):
        if t[at + c]:
            column_steps(t, w, n, c)
    reached = talon_steps(t, w, n)
    if not t[GATHER]:  # Else what is gathered could be taken back for ever.
        back_steps(t, w, n, reached)


@inlined
def copy_row(t: Ints, source: int, target: int) -> None:
    """Copy the position written from one place on to another."""
    for i in range(ROW):
        t[target + i] = t[source + i]


@inlined
def begin(t: Ints) -> None:
    """Empty the queue, the ends and the table of positions seen."""
    t[STAMP] += 1
    if t[STAMP] > STAMPS:
        t[STAMP] = 1
        for i in range(AT_SEEN, AT_SEEN + SLOTS):
            t[i] = 0
    t[HEAP] = t[ENTRIES] = t[ENDS] = 0


@compiled
def search(t: Ints, w: Weights, limit: int) -> int:
    """Find the cheapest plans from the base within so many positions; returns how many ends were kept."""
    begin(t)
    n = 0
    while n < limit:
        at, cost, entry = AT_NODES + n * ROW, 0, -1
        if n == 0:
            copy_row(t, AT_BASE, at)
        elif t[HEAP]:
            key = pop(t)
            cost, entry = key >> ORDER_BITS, key & ((1 << ORDER_BITS) - 1)
            if too_dear(t, cost):
                break
            copy_row(t, AT_NODES + int(t[AT_PARENTS + entry]) * ROW, at)
            follow(t, at, int(t[AT_STEPS + entry]))
        else:
            break
        if fresh(t, at):
            t[at + COST], t[at + ENTRY] = cost, entry
            expand(t, w, n)
            n += 1
    t[NODES] += n
    return int(t[ENDS])


@compiled
def plan(t: Ints, w: Weights, most: int) -> int:
    """Find plans from the base: in this round through the stock, then with a recycle, then more widely."""
    t[MOST], t[NARROW], t[RECYCLE], t[GATHER] = most, 1, -1, 0
    found = search(t, w, t[IN_ROUND])
    if found or t[KNOWN] < t[DEALT]:
        return found
    if t[RECYCLES]:
        t[RECYCLE] = w.recycle + w.per_point * min(100, t[AT_BASE + SCORE])
        found = search(t, w, t[NEXT_ROUND])
    if found == 0:
        t[NARROW] = 0
        found = search(t, w, t[WIDELY])
    if found == 0 and t[GATHERS]:
        t[GATHER] = 1
        found = search(t, w, t[IN_ROUND])
    return found


@inlined
def turn_up(t: Ints, c: int) -> None:
    """Turn up the card that has been uncovered in a column."""
    t[AT_DOWN + c] -= 1
    t[COVERED] -= 1
    card = int(t[AT_HIDDEN + COLUMNS * c + t[AT_DOWN + c]])
    t[AT_BASE + c] = with_card(0, card)
    t[AT_BASE + SCORE] += t[PAYS_TURN]


@inlined
def draw_unseen(t: Ints) -> None:
    """Draw cards that have not been seen."""
    p = drawn(int(t[AT_BASE + TALON]), int(t[AT_BASE + TURNED]), t[TURNS])
    t[AT_BASE + TURNED] = p
    t[AT_BASE + MOVES] += 1
    t[KNOWN] = max(t[KNOWN], p)


@compiled
def go_on(t: Ints, w: Weights) -> bool:
    """Follow the cheapest plan from the base, or draw cards not seen; False when there is neither."""
    if plan(t, w, 1):
        copy_row(t, AT_NODES + int(t[AT_ENDS + 1]) * ROW, AT_BASE)
        step = int(t[AT_ENDS + 2])
        if follow(t, AT_BASE, step):
            turn_up(t, (step >> 3) & 63)
    elif t[KNOWN] < t[DEALT] and int(t[AT_BASE + TALON]) >> int(t[AT_BASE + TURNED]):
        draw_unseen(t)
    else:
        return False
    t[BEST] = max(t[BEST], t[AT_BASE + SCORE])
    return True


@compiled
def play_out(t: Ints, w: Weights) -> bool:
    """Play the base out; tells whether it is won, with recycling as soon as no card is hidden.

    Nearly always a game can be won then: of 516 such positions, three cards a draw, the exact solver won every one.
    """
    t[BEST] = t[AT_BASE + SCORE]
    while t[COVERED] or t[KNOWN] < t[DEALT] or not t[RECYCLES]:
        if not go_on(t, w):
            break
    return bool((t[RECYCLES] and not t[COVERED]) or cards_up(int(t[AT_BASE + UP])) == 104)


@inlined
def start_from(t: Ints, at: int) -> None:
    """Make the position written from `at` on, the root or after a plan from it, the base."""
    copy_row(t, at, AT_BASE)
    for c in range(COLUMNS):
        t[AT_DOWN + c] = t[AT_ROOT_DOWN + c]


@compiled
def plays_up(table: Table) -> bool:
    """Tell whether plans alone win at the root, where no card is hidden: every card of the talon can be played."""
    t = table.memory
    start_from(t, AT_ROOT)
    while t[AT_BASE + TALON]:
        if not go_on(t, table.weights):
            return False
    return True


@inlined
def same_start(t: Ints, one: int, other: int) -> bool:
    """Tell whether two starts are the same position."""
    same = bool(t[AT_TURNS + one] == t[AT_TURNS + other])
    for i in range(TURNED + 1):
        same = same and bool(t[AT_STARTS + one * ROW + i] == t[AT_STARTS + other * ROW + i])
    return same


@compiled
def set_out(table: Table, most: int) -> int:
    """Find plans from the root and write down the positions they lead to, each once, as starts; returns how many."""
    t = table.memory
    start_from(t, AT_ROOT)
    count = 0
    for end in range(plan(t, table.weights, most)):
        cost, parent, step = int(t[AT_ENDS + 3 * end]), int(t[AT_ENDS + 3 * end + 1]), int(t[AT_ENDS + 3 * end + 2])
        at = AT_STARTS + count * ROW
        copy_row(t, AT_NODES + parent * ROW, at)
        t[AT_TURNS + count] = (step >> 3) & 63 if follow(t, at, step) else NOTHING
        new = True
        for other in range(count):
            new = new and not same_start(t, count, other)
        if new:
            t[at + COST], t[at + ENTRY] = cost, end
            count += 1
    return count


@inlined
def deal_unseen(t: Ints, cards: int, shuffle: int) -> None:
    """Lay the cards not seen, so many, where they may lie: in the shuffle of that number, or with seed -1 in order."""
    for i in range(cards):
        t[AT_LAID + i] = t[AT_UNSEEN + i]
    if t[SEED] >= 0:
        chance = ((int(t[SEED]) + shuffle) * 0x1F58476D1CE4E5B9) & KEYS
        for i in range(cards - 1, 0, -1):
            chance = (chance * 0x5851F42D4C957F2D + 0x14057B7EF767814F) & KEYS
            other = ((chance >> 29) * (i + 1)) >> 32
            t[AT_LAID + i], t[AT_LAID + other] = t[AT_LAID + other], t[AT_LAID + i]
    at = AT_LAID
    for c in range(COLUMNS):
        for i in range(t[AT_ROOT_DOWN + c]):
            t[AT_HIDDEN + COLUMNS * c + i] = t[at]
            at += 1
    for i in range(AT_LAID + cards - at):
        t[AT_DEALT + t[DEALT] - 1 - i] = t[at + i]


@inlined
def value_of(t: Ints, w: Weights, worth: Floats) -> float:
    """Play the base out; returns what the game was worth."""
    won = play_out(t, w)
    score, moves = t[BEST], t[AT_BASE + MOVES]
    if won:
        left = 104 - cards_up(int(t[AT_BASE + UP]))
        score, moves = max(score, t[AT_BASE + SCORE] + left * t[PAYS_UP]), moves + left
    value: float = won * worth[0] + score * worth[1] - moves * worth[2] - t[COVERED] * worth[3]
    return value


@compiled
def value_starts(table: Table, starts: Ints, cards: int, worth: Floats, results: Floats, first: int, last: int) -> None:
    """Play starts out in the same shuffles of so many cards, and write down what each game was worth.

    results[start, shuffle], for the shuffles from `first` to `last`; worth: of a win, a point, a move less, a card less
    that is still face down.
    """
    t = table.memory
    known, covered = int(t[KNOWN]), int(t[COVERED])
    for shuffle in range(first, last):
        deal_unseen(t, cards, shuffle)
        for start in starts:
            start_from(t, AT_STARTS + start * ROW)
            t[KNOWN], t[COVERED] = known, covered
            turns = int(t[AT_TURNS + start])
            if turns == DRAWS:
                draw_unseen(t)
            elif turns != NOTHING:
                turn_up(t, turns)
            results[start, shuffle] = value_of(t, table.weights, worth)
    t[KNOWN], t[COVERED] = known, covered


@compiled
def gathered(table: Table) -> int:
    """Return the score at the root once all that can go up is up, without a draw."""
    t = table.memory
    start_from(t, AT_ROOT)
    score, up, turned = int(t[AT_ROOT + SCORE]), int(t[AT_ROOT + UP]), int(t[AT_ROOT + TURNED])
    talon = int(t[AT_ROOT + TALON])
    more = True
    while more:
        more = False
        for c in range(t[WIDTH]):
            run = int(t[AT_BASE + c])
            if run and goes_up(up, card_at(run, 0)):
                up = put_up(up, card_at(run, 0))
                t[AT_BASE + c] = without(run, 1)
                score += t[PAYS_UP]
                more = True
        if turned and goes_up(up, int(t[AT_DEALT + turned - 1])):
            up = put_up(up, int(t[AT_DEALT + turned - 1]))
            score += t[PAYS_UP]
            talon &= ~(1 << (turned - 1))
            turned = waste_end(talon, turned - 1)
            more = True
    return score
