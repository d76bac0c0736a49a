"""Those who wait for a quick race, in one place for all nodes: who waits, who is paired, who has gone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

import msgspec
from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import RedisError

from engine.race.matching import Ticket
from server.store import keys
from server.store.batch import Write
from server.store.connect import StoreUnavailable

__all__ = ["LIVES_MS", "Match", "Queue"]

LIVES_MS: Final = 10_000
"""How long somebody waits of whom the node has said nothing: it says so every second."""
TOLD_MS: Final = 60_000
"""How long a match is kept to be told by the nodes of both."""
_KEYS: Final = (keys.QUEUE, keys.QUEUE_LIVES, keys.QUEUE_MATCHED)

_NOW: Final = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
"""
# Tickets bear the time of entry before them: the packed ticket follows the first colon. Matches bear an m before them
# until they have been told, then a t: who has not been told of a match cannot lose it by asking again.
_ENTER: Final = (
    _NOW
    + """
local match = redis.call('HGET', KEYS[3], ARGV[1])
if match and string.sub(match, 1, 1) == 'm' then
  return now
end
redis.call('HDEL', KEYS[3], ARGV[1])
local known = redis.call('HGET', KEYS[1], ARGV[1])
if not known and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then
  return 0
end
local since = known and string.match(known, '^%d+') or string.format('%.0f', now)
redis.call('HSET', KEYS[1], ARGV[1], since .. ':' .. ARGV[2])
redis.call('ZADD', KEYS[2], string.format('%.0f', now + ARGV[3]), ARGV[1])
return tonumber(since)
"""
)
_KEEP: Final = (
    _NOW
    + """
local states = {}
for i = 2, #ARGV do
  if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 1 then
    redis.call('ZADD', KEYS[2], string.format('%.0f', now + ARGV[1]), ARGV[i])
    states[i - 1] = 'w'
  else
    states[i - 1] = redis.call('HGET', KEYS[3], ARGV[i]) or 'f'
  end
end
return states
"""
)
_WAITING: Final = (
    _NOW
    + """
local until_ms = string.format('%.0f', now)
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', until_ms, 'LIMIT', 0, 1000)) do
  redis.call('HDEL', KEYS[1], id)
  redis.call('HDEL', KEYS[3], id)
  redis.call('ZREM', KEYS[2], id)
end
return redis.call('HVALS', KEYS[1])
"""
)
_CLAIM: Final = (
    _NOW
    + """
if redis.call('HEXISTS', KEYS[1], ARGV[3]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[4]) == 0 then
  return 0
end
for i = 3, 4 do
  redis.call('HDEL', KEYS[1], ARGV[i])
  redis.call('HSET', KEYS[3], ARGV[i], 'm' .. ARGV[1])
  redis.call('ZADD', KEYS[2], string.format('%.0f', now + ARGV[2]), ARGV[i])
end
return 1
"""
)
_LEAVE: Final = """
for i = 1, #ARGV do
  if redis.call('HDEL', KEYS[1], ARGV[i]) == 1 then
    redis.call('ZREM', KEYS[2], ARGV[i])
  end
end
return 1
"""


_TOLD: Final = """
local match = redis.call('HGET', KEYS[3], ARGV[1])
if match then
  redis.call('HSET', KEYS[3], ARGV[1], 't' .. string.sub(match, 2))
end
return 1
"""


class Match(Struct, frozen=True):
    """Two who have been paired, and the id of their race, which any node can make from this."""

    race: str
    first: Ticket
    second: Ticket


class Queue:
    """The tickets of all who wait. Every call raises StoreUnavailable where Redis does not answer.

    `write` pairs: no failover may let those wait again who have been told of a race.
    """

    def __init__(self, client: Redis, most: int, write: Write | None = None) -> None:
        self._most = most
        self._write = write or client.execute_command
        self._enter = client.register_script(_ENTER)
        self._keep = client.register_script(_KEEP)
        self._waiting = client.register_script(_WAITING)
        self._leave = client.register_script(_LEAVE)
        self._told = client.register_script(_TOLD)

    async def enter(self, ticket: Ticket) -> int | None:
        """Let somebody wait; returns since when (ms), the first time if they wait already. None where it is full."""
        packed = msgspec.msgpack.encode(ticket)
        since = await self._call(self._enter, [ticket.id, packed, LIVES_MS, self._most])
        return int(cast(int, since)) or None

    async def keep(self, ids: Sequence[str]) -> list[Match | bool]:
        """Say that some still wait; returns for each its match, True if it waits on, False if it was forgotten."""
        if not ids:
            return []
        found = cast(list[bytes], await self._call(self._keep, [LIVES_MS, *ids]))
        return [state == b"w" if len(state) == 1 else msgspec.msgpack.decode(state[1:], type=Match) for state in found]

    async def told(self, known: str) -> None:
        """Take note that somebody has been told of a match, and may wait for another."""
        await self._call(self._told, [known])

    async def waiting(self) -> list[Ticket]:
        """Return all who wait, those of dead nodes left out."""
        found = cast(list[bytes], await self._call(self._waiting, []))
        return [_ticket(value) for value in found]

    async def claim(self, match: Match) -> bool:
        """Pair two, if both still wait: of all who try, on any node, one succeeds."""
        args = (msgspec.msgpack.encode(match), TOLD_MS, match.first.id, match.second.id)
        try:
            return await self._write("EVAL", _CLAIM, len(_KEYS), *_KEYS, *args) == 1
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault

    async def leave(self, ids: Sequence[str]) -> None:
        """Let some wait no longer; who has been paired meanwhile is told all the same."""
        if ids:
            await self._call(self._leave, list(ids))

    async def _call(self, script: object, args: list[str | bytes | int]) -> object:
        try:
            return await script(keys=_KEYS, args=args)  # type: ignore[operator]
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault


def _ticket(value: bytes) -> Ticket:
    since, _, packed = value.partition(b":")
    return msgspec.structs.replace(msgspec.msgpack.decode(packed, type=Ticket), since=int(since))
