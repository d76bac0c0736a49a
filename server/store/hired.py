"""How many seats for bots somebody has asked for in races that are not over, in one place for all nodes."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Final, cast

from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import RedisError

from server.store import keys
from server.store.connect import StoreUnavailable

__all__ = ["Hired", "HiredBots", "TooMany"]

BY: Final = "by:"

# A race is a member of a set for each of those it counts for, by when it is over at the latest: its seats, then its id.
# Its own set names those sets, and behind `by:` the attempts to offer it: several may be made at a time.
_HIRE: Final = """
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('SADD', KEYS[1], ARGV[4])
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
  if hired + seats > tonumber(ARGV[i + 3]) then
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
redis.call('SADD', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', lasts_ms))
return {0, 0}
"""
_GIVE_BACK: Final = """
redis.call('SREM', KEYS[1], ARGV[2])
local sets = redis.call('SMEMBERS', KEYS[1])
for _, name in ipairs(sets) do
  if string.sub(name, 1, 3) == 'by:' then
    return 0
  end
end
for _, name in ipairs(sets) do
  redis.call('ZREM', name, ARGV[1])
end
redis.call('DEL', KEYS[1])
return 1
"""


class Hired(Struct, frozen=True):
    """Bots of a race that are counted for an attempt `by` somebody to offer it."""

    rid: str
    seats: int
    by: str


class TooMany(Struct, frozen=True):
    """Who would have too many bots, and how many are counted already."""

    who: str
    hired: int


class HiredBots:
    """The races that have asked for bots, by who offered them and from where."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._hire = client.register_script(_HIRE)
        self._give_back = client.register_script(_GIVE_BACK)

    async def hire(self, rid: str, seats: int, lasts_ms: int, most: Mapping[str, int]) -> Hired | TooMany:
        """Count a race's bots for each of those named, once, for so many ms at most, unless one would have too many.

        `most` says of each how many seats it may have. Raises StoreUnavailable.
        """
        hired, whom = Hired(rid, seats, secrets.token_hex(8)), list(most)
        names = [keys.bots_hired(rid), *map(keys.bots_of, whom)]
        try:
            at_fault, counted = await self._hire(
                keys=names, args=[_member(rid, seats), seats, lasts_ms, BY + hired.by, *most.values()]
            )
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault
        return TooMany(whom[at_fault - 1], int(counted)) if at_fault else hired

    async def give_back(self, hired: Hired) -> None:
        """Count the bots of a race that was not offered no more, unless another attempt may yet offer it.

        Raises StoreUnavailable.
        """
        names, member = [keys.bots_hired(hired.rid)], _member(hired.rid, hired.seats)
        try:
            await self._give_back(keys=names, args=[member, BY + hired.by])
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault

    async def free(self, rid: str, seats: int) -> None:
        """Count the bots of a race that is over no more, whoever has offered it. Raises StoreUnavailable."""
        try:
            hired = keys.bots_hired(rid)
            names = cast(set[bytes], await self._client.smembers(hired))
            if names:
                async with self._client.pipeline(transaction=False) as together:
                    for name in names:
                        if not name.startswith(BY.encode()):
                            together.zrem(name.decode(), _member(rid, seats))
                    together.delete(hired)
                    await together.execute()
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault


def _member(rid: str, seats: int) -> str:
    return f"{seats}:{rid}"
