"""The greedy player of Golf."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from bots.player import DONE, Budget, Choice, Seat
from bots.players.sight import Sight, look
from bots.solver.golf.position import LETTERS, fitting
from engine.golf.rules import GolfRules


class GreedyGolf:
    """Removes whenever something fits: a card on which another fits, else any, from the tallest column."""

    def __init__(self, seat: Seat) -> None:
        assert isinstance(seat.rules, GolfRules)
        self._rules = seat.rules
        self._fits = [int(mask) for mask in fitting(LETTERS[seat.rules.letter])]
        self._chance = Random(seat.seed)

    def choose(self, view: Mapping[str, Any], budget: Budget) -> Choice:
        """Pick the removal that leads on, draw when there is none, settle when nothing is legal."""
        sight = look(view, self._rules)
        removals = [word for word in sight.legal if word != "d"]
        if not removals:
            return Choice("d" if sight.legal else DONE)
        value = {word: self._value(sight, int(word) - 1) for word in removals}
        best = max(value.values())
        return Choice(self._chance.choice([word for word in removals if value[word] == best]))

    def _value(self, sight: Sight, k: int) -> tuple[bool, int]:
        column = sight.columns[k]
        free = [other[-1] for other in (*sight.columns[:k], column[:-1], *sight.columns[k + 1 :]) if other]
        return any(self._fits[column[-1]] >> rank & 1 for rank in free), len(column)
