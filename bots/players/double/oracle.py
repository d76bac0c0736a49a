"""The oracle of Double Solitaire: it is given the whole deal, and follows the best line that it finds in its time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec.structs import replace

from bots.player import Budget, Seat
from bots.players.double.games import WON, Care
from bots.players.double.laid import NUMBER, board_of, way_to, words_of
from bots.players.double.sight import UNSEEN, Sight
from bots.players.double.solver import Decision, SolverDouble, at_the_end
from bots.solver.double.playouts import playout
from bots.solver.double.playouts import playtable as at
from bots.solver.double.playouts.playtable import Table
from bots.solver.double.verdict import Limits, solve_double
from engine.cards import Card
from engine.codes import deal
from engine.double.rules import STOCK

__all__ = ["OracleDouble"]

CARE: Final = Care(plans=12)
NOT_SHUFFLED: Final = -1
SOLVING: Final = 0.4
"""Of the time for a move, what the exact solver may take."""
STATES: Final = 50_000
"""States that it may visit where a number of nodes takes the place of time."""


class OracleDouble(SolverDouble):
    """Plays each plan out with the cards as they lie, takes the best, and asks the exact solver where none wins.

    Whether a deal can be won is exact within the solver's limits; the most points and the fewest moves are the most and
    the fewest of the lines that it compares, for nobody can prove more in the time of a move.
    """

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat, CARE)
        assert seat.code is not None
        self._dealt = deal(seat.code)
        self._looks_first = False
        self._asks = True

    def _decide(self, sight: Sight, budget: Budget) -> Decision:
        """Decide as if the stock had been seen."""
        seen = sight.stock.index(UNSEEN) if UNSEEN in sight.stock else len(sight.stock)
        stock = (*sight.stock[:seen], *self._dealt.stock[STOCK - len(sight.stock) + seen :])
        return super()._decide(replace(sight, stock=stock), budget)

    def _choose_plan(self, mine: Table, hidden: int, sight: Sight, budget: Budget) -> Decision:
        covered = self._covered(sight)
        mine.unseen[:hidden] = [NUMBER[card] for card in covered]
        mine.mark[at.SEED] = NOT_SHUFFLED
        most = self._care.plans if budget.nodes is None else min(self._care.plans, max(2, budget.nodes // 4))
        starts = playout.set_out(mine, most)
        plans = [words_of(way_to(mine, start), sight, self._rules.draw) for start in range(starts)]
        ends = np.zeros((starts, 1))
        playout.value_starts(mine, np.arange(starts), hidden, self._worth, ends, 0, 1)
        best = int(ends[:, 0].argmax()) if plans else -1
        value = max(float(ends[best, 0]) if plans else 0.0, self._worth[1] * playout.gathered(mine))
        if value < WON and self._asks and (line := self._better(sight, covered, value, budget)):
            return Decision(line, "solved")
        if not plans or float(ends[best, 0]) < value:
            return at_the_end(sight)
        return Decision(plans[best], f"comes to {value:.3f}", starts, difficulty=0.0)

    def _covered(self, sight: Sight) -> list[Card]:
        """Return the cards that lie face down, column by column."""
        return [card for column, down in zip(self._dealt.columns, sight.down, strict=True) for card in column[:down]]

    def _better(self, sight: Sight, covered: Sequence[Card], value: float, budget: Budget) -> list[str] | None:
        """Return a line that is worth more than a value, if the exact solver finds one in its time."""
        limits = Limits(STATES) if budget.nodes is not None else Limits(ms=budget.wall_ms * SOLVING)
        verdict = solve_double(board_of(sight, self._rules, covered), limits)
        # A deal that cannot be won needs no second look; with one round a second one would hardly find more.
        self._asks = verdict.verdict == "unknown" and self._recycles
        won = self._worth[0] if verdict.verdict == "winnable" else 0.0
        return list(verdict.line) if won + self._worth[1] * verdict.best.score > value else None
