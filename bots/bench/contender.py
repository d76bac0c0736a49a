"""What the arena asks of a bot, and the built-in bots as it sees them."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from types import TracebackType
from typing import Any, Protocol, Self

from msgspec import Struct

from bots.bench.conditions import Conditions
from bots.bench.contestant import Contestant
from bots.bench.rows import Failure
from bots.player import Budget, Choice, Player, Seat
from bots.roster import entry
from engine.codes import Code

__all__ = ["Contender", "Failed", "Offer", "RosterContender", "Spent", "contender"]


class Failed(Exception):
    """The bot did what ends its game; `detail` says it in words."""

    def __init__(self, reason: Failure, detail: str) -> None:
        self.reason, self.detail = reason, detail
        super().__init__(f"{reason}: {detail}")


class Offer(Struct, frozen=True):
    """A game about to begin: its code, which only an oracle may see, its seed and its first view."""

    code: Code
    seed: int
    view: Mapping[str, Any]


class Spent(Struct, frozen=True):
    """What a bot took for a game: CPU of its processes, the most memory that they held."""

    cpu_ms: float
    memory_mb: float


class Contender(Protocol):
    """A bot that plays one game after the other; a context, at whose end nothing of it is left."""

    def begin(self, offer: Offer) -> None:
        """Get ready for a game. Raises Failed."""
        ...

    def choose(self, view: Mapping[str, Any], played: Sequence[str], clock_ms: float | None) -> Choice:
        """Answer a view; `played` has the words accepted since the last one. Raises Failed."""
        ...

    def settle(self, status: str, score: int, moves: int, failed: Failed | None) -> Spent:
        """Hear how the game ended; returns what it took."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class RosterContender:
    """A built-in bot, in this process: a new player for each game."""

    def __init__(self, name: str, conditions: Conditions) -> None:
        self._entry, self._conditions = entry(name), conditions
        self._player: Player | None = None
        self._cpu_s = 0.0

    def __enter__(self) -> Self:
        if self._entry.warm_up is not None:
            _warm(self._entry.name)
        return self

    def __exit__(self, *_: object) -> None:
        self._player = None

    def begin(self, offer: Offer) -> None:
        """Make the game's player."""
        conditions = self._conditions
        seat = Seat(offer.code.rules, conditions.goal, conditions.undo.value, offer.seed)
        self._player = self._entry.makers[offer.code.game](seat)
        self._cpu_s = 0.0

    def choose(self, view: Mapping[str, Any], played: Sequence[str], clock_ms: float | None) -> Choice:
        """Let the player answer; what goes wrong in it is its own."""
        assert self._player is not None
        wall_ms = self._conditions.move_ms if clock_ms is None else min(self._conditions.move_ms, clock_ms)
        begun = time.thread_time()
        try:
            return self._player.choose(view, Budget(wall_ms, self._conditions.nodes))
        except MemoryError as fault:
            raise Failed(Failure.MEMORY, repr(fault)) from fault
        except Exception as fault:  # A player may raise anything: its game ends, not the run.
            raise Failed(Failure.EXIT, repr(fault)) from fault
        finally:
            self._cpu_s += time.thread_time() - begun

    def settle(self, status: str, score: int, moves: int, failed: Failed | None) -> Spent:
        """Forget the player."""
        self._player = None
        return Spent(self._cpu_s * 1000, _peak_mb())


def contender(who: Contestant, conditions: Conditions) -> Contender:
    """Return the contestant, ready to play in this process."""
    return RosterContender(who.name, conditions)


@cache
def _warm(name: str) -> None:
    """Load what a player needs, once in this process and before any clock runs."""
    warm_up = entry(name).warm_up
    assert warm_up is not None
    warm_up()


def _peak_mb() -> float:
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held / (2**20 if sys.platform == "darwin" else 2**10)
