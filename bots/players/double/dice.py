"""The random player of Double Solitaire."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from bots.player import DONE, Budget, Choice, Seat
from bots.players.double.sight import look

PATIENCE: Final = 100
"""Moves that bring the game no further before it settles: some rounds through the stock."""
MOST: Final = 600


class DiceDouble:
    """Plays any legal move with equal chance, until the game has not come further for long."""

    def __init__(self, seat: Seat) -> None:
        self._chance = Random(seat.seed)
        self._furthest: int | None = None
        self._since = 0

    def choose(self, view: Mapping[str, Any], budget: Budget) -> Choice:
        """Pick a legal word; settle when there is none or patience is at its end."""
        sight = look(view)
        if self._furthest is None or sight.advance > self._furthest:
            self._furthest, self._since = sight.advance, sight.moves
        if not sight.legal or sight.moves - self._since >= PATIENCE or sight.moves >= MOST:
            return Choice(DONE)
        return Choice(self._chance.choice(sight.legal))
