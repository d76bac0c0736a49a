"""Play games of Double Solitaire out as a careful person would: from plan to plan, nothing peeked at.

A plan goes up to the next card turned up or card of the talon played; the cheapest that a short search finds is taken.
Every plan leaves fewer cards face down or fewer in stock and waste, so that a game ends after some eighty of them.
"""

from __future__ import annotations

from bots.solver.double.playouts.packed import card_at, cards_up, goes_up, put_up, waste_end, without
from bots.solver.double.playouts.plans import plan
from bots.solver.double.playouts.play import copy_row, draw_unseen, follow, turn_up
from bots.solver.double.playouts.playtable import (
    AT_BASE,
    AT_DEALT,
    AT_DOWN,
    AT_ENDS,
    AT_HIDDEN,
    AT_LAID,
    AT_NODES,
    AT_ROOT,
    AT_ROOT_DOWN,
    AT_STARTS,
    AT_TURNS,
    AT_UNSEEN,
    BEST,
    COLUMNS,
    COST,
    COVERED,
    DEALT,
    DRAWS,
    ENTRY,
    KEYS,
    KNOWN,
    MOVES,
    NOTHING,
    PAYS_UP,
    RECYCLES,
    ROW,
    SCORE,
    SEED,
    TALON,
    TURNED,
    UP,
    WIDTH,
    Floats,
    Ints,
    Table,
    Weights,
)
from bots.solver.jit import compiled, inlined

__all__ = ["gathered", "plays_up", "set_out", "value_starts"]


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
