"""Play games of Double Solitaire out as a careful person would: from plan to plan, nothing peeked at.

A plan goes up to the next card turned up or card of the talon played; the cheapest that a short search finds is taken.
Every plan leaves fewer cards face down or fewer in stock and waste, so that a game ends after some eighty of them.
"""

from __future__ import annotations

from bots.solver.double.playtable import (
    BEST,
    CLASS,
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
def too_dear(t: Table, cost: int) -> bool:
    """Tell whether as many ends as are kept cost no more than this."""
    return bool(t.mark[ENDS] == t.mark[MOST] and cost >= t.ends[3 * (t.mark[MOST] - 1)])


@inlined
def push(t: Table, parent: int, step: int, cost: int) -> None:
    """Put a step in the queue: the cheapest first, of equals the earliest."""
    mark, heap = t.mark, t.heap
    entry = mark[ENTRIES]
    if entry >= MOST_ENTRIES:
        return
    mark[ENTRIES] = entry + 1
    t.parents[entry], t.steps[entry] = parent, step
    key = cost << ORDER_BITS | entry
    at = mark[HEAP]
    mark[HEAP] = at + 1
    while at > 0 and heap[(at - 1) >> 1] > key:
        heap[at] = heap[(at - 1) >> 1]
        at = (at - 1) >> 1
    heap[at] = key


@inlined
def pop(t: Table) -> int:
    """Take the first step out of the queue."""
    heap = t.heap
    first, size = int(heap[0]), int(t.mark[HEAP]) - 1
    t.mark[HEAP] = size
    key = heap[size]
    at = 0
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= key:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = key
    return first


@inlined
def keep(t: Table, parent: int, step: int, cost: int) -> None:
    """Keep an end if it is among the cheapest."""
    mark, ends = t.mark, t.ends
    at = mark[ENDS]
    if at == mark[MOST]:
        if ends[3 * (at - 1)] <= cost:
            return
        at -= 1
    else:
        mark[ENDS] = at + 1
    while at > 0 and ends[3 * (at - 1)] > cost:
        for i in range(3):
            ends[3 * at + i] = ends[3 * (at - 1) + i]
        at -= 1
    ends[3 * at], ends[3 * at + 1], ends[3 * at + 2] = cost, parent, step


@inlined
def follow(t: Table, rows: Ints, at: int, step: int) -> bool:
    """Make a step in the position written in `rows` from `at` on; tells whether it uncovers a face-down card."""
    mark = t.mark
    kind, source, target, cards = step & 7, (step >> 3) & 63, (step >> 9) & 15, (step >> 13) & 15
    rows[at + MOVES] += 1
    if kind == RUN:
        run = int(rows[at + source])
        rows[at + target] = joined(int(rows[at + target]), run, cards)
        rows[at + source] = without(run, cards)
    elif kind == COLUMN_UP:
        run = int(rows[at + source])
        rows[at + UP] = put_up(int(rows[at + UP]), card_at(run, 0))
        rows[at + source] = without(run, 1)
        rows[at + SCORE] += mark[PAYS_UP]
    elif kind == TAKEN_BACK:
        # What it paid is taken off here, for under the option O it pays nothing the second time.
        rows[at + UP] = taken_back(int(rows[at + UP]), source)
        rows[at + target] = with_card(int(rows[at + target]), source)
        rows[at + SCORE] -= mark[PAYS_UP]
    else:
        card = int(t.dealt[source])
        recycled = (step >> 24) & 1
        if recycled:
            rows[at + SCORE] -= min(100, rows[at + SCORE])
        rows[at + MOVES] += ((step >> 17) & 127) + recycled
        talon = int(rows[at + TALON]) & ~(1 << source)
        turned = source
        while turned > 0 and not (talon >> (turned - 1)) & 1:
            turned -= 1
        rows[at + TALON], rows[at + TURNED] = talon, turned
        if kind == TALON_UP:
            rows[at + UP] = put_up(int(rows[at + UP]), card)
            rows[at + SCORE] += mark[PAYS_UP]
        else:
            rows[at + target] = with_card(int(rows[at + target]), card)
            rows[at + SCORE] += mark[PAYS_DOWN]
    return bool(kind <= RUN and rows[at + source] == 0 and t.down[source] > 0)


@inlined
def fresh(t: Table, at: int) -> bool:
    """Enter a node's position in the table of those seen; False when it is there."""
    key = 1
    for i in range(TURNED + 1):
        key = ((key ^ int(t.nodes[at + i])) * 0x1F58476D1CE4E5B9) & KEYS
        key ^= key >> 29
    entry = (key & ~STAMPS) | t.mark[STAMP]
    slot = (key ^ (key >> 20)) & (SLOTS - 1)
    while t.seen[slot] & STAMPS == t.mark[STAMP]:
        if t.seen[slot] == entry:
            return False
        slot = (slot + 1) & (SLOTS - 1)
    t.seen[slot] = entry
    return True


@inlined
def survey(t: Table, at: int) -> None:
    """Look in a node's position where cards can go, and what for."""
    t.hosts[:] = 0
    t.wanted[:] = 0
    for c in range(t.mark[WIDTH]):
        run = int(t.nodes[at + c])
        if run == 0:
            if t.hosts[KING + 1] == 0:
                t.hosts[KING + 1] = t.hosts[KING + 1 | RED] = 1 << c
        else:
            t.hosts[(run >> 4) & CLASS] |= 1 << c
            if t.down[c]:
                t.wanted[((card_at(run, (run & 15) - 1) & CLASS) ^ RED) + 1] += 1


@inlined
def talon_card(t: Table, n: int, card: int, step: int, price: int, of_use: int) -> None:
    """List what a card of the talon can do once it is drawn."""
    mark, w, wanted = t.mark, t.weights, t.wanted
    kind = card & CLASS
    if goes_up(int(t.nodes[n * ROW + UP]), card):
        push(t, n, TALON_UP | step, price + w.to_foundation)
        keep(t, n, TALON_UP | step, price + w.to_foundation + w.turned_none)
    onto = int(t.hosts[(kind ^ RED) + 1])
    if onto == 0:
        return
    takers = 0
    for target in range(mark[WIDTH]):
        takers += (onto >> target) & 1
    ending = w.turned_none
    if wanted[(kind ^ RED) + 1] >= takers:
        ending += w.taken_place
    if wanted[kind]:
        ending -= w.given_place
    for target in range(mark[WIDTH]):
        if (onto >> target) & 1:
            if not mark[NARROW] or (of_use >> kind) & 1:
                push(t, n, TALON_DOWN | step | target << 9, price + w.to_column)
            keep(t, n, TALON_DOWN | step | target << 9, price + w.to_column + ending)


@inlined
def talon_steps(t: Table, n: int) -> int:  # noqa: C901 (one kernel: numba inlines it)
    """List what the cards of waste and stock can do; returns the classes of those within reach, as bits.

    First the waste's top, then what draws bring to the top, as far as it has been seen, then what a recycle does.
    """
    nodes, mark, w, wanted = t.nodes, t.mark, t.weights, t.wanted
    at = n * ROW
    cost, talon, p = int(nodes[at + COST]), int(nodes[at + TALON]), int(nodes[at + TURNED])
    of_use = 0
    for kind in range(2, 32):
        if wanted[kind]:
            # The card looked for itself, or one that can lead to it: up to two ranks higher.
            of_use |= 1 << kind | 1 << (kind ^ RED) + 1 | 1 << kind + 2
    reached, listed, passed = 0, 0, 0
    draws, recycled = 0, 0
    while talon:
        if p:
            if recycled and (passed >> p) & 1:
                break
            passed |= 1 << p
            price = cost + draws * w.draw + recycled * mark[RECYCLE]
            if mark[NARROW] and too_dear(t, price):
                break  # So is all that comes after.
            card = int(t.dealt[p - 1])
            if not (listed >> card) & 1:  # An equal card is nearer.
                listed |= 1 << card
                reached |= 1 << (card & CLASS)
                talon_card(t, n, card, (p - 1) << 3 | draws << 17 | recycled << 24, price, of_use)
        if talon >> p:
            for _ in range(mark[TURNS]):
                if talon >> p:
                    p = next_set(talon, p) + 1
            draws += 1
            if p > mark[KNOWN]:
                break
        elif recycled or mark[RECYCLE] < 0:
            break
        else:
            recycled, p = 1, 0
    return reached


@inlined
def column_steps(t: Table, n: int, c: int) -> None:
    """List what a column's cards can do."""
    nodes, mark, w, hosts = t.nodes, t.mark, t.weights, t.hosts
    at = n * ROW
    cost, up, run, covers = int(nodes[at + COST]), int(nodes[at + UP]), int(nodes[at + c]), int(t.down[c])
    size = run & 15
    if goes_up(up, card_at(run, 0)):
        if size == 1 and covers:
            keep(t, n, COLUMN_UP | c << 3, cost + w.put_up - w.buried * covers)
        else:
            push(t, n, COLUMN_UP | c << 3, cost + w.put_up)
            if mark[GATHER]:
                keep(t, n, COLUMN_UP | c << 3, cost + w.put_up)
    for cards in range(1, size + 1):
        lower = card_at(run, cards - 1)
        if cards < size:
            # Moved in part, a run leaves an end just like the one it goes to: that helps only the card it frees.
            if not goes_up(up, card_at(run, cards)):
                continue
        elif not covers and lower & 15 == KING:
            continue  # A king's run on an empty column's ground gains nothing elsewhere.
        onto = int(hosts[((lower & CLASS) ^ RED) + 1])
        for target in range(mark[WIDTH]):
            if (onto >> target) & 1 and target != c:
                step = RUN | c << 3 | target << 9 | cards << 13
                if cards < size:
                    push(t, n, step, cost + w.part)
                elif covers:
                    keep(t, n, step, cost + w.run - w.buried * covers)
                else:
                    push(t, n, step, cost + w.run)


@inlined
def back_steps(t: Table, n: int, reached: int) -> None:
    """List the cards that can be taken back to hold a run, or a card of the talon within reach."""
    nodes, mark = t.nodes, t.mark
    at = n * ROW
    cost, up = int(nodes[at + COST]), int(nodes[at + UP])
    for place in range(8):
        suit, lower = place >> 1, place & 1
        tall, low = (up >> (suit << 3)) & 15, (up >> ((suit << 3) + 4)) & 15
        rank = low if (lower or mark[ONE_PACK]) else tall
        # Aces have nothing to hold, and of two equal tops one is enough.
        if rank < 2 or (lower and (low == tall or mark[ONE_PACK])):
            continue
        kind = (suit & 1) << 4 | rank
        if not t.wanted[kind] and (mark[NARROW] or not (reached >> ((kind ^ RED) - 1)) & 1):
            continue
        onto = int(t.hosts[(kind ^ RED) + 1])
        for target in range(mark[WIDTH]):
            if (onto >> target) & 1:
                push(t, n, TAKEN_BACK | (suit << 4 | rank) << 3 | target << 9, cost + t.weights.taken_back)


@inlined
def expand(t: Table, n: int) -> None:
    """List what can be done in a node's position."""
    nodes, mark = t.nodes, t.mark
    at = n * ROW
    up = int(nodes[at + UP])
    for c in range(mark[WIDTH]):
        run = int(nodes[at + c])
        if run and (run & 15 > 1 or not t.down[c]):
            card = card_at(run, 0)
            if goes_up(up, card) and safe(up, card):
                # It is never missed and turns none up: all else can be done after it.
                push(t, n, COLUMN_UP | c << 3, int(nodes[at + COST]))
                if mark[GATHER]:
                    keep(t, n, COLUMN_UP | c << 3, int(nodes[at + COST]))
                return
    survey(t, at)
    for c in range(mark[WIDTH]):
        if nodes[at + c]:
            column_steps(t, n, c)
    reached = talon_steps(t, n)
    if not mark[GATHER]:  # Else what is gathered could be taken back for ever.
        back_steps(t, n, reached)


@compiled
def search(t: Table, limit: int) -> int:
    """Find the cheapest plans from the base within so many positions; returns how many ends were kept."""
    mark, nodes = t.mark, t.nodes
    mark[STAMP] += 1
    if mark[STAMP] > STAMPS:
        mark[STAMP] = 1
        t.seen[:] = 0
    mark[HEAP] = mark[ENTRIES] = mark[ENDS] = 0
    n = 0
    while n < limit:
        at, cost, entry = n * ROW, 0, -1
        if n == 0:
            for i in range(ROW):
                nodes[i] = t.base[i]
        elif mark[HEAP]:
            key = pop(t)
            cost, entry = key >> ORDER_BITS, key & ((1 << ORDER_BITS) - 1)
            if too_dear(t, cost):
                break
            of = int(t.parents[entry]) * ROW
            for i in range(ROW):
                nodes[at + i] = nodes[of + i]
            follow(t, nodes, at, int(t.steps[entry]))
        else:
            break
        if fresh(t, at):
            nodes[at + COST], nodes[at + ENTRY] = cost, entry
            expand(t, n)
            n += 1
    mark[NODES] += n
    return int(mark[ENDS])


@compiled
def plan(t: Table, most: int) -> int:
    """Find plans from the base: in this round through the stock, then with a recycle, then more widely."""
    mark = t.mark
    mark[MOST], mark[NARROW], mark[RECYCLE], mark[GATHER] = most, 1, -1, 0
    found = search(t, mark[IN_ROUND])
    if found or mark[KNOWN] < mark[DEALT]:
        return found
    if mark[RECYCLES]:
        mark[RECYCLE] = t.weights.recycle + t.weights.per_point * min(100, t.base[SCORE])
        found = search(t, mark[NEXT_ROUND])
    if found == 0:
        mark[NARROW] = 0
        found = search(t, mark[WIDELY])
    if found == 0 and mark[GATHERS]:
        mark[GATHER] = 1
        found = search(t, mark[IN_ROUND])
    return found


@inlined
def turn_up(t: Table, c: int) -> None:
    """Turn up the card that has been uncovered in a column."""
    t.down[c] -= 1
    t.mark[COVERED] -= 1
    card = int(t.hidden[COLUMNS * c + t.down[c]])
    t.base[c] = with_card(0, card)
    t.base[SCORE] += t.mark[PAYS_TURN]


@inlined
def draw_unseen(t: Table) -> None:
    """Draw cards that have not been seen."""
    talon, p = int(t.base[TALON]), int(t.base[TURNED])
    for _ in range(t.mark[TURNS]):
        if talon >> p:
            p = next_set(talon, p) + 1
    t.base[TURNED] = p
    t.base[MOVES] += 1
    t.mark[KNOWN] = max(t.mark[KNOWN], p)


@compiled
def go_on(t: Table) -> bool:
    """Follow the cheapest plan from the base, or draw cards not seen; False when there is neither."""
    mark, base = t.mark, t.base
    if plan(t, 1):
        for i in range(ROW):
            base[i] = t.nodes[t.ends[1] * ROW + i]
        step = int(t.ends[2])
        if follow(t, base, 0, step):
            turn_up(t, (step >> 3) & 63)
    elif mark[KNOWN] < mark[DEALT] and int(base[TALON]) >> int(base[TURNED]):
        draw_unseen(t)
    else:
        return False
    mark[BEST] = max(mark[BEST], base[SCORE])
    return True


@compiled
def play_out(t: Table) -> bool:
    """Play the base out; tells whether it is won, with recycling as soon as no card is hidden.

    Nearly always a game can be won then: of 516 such positions, three cards a draw, the exact solver won every one.
    """
    mark = t.mark
    mark[BEST] = t.base[SCORE]
    while mark[COVERED] or mark[KNOWN] < mark[DEALT] or not mark[RECYCLES]:
        if not go_on(t):
            break
    return bool((mark[RECYCLES] and not mark[COVERED]) or cards_up(int(t.base[UP])) == 104)


@inlined
def start_from_root(t: Table) -> None:
    """Make the root the base."""
    for i in range(ROW):
        t.base[i] = t.root[i]
    for c in range(COLUMNS):
        t.down[c] = t.root_down[c]


@compiled
def plays_up(t: Table) -> bool:
    """Tell whether plans alone win at the root, where no card is hidden: every card of the talon can be played."""
    start_from_root(t)
    while t.base[TALON]:
        if not go_on(t):
            return False
    return True


@compiled
def set_out(t: Table, most: int) -> int:
    """Find plans from the root and write down the positions they lead to, each once, as starts; returns how many."""
    start_from_root(t)
    count = 0
    for end in range(plan(t, most)):
        parent, step = int(t.ends[3 * end + 1]), int(t.ends[3 * end + 2])
        at = count * ROW
        for i in range(ROW):
            t.starts[at + i] = t.nodes[parent * ROW + i]
        t.turns[count] = (step >> 3) & 63 if follow(t, t.starts, at, step) else NOTHING
        new = True
        for other in range(count):
            same = t.turns[other] == t.turns[count]
            for i in range(TURNED + 1):
                same = same and t.starts[other * ROW + i] == t.starts[at + i]
            new = new and not same
        if new:
            t.starts[at + COST], t.starts[at + ENTRY] = t.ends[3 * end], end
            count += 1
    return count


@inlined
def deal_unseen(t: Table, cards: int, shuffle: int) -> None:
    """Lay the cards not seen, so many, where they may lie: in the shuffle of that number, or with seed -1 in order."""
    mark, laid = t.mark, t.laid
    for i in range(cards):
        laid[i] = t.unseen[i]
    if mark[SEED] >= 0:
        chance = ((int(mark[SEED]) + shuffle) * 0x1F58476D1CE4E5B9) & KEYS
        for i in range(cards - 1, 0, -1):
            chance = (chance * 0x5851F42D4C957F2D + 0x14057B7EF767814F) & KEYS
            other = ((chance >> 29) * (i + 1)) >> 32
            laid[i], laid[other] = laid[other], laid[i]
    at = 0
    for c in range(COLUMNS):
        for i in range(t.root_down[c]):
            t.hidden[COLUMNS * c + i] = laid[at]
            at += 1
    for i in range(cards - at):
        t.dealt[mark[DEALT] - 1 - i] = laid[at + i]


@compiled
def value_starts(t: Table, starts: Ints, cards: int, worth: Floats, results: Floats, first: int, last: int) -> None:
    """Play starts out in the same shuffles of so many cards, and write down what each game was worth.

    results[start, shuffle], for the shuffles from `first` to `last`; worth: of a win, a point, a move less, a card less
    that is still face down.
    """
    mark, base = t.mark, t.base
    known, covered = int(mark[KNOWN]), int(mark[COVERED])
    for shuffle in range(first, last):
        deal_unseen(t, cards, shuffle)
        for start in starts:
            for i in range(ROW):
                base[i] = t.starts[start * ROW + i]
            for c in range(COLUMNS):
                t.down[c] = t.root_down[c]
            mark[KNOWN], mark[COVERED] = known, covered
            if t.turns[start] == DRAWS:
                draw_unseen(t)
            elif t.turns[start] != NOTHING:
                turn_up(t, int(t.turns[start]))
            won = play_out(t)
            score, moves = mark[BEST], base[MOVES]
            if won:
                left = 104 - cards_up(int(base[UP]))
                score, moves = max(score, base[SCORE] + left * mark[PAYS_UP]), moves + left
            value = won * worth[0] + score * worth[1] - moves * worth[2] - mark[COVERED] * worth[3]
            results[start, shuffle] = value
    mark[KNOWN], mark[COVERED] = known, covered


@compiled
def gathered(t: Table) -> int:
    """Return the score at the root once all that can go up is up, without a draw."""
    mark = t.mark
    start_from_root(t)
    score, up, turned = int(t.root[SCORE]), int(t.root[UP]), int(t.root[TURNED])
    talon = int(t.root[TALON])
    more = True
    while more:
        more = False
        for c in range(mark[WIDTH]):
            run = int(t.base[c])
            if run and goes_up(up, card_at(run, 0)):
                up = put_up(up, card_at(run, 0))
                t.base[c] = without(run, 1)
                score += mark[PAYS_UP]
                more = True
        if turned and goes_up(up, int(t.dealt[turned - 1])):
            up = put_up(up, int(t.dealt[turned - 1]))
            score += mark[PAYS_UP]
            talon &= ~(1 << (turned - 1))
            while turned > 0 and not (talon >> (turned - 1)) & 1:
                turned -= 1
            more = True
    return score
