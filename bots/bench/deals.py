"""Deals as they are played: codes read as in a race, and the seed that goes with each."""

from __future__ import annotations

import zlib

from msgspec import Struct
from msgspec.structs import replace

from bots.conditions import Conditions
from bots.player import Goal
from engine.codes import Code, parse_code
from engine.race.card import Goal as RaceGoal
from engine.race.card import raced_under

__all__ = ["Deal", "deal_of", "raced"]


class Deal(Struct, frozen=True):
    """A deal to be played: its canonical code, and the seed that every bot gets on it."""

    code: str
    seed: int


def deal_of(code: str, conditions: Conditions) -> Deal:
    """Return the deal of a canonical code; its seed depends on nothing but the code and the run's seed."""
    return Deal(code, zlib.crc32(f"{conditions.seed}:{code}".encode()))


def raced(text: str, goal: Goal) -> Code:
    """Read a code as it is raced: under the rules that its goal asks for. Raises CodeError."""
    code = parse_code(text)
    return replace(code, rules=raced_under(code.rules, RaceGoal(goal)))
