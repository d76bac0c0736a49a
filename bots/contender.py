"""What whoever runs a game asks of a bot, built in or a program of its own, and what can go wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import TracebackType
from typing import Any, Protocol, Self

from msgspec import Struct

from bots.player import DONE, Choice
from engine.codes import Code, Rules
from engine.solo import UNDO

__all__ = ["Contender", "Failed", "Failure", "Offer", "Settlement", "Spent", "check_word"]


class Failure(StrEnum):
    """Why a game ended before its end: the first two are limits, the others the bot's own fault."""

    MAX_OPS = "max_ops"
    CLOCK = "clock"
    ILLEGAL = "illegal"
    TIMEOUT = "timeout"
    BAD_JSON = "bad_json"
    WRONG_TURN = "wrong_turn"
    EXIT = "exit"
    MEMORY = "memory"


class Failed(Exception):
    """The bot did what ends its game; `detail` says it in words."""

    def __init__(self, reason: Failure, detail: str) -> None:
        self.reason, self.detail = reason, detail
        super().__init__(f"{reason}: {detail}")


class Offer(Struct, frozen=True):
    """A game about to begin: its rules, its seed, its first view; its code is for an oracle only."""

    rules: Rules
    seed: int
    view: Mapping[str, Any]
    code: Code | None = None


def check_word(word: str, view: Mapping[str, Any]) -> None:
    """Raise Failed unless a word may be answered to a view: a legal one, `u` where something can be undone, `done`."""
    if word != DONE and word not in view["legal"] and not (word == UNDO and view["undoable"]):
        raise Failed(Failure.ILLEGAL, f"expected one of {' '.join([*view['legal'], DONE])}, found {word[:80]!r}")


class Settlement(Struct, frozen=True):
    """How a game ended."""

    status: str
    score: int
    moves: int
    reason: Failure | None = None
    failed: Failed | None = None


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

    def settle(self, end: Settlement) -> Spent:
        """Hear how the game ended; returns what it took."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None: ...
