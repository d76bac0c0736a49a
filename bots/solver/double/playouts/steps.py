"""The steps that a plan may take from a position, and what they cost."""

from __future__ import annotations

from bots.solver.double.playouts.frontier import keep, push, too_dear
from bots.solver.double.playouts.packed import card_at, drawn, goes_up, safe
from bots.solver.double.playouts.playtable import (
    AT_DEALT,
    AT_DOWN,
    AT_HOSTS,
    AT_NODES,
    AT_WANTED,
    CLASS,
    CLASSES,
    COLUMN_UP,
    COST,
    GATHER,
    KING,
    KNOWN,
    NARROW,
    ONE_PACK,
    RECYCLE,
    RED,
    ROW,
    RUN,
    TAKEN_BACK,
    TALON,
    TALON_DOWN,
    TALON_UP,
    TURNED,
    TURNS,
    UP,
    WIDTH,
    Ints,
    Weights,
)
from bots.solver.jit import inlined

__all__ = ["expand"]


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
