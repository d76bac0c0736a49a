"""The solver-backed player of Golf: it sees what a person in its seat sees."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from bots.player import DONE, Budget, Choice, Goal, Seat
from bots.players.sight import Sight, look
from bots.solver.golf.position import LETTERS, Position, arrays
from bots.solver.golf.rollouts import DRAW, value_moves
from engine.golf.rules import GolfRules

WORLDS = 64
"""Worlds between two looks at the clock."""


def worth(goal: Goal) -> list[float]:
    """Give what a finished game counts, by the cards left: 0..35."""
    match goal:
        case "first" | "moves":
            return [1.0 if left == 0 else -left / 1000 for left in range(36)]
        case "score":
            return [max(0.0, 350.0 - 20 * left) - left / 1000 for left in range(36)]
        case "strokes":
            return [-float(left) for left in range(36)]


class SolverGolf:
    """Plays the move that is best on average over shuffles of the cards it has not seen."""

    def __init__(self, seat: Seat) -> None:
        assert isinstance(seat.rules, GolfRules)
        self._rules = seat.rules
        self._switches = LETTERS[seat.rules.letter]
        self._worth = np.array(worth(seat.goal))
        self._chance = np.array([(seat.seed * 2654435761 + 1) & 0x7FFFFFFF], np.int64)

    def choose(self, view: Mapping[str, Any], budget: Budget) -> Choice:
        """Value every legal move within the budget and play the best; settle when nothing is legal."""
        sight = look(view, self._rules)
        if len(sight.legal) < 2:
            return Choice(sight.legal[0] if sight.legal else DONE)
        values, games = self._values(sight, budget)
        words = {word: values[DRAW if word == "d" else int(word) - 1] for word in sight.legal}
        best = max(words, key=lambda word: words[word])
        return Choice(best, f"{words[best] / games:.3f} over {games} worlds")

    def _values(self, sight: Sight, budget: Budget) -> tuple[list[float], int]:
        stock = (*sight.known, *sight.unseen)
        given = arrays(Position(sight.columns, sight.waste, stock), self._switches)
        values = np.zeros(8)
        worlds = 0
        begun = time.perf_counter()
        while True:
            some = WORLDS if budget.nodes is None else min(WORLDS, budget.nodes - worlds)
            value_moves(
                given.columns, given.heights, given.waste, given.stock, len(sight.known), given.fits,
                self._switches.draw_waits, self._worth, some, self._chance, values,
            )  # fmt: skip
            worlds += some
            if budget.nodes is not None:
                if worlds >= budget.nodes:
                    break
            elif (time.perf_counter() - begun) * 1000 > budget.wall_ms * 0.8:
                break
        return values.tolist(), worlds
