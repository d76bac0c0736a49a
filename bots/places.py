"""A worker's places: who gets the next one, so that whoever asks for many bots keeps out nobody who asks for few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from bots.wanted import Taken

__all__ = ["FEW", "WAITING", "Place", "Places"]

WAITING: Final = 512
"""Seats in races that have not begun: they cost a connection each, and no thinking."""
FEW: Final = 4
"""Seats that whoever asks for bots gets though all places are taken, unless twice as many seats as places are."""


class Place(Struct, frozen=True):
    """A seat that a worker holds: who asked for it, and whether its race has begun."""

    owner: str
    begun: bool


class Places:
    """How many seats one worker holds, and in which order wishes are seated.

    `playing` are the seats in races that have begun, which cost thinking.
    """

    def __init__(self, playing: int, waiting: int = WAITING) -> None:
        self._playing = playing
        self._waiting = waiting

    def next(self, hand: Sequence[Taken], held: Iterable[Place]) -> Taken | None:
        """Return which of the wishes taken is seated next: the oldest of who has fewest seats. None while it is full.

        Seats that wait for a race to begin do not count among those that play, and the other way round.
        """
        held = tuple(held)
        of = Counter(place.owner for place in held)
        # `min` keeps the first of those that are alike, and a hand is in the order in which wishes were taken.
        wish = min(hand, key=lambda taken: of[taken.owner], default=None)
        if wish is None:
            return None
        begun = sum(place.begun for place in held)
        room = begun < self._playing and len(held) - begun < self._waiting
        few = of[wish.owner] < FEW and len(held) < 2 * (self._playing + self._waiting)
        return wish if room or few else None
