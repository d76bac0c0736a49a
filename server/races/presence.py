"""Which nodes live: when one is gone without a word, another says that the connections to it are gone too."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterator
from typing import Final, cast

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from engine.log.entry import LogError
from engine.race.model import Race
from server.store import keys
from server.store.connect import StoreUnavailable

__all__ = ["Presence", "node_of"]

LEASE_MS: Final = 15_000
"""How long a node that says nothing counts as living."""
KEPT_EACH: Final = 3
"""How often a lease is kept while it lasts, and five times as often while that does not succeed."""
MAX_DEAD: Final = 16
"""Dead nodes that are seen to in one go."""
SAY_AGAIN_S: Final = 60.0
"""How often a node says anew in which races seats are held from it."""
AT_ONCE: Final = 16
"""Races of a dead node that are seen to side by side."""

# A connection's number is its node's, then its own: below 2^53, so that JavaScript reads it exactly.
NODE_BITS: Final = 21
CONNECTION_BITS: Final = 32

# Who has let its own lease run out has been cut off, and so perhaps have all the others: nobody is called dead then,
# they all have until the next time to say that they live. What it holds may be forgotten: it has to say that anew.
_KEEP: Final = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local held = redis.call('ZSCORE', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), ARGV[1])
if not held or tonumber(held) < now then
  return {0, {}}
end
return {1, redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now), 'LIMIT', 0, ARGV[3])}
"""

log = structlog.get_logger("races")


def node_of(connection: int) -> int:
    """Return the number of the node that a connection is to; 0 for none."""
    return connection >> CONNECTION_BITS


class Presence:
    """One node's lease, the races in which its connections hold seats, and what becomes of those of dead nodes.

    `leave(race, node)` has to say in a race that all connections to a node are gone.
    """

    def __init__(self, client: Redis, leave: Callable[[str, int], Awaitable[None]], lease_ms: int = LEASE_MS) -> None:
        self.node = 1 + secrets.randbelow((1 << NODE_BITS) - 1)
        self._client = client
        self._leave = leave
        self._lease_ms = lease_ms
        self._keep = client.register_script(_KEEP)
        self._held: set[str] = set()
        self._say_again_at = 0.0
        self._closed: set[str] = set()
        self._buried_now: set[int] = set()

    def connection(self) -> int:
        """Return a number for a new connection to this node, unlike any other."""
        return (self.node << CONNECTION_BITS) | secrets.randbelow(1 << CONNECTION_BITS)

    async def prepare(self, after: Race) -> None:
        """Note that a race is to have a seat that is held from here, before it is written. Raises StoreUnavailable."""
        if after.id in self._held or not any(node_of(seat.connection) == self.node for seat in after.seats.values()):
            return
        try:
            await self._client.sadd(keys.node_races(self.node), after.id)
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault
        self._held.add(after.id)

    def forget(self, rid: str) -> None:
        """Note that Redis may have lost what `prepare` has written for a race."""
        self._held.discard(rid)

    def closed(self, rid: str) -> None:
        """Note that nobody can be absent from a race any more."""
        if rid in self._held:
            self._held.discard(rid)
            self._closed.add(rid)

    async def keep(self) -> None:
        """Keep this node's lease, and see to nodes that have let theirs run out, for ever."""
        every_s = self._lease_ms / 1000 / KEPT_EACH
        async with asyncio.TaskGroup() as burials:
            while True:
                try:
                    for node in await self._kept():
                        if node not in self._buried_now:
                            self._buried_now.add(node)
                            # Beside this: a dead node may have held so many seats that one's own lease would run out.
                            burials.create_task(self._bury(node), name=f"burial of node {node}")
                    if self._closed:
                        closed = frozenset(self._closed)
                        await self._client.srem(keys.node_races(self.node), *closed)
                        self._closed -= closed  # Others may have ended meanwhile.
                    await asyncio.sleep(every_s)
                except (RedisError, OSError) as fault:
                    log.warning("lease not kept", fault=str(fault))
                    await asyncio.sleep(every_s / 5)

    async def _kept(self) -> list[int]:
        """Keep the lease once; returns the nodes that are dead. Raises RedisError, OSError."""
        kept, dead = await self._keep(keys=[keys.NODES], args=[self.node, self._lease_ms, MAX_DEAD])
        now = asyncio.get_running_loop().time()
        if self._held and (not kept or now >= self._say_again_at):
            # Another node may have said that the seats held from here are nobody's, and forgotten them: those
            # that hold them say otherwise when they hear of it, and when this node dies it is to be known. And a
            # master of a cluster may have died with what was said here, while the race is on another.
            await self._client.sadd(keys.node_races(self.node), *self._held)
            self._say_again_at = now + SAY_AGAIN_S
        return [int(node) for node in dead]

    async def end(self) -> None:
        """Let the lease go: whatever seat is still held from here is nobody's now."""
        try:
            await self._client.zadd(keys.NODES, {str(self.node): 0})
        except (RedisError, OSError) as fault:
            log.warning("lease not ended", fault=str(fault))

    async def _bury(self, node: int) -> None:
        """Empty the seats that a dead node's connections held. Others may do the same: it is said once.

        Where that does not succeed the node stays dead, and is seen to again.
        """
        try:
            rids = cast(set[bytes], await self._client.smembers(keys.node_races(node)))
            waiting = iter(rids)
            async with asyncio.TaskGroup() as group:
                for _ in range(min(AT_ONCE, len(rids))):
                    group.create_task(self._empty(waiting, node), name=f"seats of node {node}")
            await self._client.zrem(keys.NODES, str(node))
        except* (StoreUnavailable, RedisError, OSError) as faults:
            log.warning("seats of a dead node not emptied", node=node, fault=str(faults.exceptions[0]))
        finally:
            self._buried_now.discard(node)

    async def _empty(self, rids: Iterator[bytes], node: int) -> None:
        """Take races until there are no more, and empty a dead node's seats in each."""
        for rid in rids:
            try:
                await self._leave(rid.decode(), node)
            except LogError as fault:
                log.error("absence not written", race=rid.decode(), fault=str(fault))
            await self._client.srem(keys.node_races(node), rid)
