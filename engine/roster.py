"""The bots that may be asked for, as their workers make them known to the server, which knows no bot itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import msgspec
from msgspec import Struct

from engine.codes import Rules, parse_game
from engine.golf.rules import GolfRules
from engine.wish import STREAM

__all__ = ["ROSTER", "OfferedBot", "pack_roster", "pool_of", "unpack_roster"]

ROSTER: Final = f"{{{STREAM}}}:roster"
"""The Redis key under which workers keep the bots that they play."""


class OfferedBot(Struct, frozen=True, omit_defaults=True):
    """A bot: its name, what it does, the letters of its games, its rating by pool (`pool_of`).

    One of mode `oracle` is given the whole deal.
    """

    name: str
    description: str
    games: tuple[str, ...]
    mode: Literal["fair", "oracle"] = "fair"
    ratings: dict[str, int] = {}

    def rating(self, game: str) -> int | None:
        """Return its rating in a game (`GO1-CJ1X`); None where nothing is known. Raises CodeError."""
        return self.ratings.get(pool_of(game))


def pool_of(game: str | Rules) -> str:
    """Return the pool of a game, given as in a race card (`GO1-CJ1X`, `DS1-D3VO`), as a code, or as its rules.

    Options and scoring have no pool of their own: a bot is taken to be as strong with them. Raises CodeError.
    """
    rules = parse_game("-".join(game.split("-")[:2]))[2] if isinstance(game, str) else game
    return f"GO1-{rules.letter}" if isinstance(rules, GolfRules) else f"DS1-D{rules.draw}N"


def pack_roster(bots: Sequence[OfferedBot]) -> bytes:
    """Pack a roster; the inverse of `unpack_roster`."""
    return msgspec.msgpack.encode(tuple(bots))


def unpack_roster(packed: bytes) -> tuple[OfferedBot, ...]:
    """Read a roster. Raises ValueError where it is none."""
    return msgspec.msgpack.decode(packed, type=tuple[OfferedBot, ...])
