"""The solver-backed player of Double Solitaire: it sees what a person in its seat sees."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from msgspec import Struct

from bots.player import DONE, Budget, Choice, Seat
from bots.players.double.games import Care, Games, worth
from bots.players.double.laid import Within, board_of, lay_out, limit, way_to, words_of
from bots.players.double.one_round import CARE as CARE_OF_ONE_ROUND
from bots.players.double.one_round import GamesOfOneRound
from bots.players.double.sight import UNSEEN, Sight, look
from bots.players.double.weights import WEIGHTS
from bots.solver.double.playouts import playout
from bots.solver.double.playouts import playtable as at
from bots.solver.double.playouts.playtable import Table, table
from bots.solver.double.verdict import Limits, solve_double
from engine.double.rules import DoubleRules

__all__ = ["Decision", "SolverDouble", "at_the_end"]

FOUND: Final = Within(in_round=200, next_round=120, widely=300)
"""How far it looks for the plans to choose from."""
PLAYED_OUT: Final = Within(in_round=60, next_round=60, widely=100)
"""How far play-outs look for theirs."""
SOLVED: Final = Limits(nodes=50_000)
"""For the exact solver, once all cards are known; it needs a few hundred states as a rule."""

_memory = threading.local()


class Decision(Struct, frozen=True):
    """The words to play, and how they were come by."""

    words: list[str]
    note: str | None = None
    nodes: int | None = None
    difficulty: float | None = None


class SolverDouble:
    """Chooses among plans by playing each out over the same shuffles of the cards it has not seen.

    A plan is followed up to the next card turned up or stock card played; then it chooses again. Under Normal scoring
    it first looks through the whole stock: nothing is lost, since a recycle at a score of 0 costs nothing; then plans
    of this round and of the next are looked for alike. But where moves count it plays on the way, round by round.
    Once no card is hidden the exact solver takes over where plans do not win. Under Vegas scoring, with one round,
    games are played out by habit, many more of them.
    """

    def __init__(self, seat: Seat, care: Care | None = None) -> None:
        assert isinstance(seat.rules, DoubleRules)
        self._rules, self._goal, self._seed = seat.rules, seat.goal, seat.seed
        self._recycles = seat.rules.scoring == "N"
        self._games: type[Games] = Games if self._recycles else GamesOfOneRound
        self._care = care or (Care() if self._recycles else CARE_OF_ONE_ROUND)
        self._looks_first = self._recycles and seat.goal != "moves"
        self._worth = np.array(worth(seat.rules, seat.goal))
        weights = WEIGHTS[seat.rules.draw, seat.rules.scoring]
        # Who wants to be first minds the moves of a recycle, not its points.
        self._weights = weights._replace(per_point=0) if seat.goal == "first" else weights
        self._plan: list[str] = []
        self._moves = 0
        self._tried_to_solve = False

    def choose(self, view: Mapping[str, Any], budget: Budget) -> Choice:
        """Follow the plan, or make one; put up what is left when there is none, then settle."""
        sight = look(view)
        decision = Decision([])
        if not self._plan or self._moves != sight.moves or self._plan[0] not in sight.legal:
            decision = self._decide(sight, budget)
            self._plan = decision.words
        self._moves = sight.moves + 1
        return Choice(self._plan.pop(0), decision.note, decision.nodes, decision.difficulty)

    def _decide(self, sight: Sight, budget: Budget) -> Decision:
        if not sight.legal:
            return Decision([DONE])
        unseen = UNSEEN in sight.stock[-1:]
        if self._looks_first and unseen:
            return Decision(["d"])
        if self._looks_first and sight.score == 0 and "r" in sight.legal:
            return Decision(["r"])
        mine, hidden = self._laid_out(sight)
        if self._recycles and not hidden and not self._tried_to_solve:
            self._tried_to_solve = True
            if line := self._line(mine, sight):
                return Decision(line, "solved")
        return self._choose_plan(mine, hidden, sight, budget)

    def _laid_out(self, sight: Sight) -> tuple[Table, int]:
        """Return this thread's table with the sight as its root, and how many cards are not seen."""
        mine: Table | None = getattr(_memory, "table", None)
        if mine is None:
            mine = _memory.table = table(self._weights)
        mine = mine._replace(weights=self._weights)
        limit(mine, FOUND)
        hidden = lay_out(mine, sight, self._rules)
        mine.mark[at.AT_ONCE] = self._looks_first and hidden > 0
        mine.mark[at.SEED] = (self._seed * 0x9E3779B97F4A7C15 + sight.moves * 0xBF58476D1CE4E5B9) & (at.KEYS >> 1)
        return mine, hidden

    def _line(self, mine: Table, sight: Sight) -> list[str] | None:
        """Return a line that wins, all cards being known; None where plans alone do, or where it would cost points."""
        if playout.plays_up(mine):
            return None
        verdict = solve_double(board_of(sight, self._rules), SOLVED)
        if verdict.verdict != "winnable" or (self._goal == "score" and verdict.best.score < playout.gathered(mine)):
            return None
        return list(verdict.line)

    def _choose_plan(self, mine: Table, hidden: int, sight: Sight, budget: Budget) -> Decision:
        turns = self._rules.draw
        plans = [
            words_of(way_to(mine, start), sight, turns) for start in range(playout.set_out(mine, self._care.plans))
        ]
        if UNSEEN in sight.stock[-1:]:
            mine.starts[at.ROW * len(plans) : at.ROW * (len(plans) + 1)] = mine.root
            mine.turns[len(plans)] = at.DRAWS
            plans.append(["d"])
        if not plans:
            return at_the_end(sight)
        may_stay = self._goal == "score" and self._recycles
        if len(plans) == 1 and not may_stay:
            return Decision(plans[0], "the only plan")
        limit(mine, PLAYED_OUT)
        games = self._games(mine, len(plans), hidden, self._worth, self._care, budget)
        best, note = games.best()
        if may_stay and games.mean(best) < self._worth[1] * playout.gathered(mine):
            return at_the_end(sight)
        return Decision(plans[best], note, games.played, games.difficulty)


def at_the_end(sight: Sight) -> Decision:
    """Put up what goes up, word by word, then settle."""
    return Decision([next((word for word in sight.legal if word.endswith("-f")), DONE)])
