"""Under which conditions a bench plays: what counts, what may be spent, and the seed of every game."""

from __future__ import annotations

import zlib

from msgspec import Struct

from bots.player import Goal
from engine.codes import Code, parse_code
from engine.double.rules import DoubleRules
from engine.game import game_of
from engine.solo import UndoPolicy

__all__ = ["Conditions", "Deal", "deal_of", "raced"]


class Conditions(Struct, frozen=True):
    """What is the same for every game of a run."""

    seed: int = 0
    goal: Goal = "score"
    undo: UndoPolicy = UndoPolicy.NONE
    move_ms: float = 50.0
    """Wall time for one move; an answer is late 50 ms after it."""
    game_ms: float | None = None
    """Wall time for all the moves of a game."""
    nodes: int | None = None
    """For one move of a built-in bot, in place of the wall time: the same seed then plays the same games anywhere."""
    max_ops: int | None = None
    """Operations after which a game ends; None: what the game's own limit is."""
    memory_mb: int = 1024
    """What the processes of a bot may hold together; built-in bots are measured only."""

    def operations(self, game: str) -> int:
        """Return how many operations a game of these letters may take."""
        return self.max_ops or game_of(game).max_operations


class Deal(Struct, frozen=True):
    """A deal to be played: its canonical code, and the seed that every bot gets on it."""

    code: str
    seed: int


def deal_of(code: str, conditions: Conditions) -> Deal:
    """Return the deal of a canonical code; its seed depends on nothing but the code and the run's seed."""
    return Deal(code, zlib.crc32(f"{conditions.seed}:{code}".encode()))


def raced(text: str, goal: Goal) -> Code:
    """Read a code as it is raced: in Double Solitaire a card pays only once where scores count. Raises CodeError."""
    code = parse_code(text)
    if goal == "score" and isinstance(code.rules, DoubleRules) and not code.rules.once:
        return Code(code.game, code.version, DoubleRules(code.rules.draw, code.rules.scoring, True), code.number)
    return code
