"""What makes heights of the columns look bad to a beam: a cost for every draw and for every card left.

The weights were climbed to: single ones changed at random, for as long as a beam of 16 found more wins on 400 deals. On
other deals it then found 6 % more under Classic and 3 % more under Easy than by draws and even heights alone.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from bots.solver.golf.position import Int64, Switches

__all__ = ["BURIED", "DRAW", "EARLY", "FOLLOWS", "HIGH", "NEAR_TWINS", "RANK", "TWINS", "costs"]

# Where each weight stands.
DRAW: Final = 0
EARLY: Final = 1
"""Of a draw, for each card left."""
HIGH: Final = 2
"""Of a card: once for the deepest of a column, three times for the next, then five times…: even heights cost least."""
FOLLOWS: Final = 3
"""It fits on the card under it."""
TWINS: Final = 4
"""The card under it has the same rank."""
NEAR_TWINS: Final = 5
"""The card under that one has the same rank."""
RANK: Final = 6
"""Fourteen, the joker's first."""
BURIED: Final = RANK + 14
"""The same, for each card that lies on it in a whole column."""

_JOINED: Final = np.array((157, 0, 32, -124, -102, 33, *[0] * 28))
_PARTED: Final = np.array(
    (
        *(197, 0, 35, -65, -2, 16),
        *(0, 0, -4, 15, 34, 0, -49, 11, -49, 0, 34, 15, -4, 0),
        *(0, 4, -1, -16, -19, -8, 0, -20, 0, -8, -19, -16, -1, 4),
    )
)


def costs(switches: Switches) -> Int64:
    """Return the weights for rules: where king and ace are joined all ranks are alike."""
    return _JOINED if switches.wrap else _PARTED
