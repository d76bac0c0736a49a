"""Under which conditions a bot plays: what counts, what may be spent, and the seed of every game."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from bots.player import Goal
from engine.game import GAMES
from engine.solo import UndoPolicy

__all__ = ["LATE_MS", "Conditions"]

LATE_MS: Final = 50.0
"""How long after its time an answer still counts."""


class Conditions(Struct, frozen=True):
    """What is the same for every game of a run."""

    seed: int = 0
    goal: Goal = "score"
    undo: UndoPolicy = UndoPolicy.NONE
    move_ms: float = 50.0
    """Wall time for one move."""
    game_ms: float | None = None
    """Wall time for all the moves of a game."""
    nodes: int | None = None
    """For one move of a built-in bot, in place of the wall time: the same seed then plays the same games anywhere."""
    max_ops: int | None = None
    """Operations after which a game ends; None: what the game's own limit is."""
    memory_mb: int = 1024
    """What the processes of a program may hold together; built-in bots are measured only."""

    def operations(self, game: str) -> int:
        """Return how many operations a game of these letters may take."""
        return self.max_ops or GAMES[game].max_operations

    def budget_ms(self, clock_ms: float | None) -> float:
        """Return the wall time for a move when so much is left of the game's."""
        return self.move_ms if clock_ms is None else min(self.move_ms, clock_ms)
