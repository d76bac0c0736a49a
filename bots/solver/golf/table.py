"""What the kernels of the fair player work on: a position's columns, and room to work in."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.solver.golf.guesses import HIDDEN, Floats
from bots.solver.golf.position import MAX_STOCK, Masks, Ranks

STATES: Final = 3000
"""States looked at before a draw; few positions have a tenth of that."""
SLOTS: Final = 1 << 14
DEEPEST: Final = 3
"""Levels of `expect`."""
CLEARED: Final = 36
"""How a game ends, as one number: the cards left, 1..35, or for one cleared this and the draws after the next one."""
ENDS: Final = CLEARED + MAX_STOCK

Worth = NDArray[np.float64]
"""Values, such as what a game counts that ends so: ENDS of them."""
Ints = NDArray[np.int64]


class Table(NamedTuple):
    """A position's columns for the kernels; `face` and `accept` as in the exhaustive search."""

    face: Masks
    accept: Masks
    fits: Masks
    columns: Floats
    """7 × 6 × HIDDEN: what each column adds to the hidden layer at each height."""
    waits: bool


class Scratch(NamedTuple):
    """Room for one thread's work, by level of `expect`; level 0 is free for the caller's own ends."""

    slots: Ints
    tick: Ints
    states: Ints
    parents: Ints
    todo: Ints
    ends: Ints
    heights: Ints
    rank: Ints
    end: Ints
    ends_found: Ints
    best: Worth
    total: Worth
    stock: Floats
    world: Ranks
    seed: NDArray[np.uint64]


def scratch(seed: int) -> Scratch:
    """Make room for a player; its shuffles follow from the seed."""
    return Scratch(
        slots=np.zeros(SLOTS, np.int64),
        tick=np.zeros(1, np.int64),
        states=np.zeros(STATES + 8, np.int64),
        parents=np.zeros(STATES + 8, np.int64),
        todo=np.zeros(STATES + 8, np.int64),
        ends=np.zeros((DEEPEST + 1, STATES + 8), np.int64),
        heights=np.zeros(DEEPEST + 2, np.int64),
        rank=np.zeros(DEEPEST + 2, np.int64),
        end=np.zeros(DEEPEST + 2, np.int64),
        ends_found=np.zeros(DEEPEST + 2, np.int64),
        best=np.zeros(DEEPEST + 2),
        total=np.zeros(DEEPEST + 2),
        stock=np.zeros((20, HIDDEN), np.float32),
        world=np.zeros(20, np.int8),
        seed=np.array([(seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) % 2**64 | 1], np.uint64),
    )
