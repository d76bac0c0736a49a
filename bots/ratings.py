"""How strong each player of the roster is, as measured by `bots.calibrate` and kept in `ratings.json`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from engine.roster import pool_of

__all__ = ["FILE", "POOLS", "PoolRatings", "Rated", "measured", "pool_of", "write_measured"]

FILE: Final = Path(__file__).with_name("ratings.json")
POOLS: Final = ("GO1-E", "GO1-C", "GO1-S", "DS1-D1N", "DS1-D3N")
"""The games whose players are measured; every other game is played like one of them."""


class Rated(Struct, frozen=True):
    """A player's rating among those of a pool, and what it did on the pool's deals."""

    rating: int
    """Elo: 400 points more win ten pairings of eleven. 1500 is the mean of the levels."""
    low: int
    high: int
    """The ends of its 95 % interval, as wide as so few deals leave it."""
    won: float
    """The share of the deals that it cleared."""
    score: float
    """Its mean score, as settled."""
    cpu_ms: float
    """CPU of a game, on the machine that measured."""

    @property
    def within(self) -> int:
        """The uncertainty: half the width of the interval."""
        return (self.high - self.low + 1) // 2


class PoolRatings(Struct, frozen=True):
    """What was measured for a game: on which deals, with how many nodes a move, and each player's rating, by name."""

    suite: str
    version: str
    hash: str
    deals: int
    nodes: int
    players: Mapping[str, Rated]


@cache
def measured() -> Mapping[str, PoolRatings]:
    """Return what the last calibration measured, by pool."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, PoolRatings])


def write_measured(pools: Mapping[str, PoolRatings]) -> None:
    """Keep what was measured of these pools, and what is known of the others."""
    known = dict(measured()) if FILE.exists() else {}
    ordered = {pool: (known | dict(pools))[pool] for pool in POOLS if pool in known or pool in pools}
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(ordered)) + b"\n")
    measured.cache_clear()
