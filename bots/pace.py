"""How fast a player moves: seeded delays that can be played again."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import Final

from msgspec import Struct

__all__ = ["PACES", "Pace", "PaceError", "hesitation", "hurried", "pace_of"]

AT_ONCE: Final = 0.7
"""A move that needs no thought takes so much of the common time: two of three are such."""
LONGER: Final = 1.6
"""What a choice between equals takes on top."""


class Pace(Struct, frozen=True):
    """Moves per second on average; `jitter` is the spread of the delays' logarithm, 0 for even steps."""

    moves_per_s: float
    jitter: float = 0.4
    seed: int = 0

    def delays(self) -> Iterator[float]:
        """Yield the seconds to wait before each move, without end; the same seed yields the same delays."""
        chance = Random(self.seed)
        # The mean of a log-normal is exp(mu + sigma²/2): this mu keeps it at one step.
        mu = -math.log(self.moves_per_s) - self.jitter**2 / 2
        while True:
            yield chance.lognormvariate(mu, self.jitter)


def hesitation(difficulty: float | None) -> float:
    """Return how many times the common delay a choice takes, by its difficulty (0..1); 1 where that is not known.

    Over a game that comes to about 1: the moves that carry a plan out are quick, the choice of the plan is slow.
    """
    return 1.0 if difficulty is None else AT_ONCE + LONGER * difficulty


def hurried(delay: float, left_s: float, moves: int) -> float:
    """Return a delay that leaves time for so many more moves in the seconds left, should they all take as long."""
    return max(0.0, min(delay, left_s / (moves + 1)))


PACES = {"slow": 0.5, "steady": 1.0, "quick": 2.5, "fast": 8.0}
"""Moves per second by name; a race takes up to 30 plays a second from a seat."""


class PaceError(ValueError):
    """A text that names no pace."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(f"expected one of {', '.join(PACES)} or moves per second above 0, found {text!r}")


def pace_of(pace: str | float, seed: int = 0) -> Pace:
    """Read a pace by name (`quick`) or in moves per second (`2.5`). Raises PaceError."""
    try:
        moves_per_s = PACES[pace] if isinstance(pace, str) and pace in PACES else float(pace)
    except ValueError:
        raise PaceError(str(pace)) from None
    if not 0 < moves_per_s < math.inf:
        raise PaceError(str(pace))
    return Pace(moves_per_s, seed=seed)
