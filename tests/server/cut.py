"""A log as a failover leaves it: brought back to its first entries, as on a replica that was behind."""

from __future__ import annotations

from redis.asyncio import Redis

from server.store import keys

__all__ = ["cut"]


async def cut(redis: Redis, race: str, length: int) -> None:
    """Keep the first entries of a log, so many (negative: all but so many)."""
    key = keys.race_log(race)
    entries = await redis.xrange(key)
    async with redis.pipeline(transaction=True) as pipe:
        pipe.delete(key)
        for entry_id, fields in entries[:length]:
            pipe.xadd(key, fields, id=entry_id)
        await pipe.execute()
