"""Games of one round through the stock, played out by habit: what looks best at once is played, else cards are drawn.

One takes ten to thirty microseconds, a third to a seventh of one that is played from plan to plan (`playout.py`), and
with no second round to plan for it comes to as many cards: so chance evens out sooner.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from bots.solver.double.playtable import CLASS, COLUMNS, KEYS, KING, MOST_ENDS, RED, Floats, Ints
from bots.solver.jit import compiled, inlined

__all__ = ["HABITS", "Habits", "Memory", "memory", "play_out", "value_starts"]

# Cards are written as in `playtable.py`. A position is a row of numbers: the columns, so many places each, then these.
TALL: Final = 24
HEIGHT: Final = COLUMNS * TALL
"""How many cards lie in each column, then how many of them face down."""
DOWN: Final = HEIGHT + COLUMNS
UP: Final = DOWN + COLUMNS
"""Heights of the foundations, two places for each suit."""
WASTE: Final = UP + 8
STOCK: Final = WASTE + 64
"""The cards to be drawn, the next one first."""
IN_WASTE: Final = STOCK + 64
DRAWN: Final = IN_WASTE + 1
"""Cards of the stock that have been drawn, and how many there were."""
IN_STOCK: Final = DRAWN + 1
ROW: Final = IN_STOCK + 1

# What is seen in it, after it: a kernel that hands over one array is several times as fast as one that does six.
HOSTS: Final = ROW
"""By class: how many columns end in such a card."""
WANTED: Final = HOSTS + 34
"""By class: how many runs on face-down cards begin with one."""
ENDS: Final = WANTED + 34
"""Each column's free card, 0 where it is empty."""
EMPTY: Final = ENDS + COLUMNS
"""An empty column, or -1."""
VALUE: Final = EMPTY + 1
"""What the best move is worth; then that move."""
BEST: Final = VALUE + 1
WORLD: Final = BEST + 4

UNSEEN: Final = 0
"""In the place of a card that is not known."""
ANYTHING: Final = -1000
"""Less than any move is worth: with nothing left to draw, whatever there is is done."""

# A move, from `BEST` on.
KIND: Final = 0
SOURCE: Final = 1
TARGET: Final = 2
CARDS: Final = 3
NOTHING: Final = 0
WASTE_UP: Final = 1
WASTE_DOWN: Final = 2
COLUMN_UP: Final = 3
RUN: Final = 4
PART: Final = 5
"""A part of a run moved, and the card that this frees put up."""


class Habits(NamedTuple):
    """What moves are worth, to be compared with each other and with a draw, which is worth nothing."""

    turns_up: int
    """A card put up that lay on a face-down one, and what it adds for each card that lies face down there."""
    deep: int
    put_up: int
    """A card put up that is hardly ever missed."""
    put_up_early: int
    """Another; and what it adds for each rank."""
    rank: int
    waste_put_up: int
    """The waste's top card put up, if it may be missed."""
    uncovers: int
    """A run moved off a face-down card, and what it adds for each card that lies face down there."""
    deep_run: int
    empties: int
    """A column emptied for a king."""
    parts: int
    """A part of a run moved, to put up the card that this frees."""
    laid: int
    """The waste's top card laid on a column."""
    new_place: int
    """More, where no column ends in a card like it."""
    next_goes_up: int
    """More, where the next card of the waste goes up; where it can be laid on a column."""
    next_is_laid: int


HABITS: Final = {
    1: Habits(60, 1, 50, 27, -2, 20, 42, 3, 24, 18, 36, 12, 13, 13),
    3: Habits(60, 3, 60, 30, 7, 35, 34, 2, 26, 27, 29, 0, 25, 0),
}
"""By cards a draw; found by trials over some hundred thousand deals each."""


class Memory(NamedTuple):
    """Memory of these games. A tuple, for numba.

    starts: the positions to choose from, row by row; world: one of them in a world; laid: the cards not seen, shuffled.
    """

    starts: Ints
    world: Ints
    laid: Ints
    habits: Habits


def memory(draw: int) -> Memory:
    """Make the memory for one thread, with the habits for so many cards a draw."""
    starts, world, laid = (np.zeros(count, np.int64) for count in (MOST_ENDS * ROW, WORLD, 128))
    return Memory(starts, world, laid, HABITS[draw])


@inlined
def goes_up(row: Ints, card: int) -> bool:
    """Tell whether a foundation takes a card."""
    at = UP + 2 * (card >> 4)
    return bool(row[at] == (card & 15) - 1 or row[at + 1] == (card & 15) - 1)


