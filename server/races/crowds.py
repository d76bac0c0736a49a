"""How many watch each race, on all nodes together: each says now and then how many watch on it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Final, cast

import msgspec
import structlog
from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import RedisError

from server.races.clock import Clock
from server.store import keys

__all__ = ["Crowds"]

SAY_EVERY_S: Final = 2.0
"""How old another node's number may be."""
KNOWN_MS: Final = 10_000
"""How long a node that says nothing more is counted."""

log = structlog.get_logger("races")


class _Said(Struct, frozen=True):
    """What a node has said, and until when it holds (ms)."""

    until: int
    watching: dict[str, int]


class Crowds:
    """The numbers of one node, and what the others have said. `told(race)` is called when others' numbers change."""

    def __init__(self, client: Redis, node: int, clock: Clock) -> None:
        self._client = client
        self._node = str(node)
        self._clock = clock
        self._here: dict[str, int] = {}
        self._elsewhere: dict[str, int] = {}
        self._silent = True
        self._told: Callable[[str], None] = lambda race: None

    def on_change(self, told: Callable[[str], None]) -> None:
        """Tell somebody of races whose crowd has changed elsewhere."""
        self._told = told

    def count(self, race: str, watching: int) -> int:
        """Take note of how many watch a race here; returns how many do anywhere."""
        if watching:
            self._here[race] = watching
        else:
            self._here.pop(race, None)
        return self.watching(race)

    def watching(self, race: str) -> int:
        """Return how many watch a race, as far as this node knows."""
        return self._here.get(race, 0) + self._elsewhere.get(race, 0)

    async def keep(self) -> None:
        """Say how many watch here and hear of the others, for ever."""
        while True:
            await asyncio.sleep(SAY_EVERY_S)
            try:
                await self.exchange()
            except (RedisError, OSError) as fault:
                log.warning("crowds not exchanged", fault=str(fault))

    async def exchange(self) -> None:
        """Say how many watch here, unless nobody does as before, and hear of the others. Raises RedisError."""
        now = self._clock.now()
        if self._here or not self._silent:
            said = msgspec.msgpack.encode(_Said(now + KNOWN_MS, self._here))
            await self._client.hset(keys.CROWDS, self._node, said)
            self._silent = not self._here
        elsewhere: Counter[str] = Counter()
        for node, packed in cast(dict[bytes, bytes], await self._client.hgetall(keys.CROWDS)).items():
            one = msgspec.msgpack.decode(packed, type=_Said)
            if one.until < now:
                await self._client.hdel(keys.CROWDS, node)
            elif node.decode() != self._node:
                elsewhere.update(one.watching)
        before, self._elsewhere = self._elsewhere, dict(elsewhere)
        for race in before.keys() | elsewhere.keys():
            if before.get(race, 0) != elsewhere.get(race, 0):
                self._told(race)
