"""What both searches keep of themselves in `mark`, where each number stands, and how large things are."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bots.solver.double.position import Position, Setting
from bots.solver.jit import compiled, inlined

__all__ = ["Int64", "begin", "mixed", "next_round"]

Int64 = NDArray[np.int64]

COLUMNS: Final = 9
TALL: Final = 24
"""Places in a column: more than the 8 face-down cards and the run of 13 that can lie there."""
KEYS: Final = (1 << 61) - 1
"""Mask of a key. Keys are added under it, so that neither int64 nor plain Python ever overflows."""
DEEPEST: Final = 4096
MOVES: Final = 1 << 17
ROUNDS: Final = 4095
"""Searches before the table has to be cleared; their number is the lower part of its entries."""

# Where the numbers of a search stand in `mark`: it can be stopped after any state and taken up again.
DRAW: Final = 0
RECYCLES: Final = 1
PACKS: Final = 2
SUITS: Final = 3
KING: Final = 4
"""The highest rank."""
WIDTH: Final = 5
"""Columns."""
CARDS: Final = 6
"""Cards in the whole pack."""
RESERVE: Final = 7
"""Cards of waste and stock together; the waste is the first `TURNED`."""
TURNED: Final = 8
UP: Final = 9
"""Cards on the foundations."""
COVERED: Final = 10
"""Cards face down."""
KEY: Final = 11
"""Sum of the keys of all columns and of the reserve."""
DEPTH: Final = 12
STATUS: Final = 13
NODES: Final = 14
ROUND: Final = 15
SLOTS: Final = 16
"""Mask of the part of the table that is used."""
ENTERED: Final = 17
CHANCE: Final = 18
NOISE: Final = 19
"""How much chance there is in the order of the moves; 0 for none."""
WHOLE: Final = 20
"""1 to try every move that could be needed, 0 to try only those that look like leading on."""
CUT: Final = 21
"""1 once a state was left aside because the path to it had grown too long."""
BEST_UP: Final = 22
BEST_DEPTH: Final = 23
PASSED_OVER: Final = 24
"""The most cards that a state might have come to that was left aside as not worth it."""
MARKS: Final = 25

RUNNING: Final = 0
EXHAUSTED: Final = 1
WON: Final = 2
FULL: Final = 3
NEW: Final = 4


def begin(mark: Int64, position: Position, setting: Setting) -> None:
    """Write down what is to be searched, all but its key, and that nothing of it has been searched yet."""
    mark[DRAW], mark[RECYCLES], mark[PACKS] = setting.draw, setting.recycles, setting.packs
    mark[SUITS], mark[KING], mark[CARDS] = setting.suits, setting.ranks, setting.cards
    mark[WIDTH], mark[RESERVE] = len(position.columns), len(position.reserve)
    mark[TURNED], mark[COVERED] = position.turned, sum(position.down)
    mark[UP] = mark[BEST_UP] = setting.cards - sum(map(len, position.columns)) - len(position.reserve)
    for number in (DEPTH, NODES, CUT, PASSED_OVER, BEST_DEPTH):
        mark[number] = 0
    mark[STATUS] = NEW


@inlined
def mixed(key: int) -> int:
    """Scatter a key."""
    key = ((key ^ (key >> 31)) * 0x1F58476D1CE4E5B9) & KEYS
    key = ((key ^ (key >> 29)) * 0x14D049BB133111EB) & KEYS
    return key ^ (key >> 32)


@compiled
def next_round(mark: Int64, seen: Int64) -> None:
    """Forget all states of a search's table."""
    mark[ENTERED] = 0
    mark[ROUND] += 1
    if mark[ROUND] > ROUNDS:
        mark[ROUND] = 1
        seen[:] = 0