@inlined
def put_up(row: Ints, card: int) -> None:
    """Put a card on a foundation that takes it."""
    at = UP + 2 * (card >> 4)
    row[at if row[at] == (card & 15) - 1 else at + 1] += 1


@inlined
def hardly_missed(row: Ints, card: int) -> bool:
    """Tell whether all that could be laid on a card is up, or goes up by itself."""
    lower = (card & 15) - 1
    if lower > 1:
        for suit in range(1 - ((card >> 4) & 1), 4, 2):
            if row[UP + 2 * suit] < lower or row[UP + 2 * suit + 1] < lower:
                return False
    return True


@inlined
def consider(row: Ints, value: int, kind: int, source: int, target: int, cards: int) -> None:
    """Remember a move if it is the best so far."""
    if value > row[VALUE]:
        row[VALUE] = value
        row[BEST + KIND], row[BEST + SOURCE], row[BEST + TARGET], row[BEST + CARDS] = kind, source, target, cards


@inlined
def survey(row: Ints) -> None:
    """Look where cards can go, and what for."""
    for i in range(HOSTS, ENDS):
        row[i] = 0
    row[EMPTY] = -1
    for c in range(COLUMNS):
        height, down = int(row[HEIGHT + c]), int(row[DOWN + c])
        row[ENDS + c] = 0
        if height:
            row[ENDS + c] = row[TALL * c + height - 1]
            row[HOSTS + (row[ENDS + c] & CLASS)] += 1
            if down:
                row[WANTED + (row[TALL * c + down] & CLASS)] += 1
        elif row[EMPTY] < 0:
            row[EMPTY] = c


@inlined
def from_waste(row: Ints, h: Habits) -> None:
    """Consider what the waste's top card can do."""
    many, empty = int(row[IN_WASTE]), int(row[EMPTY])
    if many == 0:
        return
    card = int(row[WASTE + many - 1])
    kind, more = card & CLASS, 0
    if many > 1:
        after = int(row[WASTE + many - 2])
        if goes_up(row, after):
            more = h.next_goes_up
        elif (after & 15 == KING and empty >= 0) or row[HOSTS + ((after & CLASS) ^ RED) + 1]:
            more = h.next_is_laid
    if goes_up(row, card):
        worth = h.put_up if hardly_missed(row, card) else h.waste_put_up
        consider(row, worth + more, WASTE_UP, 0, 0, 1)
    if kind & 15 == KING:
        if empty >= 0:
            consider(row, h.laid + more, WASTE_DOWN, 0, empty, 1)
    elif row[HOSTS + (kind ^ RED) + 1]:
        worth = h.laid + more + (0 if row[HOSTS + kind] else h.new_place)
        for c in range(COLUMNS):
            if row[ENDS + c] & CLASS == (kind ^ RED) + 1:
                consider(row, worth, WASTE_DOWN, 0, c, 1)


@inlined
def column_end(row: Ints, h: Habits, c: int) -> None:
    """Consider putting a column's free card up."""
    down, card = int(row[DOWN + c]), int(row[ENDS + c])
    if goes_up(row, card):
        if down and row[HEIGHT + c] == down + 1:
            worth = h.turns_up + h.deep * down
        elif hardly_missed(row, card):
            worth = h.put_up
        else:
            worth = h.put_up_early + h.rank * (card & 15)
        consider(row, worth, COLUMN_UP, c, 0, 1)


@inlined
def worth_of_run(row: Ints, h: Habits, c: int, i: int) -> int:
    """Return what it is worth to move a column's cards from the one at i on; 0 where it leads nowhere."""
    down = int(row[DOWN + c])
    if i > down:
        # Moved in part, a run leaves an end just like the one it goes to: that helps only the card it frees.
        if not goes_up(row, int(row[TALL * c + i - 1])):
            return 0
        return h.parts + (h.turns_up + h.deep * down if down and i == down + 1 else 0)
    if down:
        return h.uncovers + h.deep_run * down
    top = int(row[WASTE + row[IN_WASTE] - 1]) if row[IN_WASTE] else UNSEEN
    a_king_waits = row[WANTED + KING] or row[WANTED + (KING | RED)] or top & 15 == KING
    return h.empties if a_king_waits and row[TALL * c] & 15 != KING else 0


@inlined
def runs(row: Ints, h: Habits, c: int) -> None:
    """Consider moving a column's cards, all that are face up or a part of them."""
    height, down, empty = int(row[HEIGHT + c]), int(row[DOWN + c]), int(row[EMPTY])
    for i in range(down, height):
        kind = int(row[TALL * c + i]) & CLASS
        if not row[HOSTS + (kind ^ RED) + 1] and (kind & 15 != KING or i > down or empty < 0):
            continue
        worth = worth_of_run(row, h, c, i)
        if worth == 0:
            continue
        if kind & 15 == KING:
            consider(row, worth, RUN, c, empty, height - i)
            continue
        for target in range(COLUMNS):
            if row[ENDS + target] & CLASS == (kind ^ RED) + 1:
                consider(row, worth, RUN if i == down else PART, c, target, height - i)


