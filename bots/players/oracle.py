"""The oracle of Golf: it is given the whole deal, and plays the best that there is from any position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bots.player import DONE, Budget, Choice, Seat
from bots.players.plan import Plan
from bots.players.planner import best_line
from bots.players.sight import look
from bots.solver.golf.position import LETTERS, Position
from engine.cards import rank_of
from engine.codes import deal
from engine.golf.rules import GolfRules

__all__ = ["OracleGolf"]


class OracleGolf:
    """Clears with the fewest draws, which is best for every goal, else removes as many cards as can be, and settles.

    It takes the time that it needs, some milliseconds: the search is exhaustive.
    """

    def __init__(self, seat: Seat) -> None:
        assert isinstance(seat.rules, GolfRules)
        assert seat.code is not None
        self._rules, self._switches = seat.rules, LETTERS[seat.rules.letter]
        self._stock = tuple(map(rank_of, deal(seat.code).stock))
        self._plan = Plan()

    def choose(self, view: Mapping[str, Any], budget: Budget) -> Choice:
        """Follow the best line; settle where no more cards can be removed."""
        sight = look(view, self._rules)
        note, nodes = None, None
        if not self._plan.follows(sight):
            position = Position(sight.columns, sight.waste, self._stock[len(self._stock) - sight.stock :])
            found = best_line(position, self._switches)
            self._plan.make(found.line)
            note, nodes = f"leaves {found.left} after {found.drawn} draws", found.nodes
        if not self._plan.follows(sight):
            return Choice(DONE, note, nodes)
        return Choice(self._plan.next(sight), note, nodes, difficulty=0.0)
