"""Challenges between players: one stream for all nodes, which keeps the newest of them."""

from __future__ import annotations

from typing import Any, Final, cast

import msgspec
from msgspec import Struct
from redis.asyncio import Redis

from engine.race.events import PlayerKind
from server.store import keys
from server.store.batch import Write

__all__ = ["Challenge", "ChallengeStream"]

KEPT: Final = 10_000
"""How many are kept: as many as a busy hour may bring, of which the last minutes' count."""
PAGE: Final = 1_000
_FIELD: Final = b"c"


class Challenge(Struct, frozen=True):
    """A race that waits for `player`, until `expires_at` (ms); by whom, and on which terms, as anybody may see them.

    `place` is what the address of whoever made it is counted as. It is put once more when it is `answered`: accepted,
    declined or called off.
    """

    race: str
    player: str
    by: str
    name: str
    kind: PlayerKind
    card: dict[str, Any]
    expires_at: int
    answered: bool = False
    place: str = ""


class ChallengeStream:
    """The stream as one node reads it. What is told of a challenge is to last, so `write` puts it there."""

    def __init__(self, client: Redis, write: Write) -> None:
        self._client = client
        self._write = write
        self._last = "-"

    async def put(self, challenge: Challenge) -> None:
        """Let all nodes know of a challenge. Raises StoreUnavailable."""
        await self._write("XADD", keys.CHALLENGES, "MAXLEN", "~", KEPT, "*", _FIELD, msgspec.json.encode(challenge))

    async def news(self) -> list[Challenge]:
        """Return what has been put since the last time, all that is kept at first. Raises RedisError."""
        found: list[Challenge] = []
        while page := cast(list[Any], await self._client.xrange(keys.CHALLENGES, self._last, "+", PAGE)):
            self._last = f"({page[-1][0].decode()}"
            found += (msgspec.json.decode(fields[_FIELD], type=Challenge) for _, fields in page)
        return found