@inlined
def make(row: Ints) -> None:
    """Make the best move."""
    kind, source = int(row[BEST + KIND]), int(row[BEST + SOURCE])
    target, cards = int(row[BEST + TARGET]), int(row[BEST + CARDS])
    if kind in (WASTE_UP, WASTE_DOWN):
        row[IN_WASTE] -= 1
        card = int(row[WASTE + row[IN_WASTE]])
        if kind == WASTE_UP:
            put_up(row, card)
        else:
            row[TALL * target + row[HEIGHT + target]] = card
            row[HEIGHT + target] += 1
        return
    if kind != COLUMN_UP:
        row[HEIGHT + source] -= cards
        for i in range(cards):
            row[TALL * target + row[HEIGHT + target]] = row[TALL * source + row[HEIGHT + source] + i]
            row[HEIGHT + target] += 1
    if kind != RUN:
        row[HEIGHT + source] -= 1
        put_up(row, int(row[TALL * source + row[HEIGHT + source]]))
    if row[DOWN + source] and row[HEIGHT + source] == row[DOWN + source]:
        row[DOWN + source] -= 1


@inlined
def draw_cards(row: Ints, draw: int) -> None:
    """Draw so many cards, or what is left."""
    for _ in range(min(draw, row[IN_STOCK] - row[DRAWN])):
        row[WASTE + row[IN_WASTE]] = row[STOCK + row[DRAWN]]
        row[IN_WASTE] += 1
        row[DRAWN] += 1


@compiled
def play_out(row: Ints, h: Habits, draw: int) -> int:
    """Play a position out, all cards in their places; returns how many are up at the end.

    Every move puts a card up, uncovers one, takes one from the waste, or empties a column that only a king goes to.
    """
    while True:
        survey(row)
        row[VALUE], row[BEST + KIND] = 0 if row[DRAWN] < row[IN_STOCK] else ANYTHING, NOTHING
        from_waste(row, h)
        for c in range(COLUMNS):
            if row[ENDS + c]:
                column_end(row, h, c)
                runs(row, h, c)
        if row[BEST + KIND] != NOTHING:
            make(row)
        elif row[DRAWN] < row[IN_STOCK]:
            draw_cards(row, draw)
        else:
            break
    up = 0
    for place in range(8):
        up += row[UP + place]
    return up


@inlined
def shuffled(m: Memory, unseen: Ints, cards: int, seed: int) -> None:
    """Lay the first cards of those not seen in an order that follows from the seed; -1 leaves them in theirs."""
    for i in range(cards):
        m.laid[i] = unseen[i]
    if seed >= 0:
        chance = (seed * 0x1F58476D1CE4E5B9) & KEYS
        for i in range(cards - 1, 0, -1):
            chance = (chance * 0x5851F42D4C957F2D + 0x14057B7EF767814F) & KEYS
            other = ((chance >> 29) * (i + 1)) >> 32
            m.laid[i], m.laid[other] = m.laid[other], m.laid[i]


@inlined
def place_laid(m: Memory, start: int) -> None:
    """Make a start the world, with the cards as they are laid in the places of those not seen, always in one order."""
    at, row = 0, m.world
    for i in range(ROW):
        row[i] = m.starts[start * ROW + i]
    for c in range(COLUMNS):
        for i in range(row[HEIGHT + c]):
            if row[TALL * c + i] == UNSEEN:
                row[TALL * c + i] = m.laid[at]
                at += 1
    for i in range(row[IN_WASTE]):
        if row[WASTE + i] == UNSEEN:
            row[WASTE + i] = m.laid[at]
            at += 1
    for i in range(row[DRAWN], row[IN_STOCK]):
        if row[STOCK + i] == UNSEEN:
            row[STOCK + i] = m.laid[at]
            at += 1


@compiled
def value_starts(
    m: Memory, starts: Ints, draw: int, unseen: Ints, cards: int, seed: int, results: Floats, first: int, last: int
) -> None:
    """Play starts out in the same shuffles of so many cards, and write down how many cards came to be up.

    results[start, shuffle], for the shuffles from `first` to `last`.
    """
    for shuffle in range(first, last):
        shuffled(m, unseen, cards, seed + shuffle if seed >= 0 else -1)
        for start in starts:
            place_laid(m, start)
            results[start, shuffle] = play_out(m.world, m.habits, draw)
