"""What a player is: something that is shown a board and answers with a word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

from msgspec import Struct

from engine.codes import Code, Rules

__all__ = ["DONE", "Budget", "Choice", "Goal", "Player", "Seat", "closeness"]

DONE = "done"
"""The word that settles a seat with its present position."""

Goal = Literal["first", "score", "moves", "strokes"]


class Budget(Struct, frozen=True):
    """What a player may spend on one move; with `nodes` set, the same seed gives the same game on any machine."""

    wall_ms: float = 50.0
    nodes: int | None = None
    """Games played out or states visited, whichever the player counts; the clock is then not looked at."""
    clock_ms: float | None = None
    """What is left for all the moves to come; None where nothing limits them."""

    def for_one_of(self, decisions: int) -> float:
        """Return the milliseconds for a decision after which so many more may have to be made."""
        return self.wall_ms if self.clock_ms is None else min(self.wall_ms, self.clock_ms / (decisions + 1))


class Choice(Struct, frozen=True):
    """A word of the view's `legal`, `u` or `done`, and a remark on it for logs and the bench."""

    word: str
    note: str | None = None
    nodes: int | None = None
    """What it took, as the player counts."""
    difficulty: float | None = None
    """From 0, where there was nothing to think about, to 1, where two moves were worth the same; None: not known."""


class Seat(Struct, frozen=True):
    """What a player knows of its game beside the board: the rules, what counts, what may be undone, its own seed."""

    rules: Rules
    goal: Goal = "score"
    undo: Literal["free", "unrevealed", "none"] = "none"
    seed: int = 0
    code: Code | None = None
    """The deal, for an oracle only."""


class Player(Protocol):
    """One game's player, made anew for each game."""

    def choose(self, view: Mapping[str, Any], budget: Budget) -> Choice:
        """Answer a board (`notation.md`), as the seat sees it, with a word.

        With no legal move left the answer is `done`: a player never waits and never loops.
        """
        ...


CLOSE: float = 0.02
"""Worths so far apart are half-way between equal and not to be compared: one win in fifty games."""


def closeness(best: float, second: float) -> float:
    """Return the difficulty of a choice between moves that are worth so much, a game that is cleared being worth 1."""
    return 1 / (1 + (best - second) / CLOSE)
