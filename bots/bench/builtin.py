"""The bots of the roster as the arena sees them: played in its own process."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Self

from bots.conditions import LATE_MS, Conditions
from bots.contender import Failed, Failure, Offer, Settlement, Spent
from bots.player import Budget, Choice, Player, Seat
from bots.roster import entry

__all__ = ["BuiltIn"]


class BuiltIn:
    """A bot of the roster: a new player for each game."""

    def __init__(self, name: str, conditions: Conditions) -> None:
        self._entry, self._conditions = entry(name), conditions
        self._player: Player | None = None
        self._cpu_s = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._player = None

    def begin(self, offer: Offer) -> None:
        """Make the game's player."""
        if self._entry.warm_up is not None:
            _warm(self._entry.name, offer.view["game"])
        code = offer.code if self._entry.mode == "oracle" else None
        seat = Seat(offer.rules, self._conditions.goal, self._conditions.undo.value, offer.seed, code)
        self._player = self._entry.makers[offer.view["game"]](seat)
        self._cpu_s = 0.0

    def choose(self, view: Mapping[str, Any], played: Sequence[str], clock_ms: float | None) -> Choice:
        """Let the player answer. Raises Failed."""
        assert self._player is not None
        budget = Budget(self._conditions.budget_ms(clock_ms), self._conditions.nodes, clock_ms)
        begun = time.thread_time()
        try:
            choice = self._player.choose(view, budget)
        except MemoryError as fault:
            raise Failed(Failure.MEMORY, repr(fault)) from fault
        except Exception as fault:  # A player may raise anything: its game ends, not the run.
            raise Failed(Failure.EXIT, repr(fault)) from fault
        finally:
            took_s = time.thread_time() - begun
            self._cpu_s += took_s
        # What it computed counts, not what the machine did meanwhile: nobody waits for it at the end of a pipe.
        if budget.nodes is None and took_s * 1000 > budget.wall_ms + LATE_MS:
            raise Failed(Failure.TIMEOUT, f"expected a move within {budget.wall_ms:g} ms, found {took_s * 1000:.0f}")
        return choice

    def settle(self, end: Settlement) -> Spent:
        """Forget the player."""
        self._player = None
        return Spent(self._cpu_s * 1000, _peak_mb())


@cache
def _warm(name: str, game: str) -> None:
    """Load what a player needs for a game, once in this process and before any clock runs."""
    warm_up = entry(name).warm_up
    assert warm_up is not None
    warm_up(game)


def _peak_mb() -> float:
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held / (2**20 if sys.platform == "darwin" else 2**10)
