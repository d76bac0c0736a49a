"""What looks best at once: what each move is worth by habit, and which is the best."""

from __future__ import annotations

from typing import Final, NamedTuple

from bots.solver.double.one_round.row import (
    BEST,
    CARDS,
    COLUMN_UP,
    DOWN,
    EMPTY,
    ENDS,
    HEIGHT,
    HOSTS,
    IN_WASTE,
    KIND,
    PART,
    RUN,
    SOURCE,
    TALL,
    TARGET,
    UNSEEN,
    VALUE,
    WANTED,
    WASTE,
    WASTE_DOWN,
    WASTE_UP,
    goes_up,
    hardly_missed,
)
from bots.solver.double.playouts.playtable import CLASS, COLUMNS, KING, RED, Ints
from bots.solver.jit import inlined

__all__ = ["HABITS", "Habits", "column_end", "from_waste", "runs", "survey"]


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
