"""What both searches keep of themselves in `mark`, where each number stands, and how large things are."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Int64"]

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
