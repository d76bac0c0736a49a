"""How many seats for bots somebody has asked for in races that are not over, in one place for all nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from redis.asyncio import Redis
from redis.exceptions import RedisError

from server.store import keys
from server.store.connect import StoreUnavailable

__all__ = ["HiredBots"]

# A race is a member of a set for each of those it counts for, by when it is over at the latest: its seats, then its id.
_HIRE: Final = """
if redis.call('EXISTS', KEYS[1]) == 1 then
  return {0, 0}
end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local member, seats, lasts_ms = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
for i = 2, #KEYS do
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', string.format('%.0f', now))
  local hired = 0
  for _, race in ipairs(redis.call('ZRANGE', KEYS[i], 0, -1)) do
    hired = hired + tonumber(string.match(race, '^%d+'))
  end
  if hired + seats > tonumber(ARGV[i + 2]) then
    return {i - 1, hired}
  end
end
for i = 2, #KEYS do
  redis.call('ZADD', KEYS[i], string.format('%.0f', now + lasts_ms), member)
  if redis.call('PTTL', KEYS[i]) < lasts_ms then
    redis.call('PEXPIRE', KEYS[i], string.format('%.0f', lasts_ms))
  end
  redis.call('SADD', KEYS[1], KEYS[i])
end
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', lasts_ms))
return {0, 0}
"""


class HiredBots:
    """The races that have asked for bots, by who offered them and from where."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._hire = client.register_script(_HIRE)

    async def hire(self, rid: str, seats: int, lasts_ms: int, most: Mapping[str, int]) -> tuple[str, int] | None:
        """Count a race's bots for each of those named, once, for so many ms at most, unless one would have too many.

        `most` says of each how many seats it may have; returns who has too many, and how many already.
        Raises StoreUnavailable.
        """
        names = [keys.bots_of(who) for who in most]
        try:
            at_fault, hired = await self._hire(
                keys=[keys.bots_hired(rid), *names], args=[f"{seats}:{rid}", seats, lasts_ms, *most.values()]
            )
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault
        return (list(most)[at_fault - 1], int(hired)) if at_fault else None

    async def free(self, rid: str, seats: int) -> None:
        """Count a race's bots no more. Raises StoreUnavailable."""
        try:
            hired = keys.bots_hired(rid)
            names = cast(set[bytes], await self._client.smembers(hired))
            if names:
                async with self._client.pipeline(transaction=False) as together:
                    for name in names:
                        together.zrem(name.decode(), f"{seats}:{rid}")
                    together.delete(hired)
                    await together.execute()
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault
