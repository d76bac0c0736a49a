"""The games that a player of Double Solitaire plays out to choose among plans, and what they are worth to it."""

from __future__ import annotations

import time
from itertools import permutations
from math import factorial
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bots.player import Budget, Goal, closeness
from bots.solver.double.playouts import playout
from bots.solver.double.playouts import playtable as at
from bots.solver.double.playouts.playtable import Floats, Table
from engine.double.rules import DoubleRules

__all__ = ["Care", "Games", "worth"]

SHARE: Final = 0.7
"""Of the wall time allowed, what is spent on playing out; the rest is for what comes before and after."""
HASTE_S: Final = 0.005
"""With less than this for a decision the plan that looks best is taken."""
DECISIONS: Final = 30
"""How many more there may be to share the clock with: many are clear at once."""
WON: Final = 0.5
"""What a game that is won is worth at least, where winning counts; one that is not is worth less."""
SHUFFLES: Final = 4
"""Shuffles between two looks at the clock."""


class Care(Struct, frozen=True):
    """How carefully a player thinks; less of each is a weaker level."""

    plans: int = 8
    """How many plans it chooses from."""
    first_look: int = 6
    """Shuffles in which the plan that looks best is played out: when all are won, it is taken. None with 0."""
    games: int = 240
    """Games played out for a decision, where no number is given."""
    enumerated: int = 4
    """Cards not seen of which every order is played out, in place of shuffles."""


def worth(rules: DoubleRules, goal: Goal) -> list[float]:
    """Give what counts in a finished game: of a win, of a point, of a move less, of a card less still face down.

    By score only points count, a game that is won being worth about 1; else a win, and then how soon it comes, for
    whoever does not win is placed by the score.
    """
    if goal == "score" or rules.scoring == "V":
        return [0.0, 1 / (520 if rules.scoring == "V" else 1250), 0.0, 0.0]
    return [1.0, 1 / 20_000, 1 / 1500 if goal == "moves" else 1 / 5000, 1 / 1000]


class Games:
    """The games played out for one decision."""

    def __init__(self, table: Table, starts: int, hidden: int, worth: Floats, care: Care, budget: Budget) -> None:
        self._table, self._hidden, self._worth, self._care = table, hidden, worth, care
        self._most = care.games if budget.nodes is None else budget.nodes
        self._begun, self._wall_s = time.perf_counter(), budget.for_one_of(DECISIONS) * SHARE / 1000
        self._by_clock = budget.nodes is None
        self._alive = np.arange(starts)
        self._results = np.zeros((starts, self._most + max(care.first_look, SHUFFLES, factorial(care.enumerated))))
        self._shuffles = 0
        self.played = 0
        self.difficulty = 0.0

    def mean(self, start: int) -> float:
        """Return what a start is worth on average."""
        return float(self._results[start, : self._shuffles].mean())

    def best(self) -> tuple[int, str]:
        """Return the start that is worth most, the cheapest plan of equals, and a remark."""
        if self._hidden <= self._care.enumerated:
            self._play_every_order()
        else:
            if self._by_clock and self._wall_s < HASTE_S:
                return 0, "no time to think"
            # Where few games may be played, the first round must not take those of the later ones.
            first = min(self._care.first_look, max(2, self._most // 4))
            if first:
                self._play(self._alive[:1], 0, first)
                self._shuffles = first
                if self._worth[0] and self._results[0, :first].min() > WON:
                    return 0, "wins each time"
                self._fit(first)
            self._alive = self._alive[: max(2, self._most // 3)]
            rounds = (len(self._alive) - 1).bit_length()
            if rounds:
                self._shuffles = min(first, max(1, self._most // (rounds * len(self._alive))))
            self._play(self._alive[1:], 0, self._shuffles)
            for part in range(1, rounds + 1):
                while not self._enough(part / rounds):
                    self._play(self._alive, self._shuffles, self._shuffles + SHUFFLES)
                    self._shuffles += SHUFFLES
                self._halve(len(self._alive) // 2 + len(self._alive) % 2)
        means = [self.mean(start) for start in self._ranked()]
        self.difficulty = closeness(means[0], means[1]) if len(means) > 1 else 0.0
        return int(self._ranked()[0]), f"{means[0]:.3f} over {self._shuffles} shuffles"

    def _fit(self, played: int) -> None:
        """Allow no more games than there seems to be time for after so many."""
        if self._by_clock:
            each_s = (time.perf_counter() - self._begun) / played
            self._most = min(self._most, int(self._wall_s / max(each_s, 1e-9)))

    def _enough(self, share: float) -> bool:
        if self.played >= self._most * share:
            return True
        return self._by_clock and time.perf_counter() - self._begun >= self._wall_s * share

    def _ranked(self) -> NDArray[np.int64]:
        means = self._results[self._alive, : self._shuffles].mean(axis=1)
        ranked: NDArray[np.int64] = self._alive[np.argsort(-means, kind="stable")]
        return ranked

    def _halve(self, left: int) -> None:
        if left > 1:
            self._alive = np.sort(self._ranked()[:left])

    def _play_every_order(self) -> None:
        cards = self._table.unseen[: self._hidden].tolist()
        self._table.mark[at.SEED] = -1
        for order in sorted(set(permutations(cards))):
            if self._by_clock and self._shuffles and self._enough(1.0):
                break
            self._table.unseen[: self._hidden] = order
            self._play(self._alive, self._shuffles, self._shuffles + 1)
            self._shuffles += 1

    def _play(self, starts: NDArray[np.int64], first: int, last: int) -> None:
        playout.value_starts(self._table, starts, self._hidden, self._worth, self._results, first, last)
        self.played += len(starts) * (last - first)
