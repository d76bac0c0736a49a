"""Golf's players between random and solver: they see fewer rows, overlook cards and misjudge, like people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from bots.levels import GolfLevel
from bots.player import Budget, Choice, Seat
from bots.players.attention import chance, overlooked, slip
from bots.players.planner import Decision, Planner, Valued, chosen
from bots.players.sight import Sight
from bots.solver.golf.table import Ints, Table

__all__ = ["LevelGolf"]

MIDDLE: Final = 3
"""The column where the eyes are before the first card is removed."""
COVERED: Final = 0.5
"""What each row that covers a card adds to the chance to overlook it, as a share of it."""
EAGER: Final = 0.5
"""What a card removed counts for who misjudges, where a slip of common size counts 1."""


class LevelGolf(Planner):
    """Plans up to the draw with what it notices, and takes what seems best; it looks again before it settles."""

    def __init__(self, seat: Seat, level: GolfLevel) -> None:
        super().__init__(seat)
        self._level, self._seed = level, seat.seed
        self._eyes = MIDDLE

    def choose(self, view: Mapping[str, Any], budget: Budget) -> Choice:
        """Answer as a planner does, with the eyes on the column of the last removal."""
        choice = super().choose(view, budget)
        if choice.word.isdigit():
            self._eyes = int(choice.word) - 1
        return choice

    def _decide(self, sight: Sight, budget: Budget) -> Decision:
        decision = super()._decide(sight, budget)
        if not decision.words or decision.words[0] not in sight.legal:
            # What was overlooked is all that there is.
            return Decision([sight.legal[0]], "looks again", difficulty=1.0)
        if len(decision.words) > 1 and decision.words[-1] == "d":
            # Before the draw it looks at what its removals have uncovered.
            decision.words.pop()
        return decision

    def _solve(self, sight: Sight) -> Decision:
        """Go on as before: who does not see all rows does not see the end either."""
        return self._plan_to_draw(sight, Budget())

    def _table(self, sight: Sight) -> tuple[Table, int]:
        """Lay the columns out with what is not seen as cards that fit nowhere."""
        table, packed = super()._table(sight)
        for k, column in enumerate(sight.columns):
            for row, height in enumerate(range(len(column), 0, -1)):
                share = self._level.overlooks * (1 + COVERED * row)
                roll = chance(self._seed, sight.stock, k, height)
                if row >= self._level.rows or overlooked(share, abs(k - self._eyes), roll):
                    table.face[8 * k + height] = 0
        return table, packed

    def _value(self, ends: Ints, sight: Sight, table: Table, budget: Budget) -> Valued:
        left = np.array([sum(int(end) >> 3 * k & 7 for k in range(7)) for end in ends])
        judged = self._foresee(ends, sight, table, 0) if sight.stock else -left.astype(float)
        slips = np.array([slip(chance(self._seed, sight.stock, int(end))) for end in ends])
        judged += self._level.misjudges * (slips - EAGER * left)
        return chosen(ends, 1 / (1 + np.exp(-judged)), "as it seems")
