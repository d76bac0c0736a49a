"""The solver-backed player of Golf: it sees what a person in its seat sees."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from bots.player import DONE, Budget, Choice, Goal, Seat
from bots.players.sight import Sight, look
from bots.solver.golf import plans
from bots.solver.golf.guesses import HIDDEN, RANKS, guess_of
from bots.solver.golf.position import EMPTY, LETTERS, Position, arrays
from bots.solver.golf.search import Limits, search
from bots.solver.golf.table import DEEPEST, Ints, Table, scratch
from engine.golf.rules import GolfRules

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


def worth(goal: Goal) -> list[float]:
    """Give what a finished game counts, from about 0 to 1, by the cards left: 0..35; fewer left break ties."""
    match goal:
        case "first" | "moves":
            return [1.0 if left == 0 else -left / 10_000 for left in range(36)]
        case "score":
            return [max(0, 350 - 20 * left) / 350 - left / 10_000 for left in range(36)]
        case "strokes":
            return [1 - left / 18 for left in range(36)]


class SolverGolf:
    """Decides once for each draw what to remove before it, by games played out over shuffles of the unseen cards.

    The last few draws are decided exactly, and all of them once no card of the stock is unknown.
    """

    def __init__(self, seat: Seat) -> None:
        assert isinstance(seat.rules, GolfRules)
        self._rules = seat.rules
        self._switches = LETTERS[seat.rules.letter]
        self._guess = guess_of(seat.rules.letter)
        self._answer = 0 if seat.goal in ("first", "moves") else 1
        self._worth = np.array(worth(seat.goal))
        self._scratch = scratch(seat.seed)
        self._plan: list[str] = []
        self._after: tuple[list[int], int] | None = None

    def choose(self, view: Mapping[str, Any], budget: Budget) -> Choice:
        """Follow the plan made for this draw, or make one within the budget; settle when nothing is legal."""
        sight = look(view, self._rules)
        if not sight.legal:
            return Choice(DONE)
        heights, stock = [len(column) for column in sight.columns], len(sight.known) + len(sight.unseen)
        note = None
        if not self._plan or self._after != (heights, stock) or self._plan[0] not in sight.legal:
            self._plan, note = self._decide(sight, budget)
        word = self._plan.pop(0)
        if word == "d":
            stock -= 1
        else:
            heights[int(word) - 1] -= 1
        self._after = heights, stock
        return Choice(word, note)

    def _decide(self, sight: Sight, budget: Budget) -> tuple[list[str], str | None]:
        if len(sight.legal) == 1:
            return [sight.legal[0]], None
        if len(sight.unseen) < 2:
            return self._solve(sight)
        table, packed = self._table(sight)
        fitting, free_draw = table.fits[sight.waste], sight.waste == EMPTY
        ends, fewest, fewest_at = plans.reach(packed, fitting, free_draw, table, self._scratch, 0)
        if fewest == 0:
            return self._removals(fewest_at), "clears it"
        at = self._scratch.ends[0, :ends].copy()
        paths = {int(self._scratch.states[i]) >> 4: self._removals(int(i)) for i in at}
        if len(paths) == 1:
            return [*paths.popitem()[1], "d"], "the only end"
        best, note = self._best(np.array(list(paths)), sight, table, budget)
        return [*paths[best], "d"], note

    def _solve(self, sight: Sight) -> tuple[list[str], str | None]:
        """Play what is best now that the whole stock is known: the last card is the one not seen anywhere."""
        position = Position(sight.columns, sight.waste, (*sight.known, *sight.unseen))
        found = search(position, self._switches, Limits())
        return list(found.line) or [sight.legal[-1]], f"leaves {found.left}"

    def _table(self, sight: Sight) -> tuple[Table, int]:
        given = arrays(Position(sight.columns, sight.waste, ()), self._switches)
        face, accept = np.zeros(64, np.int32), np.zeros(64, np.int32)
        vectors = np.zeros((7, 6, HIDDEN), np.float32)
        packed = plans.lay(given.columns, given.heights, given.fits, face, accept, vectors, self._guess)
        return Table(face, accept, given.fits, vectors, self._switches.draw_waits), packed

    def _removals(self, at: int) -> list[str]:
        """Read the way to a state that `reach` has found."""
        words: list[str] = []
        while (parent := int(self._scratch.parents[at])) >= 0:
            words.append(str((int(self._scratch.states[at]) & 15) + 1))
            at = parent
        return words[::-1]

    def _best(self, ends: Ints, sight: Sight, table: Table, budget: Budget) -> tuple[int, str]:
        """Choose the end to draw at: guess, look ahead, play out, keeping the better half each time."""
        known, unseen = np.array(sight.known, np.int8), np.array(sight.unseen, np.int8)
        counts = np.bincount([*sight.known, *sight.unseen], minlength=RANKS)
        cards = len(known) + len(unseen)
        values = np.zeros(len(ends))

        def foresee(depth: int) -> None:
            plans.foresee(
                ends, counts, known, depth, self._answer, self._worth, table, self._guess, self._scratch, values
            )

        if cards <= DEEPEST:
            foresee(cards)
            best = int(values.argmax())
            return int(ends[best]), f"{values[best]:.3f} exactly"
        if len(ends) > FORESEEN:
            foresee(0)
            ends = ends[np.argsort(-values, kind="stable")[:FORESEEN]]
            values = np.zeros(len(ends))
        foresee(1)
        ends = ends[np.argsort(-values, kind="stable")[:PLAYED_OUT]]
        sums = np.zeros(len(ends))
        games, worlds = 0, 0
        rounds = (len(ends) - 1).bit_length()
        begun = time.perf_counter()
        for part in range(1, rounds + 1):
            while True:
                plans.value_plans(
                    ends, known, unseen, WORLDS, self._answer, self._worth, table, self._guess, self._scratch, sums
                )
                worlds += WORLDS
                games += WORLDS * len(ends)
                if games * rounds >= (budget.nodes or GAMES) * part:
                    break
                spent_ms = (time.perf_counter() - begun) * 1000
                if budget.nodes is None and spent_ms * rounds > budget.wall_ms * SHARE * part:
                    break
            better = np.argsort(-sums, kind="stable")[: (len(ends) + 1) // 2]
            ends, sums = ends[better], sums[better]
        return int(ends[0]), f"{sums[0] / worlds:.3f} over {worlds} shuffles"
