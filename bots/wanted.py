"""The seats that want a bot: each is taken by one worker, and by another when that one dies."""

from __future__ import annotations

from typing import Final, cast

from msgspec import Struct
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ResponseError

from engine.wish import GROUP, STREAM, WISH_FIELD, SeatWish, seat_token, unpack_wish

__all__ = ["DEAD_AFTER_MS", "Taken", "Wanted", "connect"]

DEAD_AFTER_MS: Final = 30_000
MAX_BLOCK_MS: Final = 2000
"""Shorter than any timeout of a client, and how late a dead worker's seat may be noticed on top of its time."""
TOKEN_KEPT_S: Final = 25 * 3600
"""Longer than any race: an hour to start, a day to play."""


def connect(url: str) -> Redis:
    """Make a client for a worker; it never tries again by itself."""
    return Redis.from_url(url, protocol=2, retry=Retry(NoBackoff(), 0), socket_timeout=5.0, socket_connect_timeout=5.0)


class Taken(Struct, frozen=True):
    """A wish that this worker has taken and has to call done; None where it is no wish that can be read."""

    id: str
    wish: SeatWish | None


class Wanted:
    """The wishes as one worker sees them. Each is taken at least once: joining twice must be harmless, and is.

    A `worker` is a name that no other living worker has. One that comes back under its name finds what it had taken.
    """

    def __init__(self, client: Redis, worker: str, dead_after_ms: int = DEAD_AFTER_MS) -> None:
        self._client = client
        self._worker = worker
        self._dead_after_ms = dead_after_ms

    async def mine(self) -> list[Taken]:
        """Return what a worker of this name had taken before it ended."""
        await self._create_group()
        return await self._read("0", None)

    async def take(self, limit: int, block_ms: int = MAX_BLOCK_MS) -> list[Taken]:
        """Take up to `limit` wishes: those of dead workers first, else new ones, waiting for one up to `block_ms`."""
        try:
            return await self._left_behind(limit) or await self._read(">", limit, block_ms)
        except ResponseError as error:
            if not str(error).startswith("NOGROUP"):
                raise
        await self._create_group()
        return await self._read(">", limit, block_ms)

    async def working(self, wish_id: str) -> bool:
        """Say that a wish is being served, more often than `dead_after_ms`; False if another has taken it over."""
        held = await self._client.xpending_range(STREAM, GROUP, min=wish_id, max=wish_id, count=1)
        if not held or _text(held[0]["consumer"]) != self._worker:
            return False
        await self._client.xclaim(STREAM, GROUP, self._worker, 0, [wish_id], justid=True)
        return True

    async def done(self, wish_id: str) -> None:
        """Drop a wish that has been served, or that nobody can serve."""
        async with self._client.pipeline(transaction=True) as together:
            together.xack(STREAM, GROUP, wish_id)
            together.xdel(STREAM, wish_id)
            together.delete(seat_token(wish_id))
            await together.execute()

    async def token(self, wish_id: str) -> str | None:
        """Return the token with which the wish's seat is played, if somebody has begun to."""
        token = await self._client.get(seat_token(wish_id))
        return None if token is None else _text(token)

    async def keep_token(self, wish_id: str, token: str) -> str:
        """Keep a token for the wish's seat unless there is one; returns the one that is kept."""
        await self._client.set(seat_token(wish_id), token, nx=True, ex=TOKEN_KEPT_S)
        return await self.token(wish_id) or token

    async def _left_behind(self, limit: int) -> list[Taken]:
        claimed = await self._client.xautoclaim(STREAM, GROUP, self._worker, self._dead_after_ms, count=limit)
        return [_taken(wish_id, fields) for wish_id, fields in claimed[1] if fields]

    async def _read(self, after: str, limit: int | None, block_ms: int | None = None) -> list[Taken]:
        """Read new wishes (`>`, waiting for one) or one's own old ones (`0`)."""
        block = None if block_ms is None else max(1, min(block_ms, MAX_BLOCK_MS))  # 0 would block for ever.
        reply = await self._client.xreadgroup(GROUP, self._worker, {STREAM: after}, count=limit, block=block)
        streams = cast(list[tuple[bytes, list[tuple[bytes, dict[bytes, bytes]]]]], reply)  # As RESP2 has it.
        return [_taken(wish_id, fields) for _, wishes in streams for wish_id, fields in wishes]

    async def _create_group(self) -> None:
        try:
            await self._client.xgroup_create(STREAM, GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if not str(error).startswith("BUSYGROUP"):
                raise


def _taken(wish_id: object, fields: dict[bytes, bytes] | None) -> Taken:
    try:
        wish = unpack_wish((fields or {})[WISH_FIELD])
    except (KeyError, ValueError):
        wish = None
    return Taken(_text(wish_id), wish)


def _text(raw: object) -> str:
    return raw.decode() if isinstance(raw, bytes) else str(raw)
