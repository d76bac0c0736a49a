"""Timers of races: one each, fired at least once, by whichever node leases it first."""

from typing import Final

from msgspec import Struct
from redis.asyncio import Redis

from server.store import keys

LEASE_MS: Final = 5000

# Each script runs on one shard. TIME is read inside, so that no clock but Redis's decides what is due.
_PUT: Final = """
local score = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or ARGV[2] + 1)
redis.call('ZADD', KEYS[1], string.format('%.0f', math.min(score - 1, ARGV[2])), ARGV[1])
return 1
"""
_LEASE: Final = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now), 'LIMIT', 0, ARGV[2])
local until_ms = string.format('%.0f', now + ARGV[1])
for _, rid in ipairs(due) do
  redis.call('ZADD', KEYS[1], until_ms, rid)
end
return {until_ms, due}
"""
_SETTLE: Final = """
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score or tonumber(score) ~= tonumber(ARGV[2]) then
  return 0
end
if ARGV[3] == '' then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
end
return 1
"""


class Lease(Struct, frozen=True):
    """A timer that has fired for this node; after `until_ms` it fires again, for any node, unless settled."""

    rid: str
    until_ms: int


class Timers:
    """The timers of all races, in sorted sets by due time (ms of Redis's clock)."""

    def __init__(self, client: Redis, lease_ms: int = LEASE_MS) -> None:
        self._client = client
        self._lease_ms = lease_ms
        self._put = client.register_script(_PUT)
        self._lease = client.register_script(_LEASE)
        self._settle = client.register_script(_SETTLE)

    async def put(self, rid: str, due_ms: int) -> None:
        """See that a race is looked at by `due_ms`: a new timer, or an earlier time for the one it has.

        It never makes a timer later, so that a node with an old fold cannot put off what a newer one needs; what
        fires early is folded, found not due and settled. A timer that is early enough moves by 1 ms all the same: a
        node that has leased it and folded before this was needed cannot settle it any more, and it fires again.
        Call it before the append that makes the timer needed.
        """
        await self._put(keys=[_key(rid)], args=[rid, due_ms])

    async def remove(self, rid: str) -> None:
        """Remove a race's timer, once its log has expired."""
        await self._client.zrem(_key(rid), rid)

    async def due_ms(self, rid: str) -> int | None:
        """When a race's timer fires next, if it has one."""
        score = await self._client.zscore(_key(rid), rid)
        return None if score is None else int(score)

    async def lease(self, shard: int, limit: int = 100) -> list[Lease]:
        """Lease the due timers of a shard, the longest due first: each moves to the end of the lease."""
        until_ms, due = await self._lease(keys=[keys.timers(shard)], args=[self._lease_ms, limit])
        return [Lease(rid.decode(), int(until_ms)) for rid in due]

    async def settle(self, lease: Lease, due_ms: int | None) -> bool:
        """End a lease: the timer fires next at `due_ms`, or never; False if it is no longer this lease's.

        Then another node has leased it, or `put` has made it earlier, and it stays as it is.
        """
        args: list[str | int] = [lease.rid, lease.until_ms, "" if due_ms is None else due_ms]
        return bool(await self._settle(keys=[_key(lease.rid)], args=args))


def _key(rid: str) -> str:
    return keys.timers(keys.timer_shard(rid))
