"""Steps made, and cards turned up and drawn, in positions written row by row."""

from __future__ import annotations

from bots.solver.double.playouts.packed import card_at, drawn, joined, put_up, taken_back, waste_end, with_card, without
from bots.solver.double.playouts.playtable import (
    AT_BASE,
    AT_DEALT,
    AT_DOWN,
    AT_HIDDEN,
    COLUMN_UP,
    COLUMNS,
    COVERED,
    KNOWN,
    MOVES,
    PAYS_DOWN,
    PAYS_TURN,
    PAYS_UP,
    ROW,
    RUN,
    SCORE,
    TAKEN_BACK,
    TALON,
    TALON_UP,
    TURNED,
    TURNS,
    UP,
    Ints,
)
from bots.solver.jit import inlined

__all__ = ["copy_row", "draw_unseen", "follow", "turn_up"]


@inlined
def copy_row(t: Ints, source: int, target: int) -> None:
    """Copy the position written from one place on to another."""
    for i in range(ROW):
        t[target + i] = t[source + i]


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
