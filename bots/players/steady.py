"""The steady player of Golf: it thinks through all that lies open, and samples nothing."""

from __future__ import annotations

import numpy as np

from bots.player import Budget
from bots.players.planner import Planner, Valued, chosen
from bots.players.sight import Sight
from bots.solver.golf.table import Ints, Table

FORESEEN = 32
"""Ends that are looked at one draw ahead: those that the guess likes best."""


class SteadyGolf(Planner):
    """Tries every order of removals before a draw and takes the one that it expects most of, whatever card comes."""

    def _value(self, ends: Ints, sight: Sight, table: Table, budget: Budget) -> Valued:
        if len(ends) > FORESEEN:
            ends = ends[np.argsort(-self._foresee(ends, sight, table, 0), kind="stable")[:FORESEEN]]
        return chosen(ends, self._foresee(ends, sight, table, 1), "after the next card", len(ends))
