"""What Golf's better players share: they decide once for each draw what to remove before it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec import Struct

from bots.player import DONE, Budget, Choice, Goal, Seat, closeness
from bots.players.plan import Plan
from bots.players.sight import Sight, look
from bots.solver.golf import plans
from bots.solver.golf.guesses import HIDDEN, RANKS, guess_of
from bots.solver.golf.position import EMPTY, LETTERS, Position, Switches, arrays
from bots.solver.golf.search import Findings, Limits, search
from bots.solver.golf.table import CLEARED, ENDS, Ints, Table, Worth, scratch
from engine.golf.rules import GolfRules

__all__ = ["Decision", "Planner", "Valued", "worth"]

PER_DRAW = {"first": 0.001, "score": 0.001, "moves": 0.02, "strokes": 0.0}
"""What a draw costs a game that is cleared, the clear itself being 1: time, or a place behind who needed fewer."""


def worth(goal: Goal) -> list[float]:
    """Give what a finished game counts, from about 0 to 1, by how it ends (`CLEARED`)."""
    cleared = [1 - PER_DRAW[goal] * draws for draws in range(ENDS - CLEARED)]
    match goal:
        case "first" | "moves":
            left = [-left / 10_000 for left in range(CLEARED)]
        case "score":
            left = [max(0, 350 - 20 * left) / 350 - left / 10_000 for left in range(CLEARED)]
        case "strokes":
            left = [1 - left / 18 for left in range(CLEARED)]
    return left + cleared


class Decision(Struct, frozen=True):
    """The words to play up to the next draw or the end, and how it was come by."""

    words: list[str]
    note: str | None = None
    nodes: int | None = None
    difficulty: float | None = None


class Valued(Struct, frozen=True):
    """The best of some ends (packed heights), what it and the next best are worth, and what it took to know."""

    end: int
    best: float
    second: float
    note: str
    nodes: int | None = None


def best_line(position: Position, switches: Switches) -> Findings:
    """Return the clear with the fewest draws, else the most cards removed: the best for every goal, with all known."""
    found = search(position, switches, Limits(), want="win, least stock")
    return search(position, switches, Limits()) if found.left else found


class Planner(ABC):
    """Follows the plan made for a draw and makes the next; with the whole stock known it plays what is best.

    Whoever inherits it says what drawing at an end is worth.
    """

    def __init__(self, seat: Seat) -> None:
        assert isinstance(seat.rules, GolfRules)
        self._rules, self._goal = seat.rules, seat.goal
        self._switches = LETTERS[seat.rules.letter]
        self._guess = guess_of(seat.rules.letter)
        self._answer = 0 if seat.goal in ("first", "moves") else 1
        self._worth = np.array(worth(seat.goal))
        self._scratch = scratch(seat.seed)
        self._plan = Plan()

    def choose(self, view: Mapping[str, Any], budget: Budget) -> Choice:
        """Follow the plan made for this draw, or make one within the budget; settle when nothing is legal."""
        sight = look(view, self._rules)
        if not sight.legal:
            return Choice(DONE)
        if self._plan.follows(sight):
            return Choice(self._plan.next(sight), difficulty=0.0)
        decision = self._decide(sight, budget)
        self._plan.make(decision.words)
        return Choice(self._plan.next(sight), decision.note, decision.nodes, decision.difficulty)

    @abstractmethod
    def _value(self, ends: Ints, sight: Sight, table: Table, budget: Budget) -> Valued:
        """Choose among ends, at each of which the next card can be drawn."""

    def _decide(self, sight: Sight, budget: Budget) -> Decision:
        if len(sight.legal) == 1:
            return Decision([sight.legal[0]], difficulty=0.0)
        if len(sight.unseen) < 2:
            return self._solve(sight)
        return self._plan_to_draw(sight, budget)

    def _plan_to_draw(self, sight: Sight, budget: Budget) -> Decision:
        table, packed = self._table(sight)
        fitting, free_draw = table.fits[sight.waste], sight.waste == EMPTY
        ends, fewest, fewest_at = plans.reach(packed, fitting, free_draw, table, self._scratch, 0)
        if fewest == 0:
            return Decision(self._removals(fewest_at), "clears it")
        paths = self._paths(ends)
        draw = ["d"] if sight.stock else []
        if len(paths) == 1:
            return Decision([*paths.popitem()[1], *draw], "the only end", difficulty=0.0)
        valued = self._value(np.array(list(paths)), sight, table, budget)
        difficulty = closeness(valued.best, valued.second)
        return Decision([*paths[valued.end], *draw], valued.note, valued.nodes, difficulty)

    def _solve(self, sight: Sight) -> Decision:
        """Play what is best now that the whole stock is known: the last card is the one not seen anywhere."""
        position = Position(sight.columns, sight.waste, (*sight.known, *sight.unseen))
        found = best_line(position, self._switches)
        return Decision(list(found.line) or [sight.legal[-1]], f"leaves {found.left} after {found.drawn} draws")

    def _table(self, sight: Sight) -> tuple[Table, int]:
        given = arrays(Position(sight.columns, sight.waste, ()), self._switches)
        face, accept = np.zeros(64, np.int32), np.zeros(64, np.int32)
        vectors = np.zeros((7, 6, HIDDEN), np.float32)
        packed = plans.lay(given.columns, given.heights, given.fits, face, accept, vectors, self._guess)
        return Table(face, accept, given.fits, vectors, self._switches.draw_waits), packed

    def _paths(self, ends: int) -> dict[int, list[str]]:
        """Read the ways to the ends that `reach` has found, by packed heights."""
        at = self._scratch.ends[0, :ends].copy()
        return {int(self._scratch.states[i]) >> 4: self._removals(int(i)) for i in at}

    def _removals(self, at: int) -> list[str]:
        """Read the way to a state that `reach` has found."""
        words: list[str] = []
        while (parent := int(self._scratch.parents[at])) >= 0:
            words.append(str((int(self._scratch.states[at]) & 15) + 1))
            at = parent
        return words[::-1]

    def _foresee(self, ends: Ints, sight: Sight, table: Table, depth: int) -> Worth:
        """Return what drawing at each end is worth: a guess for depth 0, else expected over so many draws."""
        counts = np.bincount([*sight.known, *sight.unseen], minlength=RANKS)
        values = np.zeros(len(ends))
        plans.foresee(
            ends,
            counts,
            np.array(sight.known, np.int8),
            depth,
            self._answer,
            self._worth,
            table,
            self._guess,
            self._scratch,
            values,
        )
        return values


def chosen(ends: Ints, values: Worth, note: str, nodes: int | None = None) -> Valued:
    """Return the end of most value."""
    first, second = np.argsort(-values, kind="stable")[:2]
    return Valued(int(ends[first]), float(values[first]), float(values[second]), note, nodes)
