"""The random player."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from bots.player import DONE, Budget, Choice, Seat


class Dice:
    """Plays any legal move with equal chance, in any game."""

    def __init__(self, seat: Seat) -> None:
        self._chance = Random(seat.seed)

    def choose(self, view: Mapping[str, Any], budget: Budget) -> Choice:
        """Pick a legal word, or settle when there is none."""
        legal = view["legal"]
        return Choice(self._chance.choice(legal) if legal else DONE)
