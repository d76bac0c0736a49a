"""What a player is: something that is shown a board and answers with a word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

from msgspec import Struct

from engine.codes import Rules

__all__ = ["DONE", "Budget", "Choice", "Goal", "Player", "Seat"]

DONE = "done"
"""The word that settles a seat with its present position."""

Goal = Literal["first", "score", "moves", "strokes"]


class Budget(Struct, frozen=True):
    """What a player may spend on one move; with `nodes` set, the same seed gives the same game on any machine."""

    wall_ms: float = 50.0
    nodes: int | None = None
    """Games played out or states visited, whichever the player counts; the clock is then not looked at."""


class Choice(Struct, frozen=True):
    """A word of the view's `legal`, `u` or `done`, and a remark on it for logs and the bench."""

    word: str
    note: str | None = None
    nodes: int | None = None
    """What it took, as the player counts."""


class Seat(Struct, frozen=True):
    """What a player knows of its game beside the board: the rules, what counts, what may be undone, its own seed."""

    rules: Rules
    goal: Goal = "score"
    undo: Literal["free", "unrevealed", "none"] = "none"
    seed: int = 0


class Player(Protocol):
    """One game's player, made anew for each game."""

    def choose(self, view: Mapping[str, Any], budget: Budget) -> Choice:
        """Answer a board (`notation.md`), as the seat sees it, with a word.

        With no legal move left the answer is `done`: a player never waits and never loops.
        """
        ...
