"""The levels between random and solver: what each lacks in either game, set so that their ratings rise evenly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

__all__ = ["LEVELS", "DoubleLevel", "GolfLevel", "Level"]


class GolfLevel(Struct, frozen=True):
    """What a player of Golf lacks."""

    rows: int
    """How many cards it sees up each column, the free one included."""
    overlooks: float
    """The share of cards that it overlooks before a draw: fewer near its last removal, more far away and covered."""
    misjudges: float
    """How far off it commonly judges where to draw: at 1 an even chance may look like one of three in four."""


class DoubleLevel(Struct, frozen=True):
    """What a player of Double Solitaire lacks."""

    positions: int
    """How many positions it thinks through for a plan."""
    overlooks: float
    """The share of moves that it overlooks until the game has come further: more of those between far columns."""
    misjudges: float
    """By how much it commonly misjudges what a plan brings, where a whole run moved costs 10."""
    remembers: bool
    """Whether it knows the stock cards that it has seen; else it sees the waste's top only."""
    patience: int
    """Rounds in a row that bring less than they cost before it settles."""


class Level(Struct, frozen=True):
    """A level: what it is like, how fast it moves, and what it lacks in each game."""

    description: str
    pace: str
    golf: GolfLevel
    double: DoubleLevel


LEVELS: Final[Mapping[str, Level]] = {
    "level-1": Level(
        "A beginner: takes what catches the eye, and overlooks much of what lies farther off.",
        "slow",
        GolfLevel(rows=1, overlooks=0.185, misjudges=1.5),
        DoubleLevel(positions=6, overlooks=0.23, misjudges=14, remembers=False, patience=1),
    ),
    "level-2": Level(
        "Plays now and then: looks a card ahead, and still overlooks one in six.",
        "slow",
        GolfLevel(rows=2, overlooks=0.155, misjudges=1.3),
        DoubleLevel(positions=8, overlooks=0.22, misjudges=14, remembers=True, patience=1),
    ),
    "level-3": Level(
        "Knows the game: overlooks one in ten, and plans a few moves.",
        "steady",
        GolfLevel(rows=2, overlooks=0.095, misjudges=0.92),
        DoubleLevel(positions=12, overlooks=0.17, misjudges=10.5, remembers=True, patience=1),
    ),
    "level-4": Level(
        "Plays well: overlooks one in twenty, and sees where most plans lead.",
        "steady",
        GolfLevel(rows=3, overlooks=0.047, misjudges=0.58),
        DoubleLevel(positions=20, overlooks=0.075, misjudges=5.5, remembers=True, patience=2),
    ),
    "level-5": Level(
        "Plays often and well: overlooks little, and judges plans nearly right.",
        "steady",
        GolfLevel(rows=4, overlooks=0.017, misjudges=0.33),
        DoubleLevel(positions=40, overlooks=0.045, misjudges=4, remembers=True, patience=2),
    ),
    "level-6": Level(
        "An expert: overlooks next to nothing, and errs only where plans are close.",
        "quick",
        GolfLevel(rows=5, overlooks=0.004, misjudges=0.1),
        DoubleLevel(positions=180, overlooks=0.003, misjudges=0.5, remembers=True, patience=3),
    ),
}
"""By name, the weakest first."""
