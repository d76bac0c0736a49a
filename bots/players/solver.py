"""The solver-backed player of Golf: it sees what a person in its seat sees."""

from __future__ import annotations

import time

import numpy as np

from bots.player import Budget
from bots.players.planner import Planner, Valued, chosen
from bots.players.sight import Sight
from bots.solver.golf import plans
from bots.solver.golf.table import DEEPEST, Ints, Table

FORESEEN = 64
"""Ends that are looked at one draw ahead: those that the guess likes best."""
PLAYED_OUT = 12
"""Of these, ends that are played out: those that look best then."""
WORLDS = 4
"""Shuffles between two looks at the clock."""
GAMES = 4000
"""Games played out for a decision where no number is given: more wins no more (8,000 beat 2,000 by one deal in 400)."""
SHARE = 0.7
"""Of the wall time allowed, what is spent on playing out; the rest is for what comes before and after."""


class SolverGolf(Planner):
    """Values ends by games played out over shuffles of the unseen cards; the last few draws are decided exactly."""

    def _value(self, ends: Ints, sight: Sight, table: Table, budget: Budget) -> Valued:
        """Guess, look ahead, play out, keeping the better half each time."""
        if sight.stock <= DEEPEST:
            return chosen(ends, self._foresee(ends, sight, table, sight.stock), "exactly")
        if len(ends) > FORESEEN:
            values = self._foresee(ends, sight, table, 0)
            ends = ends[np.argsort(-values, kind="stable")[:FORESEEN]]
        values = self._foresee(ends, sight, table, 1)
        ends = ends[np.argsort(-values, kind="stable")[:PLAYED_OUT]]
        return self._play_out(ends, sight, table, budget)

    def _play_out(self, ends: Ints, sight: Sight, table: Table, budget: Budget) -> Valued:
        known, unseen = np.array(sight.known, np.int8), np.array(sight.unseen, np.int8)
        sums = np.zeros(len(ends))
        games, worlds = 0, 0
        allowed_ms = budget.for_one_of(sight.stock) * SHARE
        rounds = (len(ends) - 1).bit_length()
        begun = time.perf_counter()
        for part in range(1, rounds + 1):
            if part > 1:
                better = np.argsort(-sums, kind="stable")[: (len(ends) + 1) // 2]
                ends, sums = ends[better], sums[better]
            while True:
                plans.value_plans(
                    ends, known, unseen, WORLDS, self._answer, self._worth, table, self._guess, self._scratch, sums
                )
                worlds += WORLDS
                games += WORLDS * len(ends)
                if games * rounds >= (budget.nodes or GAMES) * part:
                    break
                spent_ms = (time.perf_counter() - begun) * 1000
                if budget.nodes is None and spent_ms * rounds > allowed_ms * part:
                    break
        return chosen(ends, sums / worlds, f"over {worlds} shuffles", games)
