"""One worker's share of a stream: each entry is taken by one worker, and by another when that one dies."""

from __future__ import annotations

from typing import Final, cast

from msgspec import Struct
from redis.asyncio import Redis
from redis.asyncio.client import Pipeline
from redis.exceptions import ResponseError

__all__ = ["DEAD_AFTER_MS", "MAX_BLOCK_MS", "Share", "Taken"]

DEAD_AFTER_MS: Final = 30_000
MAX_BLOCK_MS: Final = 2000
"""Shorter than any timeout of a client, and how late a dead worker's entry may be noticed on top of its time."""


class Taken(Struct, frozen=True):
    """An entry that this worker has taken and has to call done; without fields where it was dropped meanwhile."""

    id: str
    fields: dict[bytes, bytes]


class Share:
    """A stream as one worker of a group sees it. An entry is taken at least once: serving it twice must be harmless.

    A `worker` is a name that no other living worker has. One that comes back under its name finds what it had taken.
    """

    def __init__(self, client: Redis, stream: str, group: str, worker: str, dead_after_ms: int = DEAD_AFTER_MS) -> None:
        self._client, self._stream, self._group = client, stream, group
        self._worker = worker
        self._dead_after_ms = dead_after_ms

    async def mine(self) -> list[Taken]:
        """Return what a worker of this name had taken before it ended."""
        await self._create_group()
        return await self._read("0", None)

    async def take(self, limit: int, block_ms: int | None = MAX_BLOCK_MS) -> list[Taken]:
        """Take up to `limit` entries: those of dead workers first, else new ones, waiting up to `block_ms` if given."""
        try:
            return await self._left_behind(limit) or await self._read(">", limit, block_ms)
        except ResponseError as error:
            if not str(error).startswith("NOGROUP"):
                raise
        await self._create_group()
        return await self._read(">", limit, block_ms)

    async def working(self, entry: str) -> bool:
        """Say that an entry is being served, more often than `dead_after_ms`; False if another has taken it over."""
        held = await self._client.xpending_range(self._stream, self._group, min=entry, max=entry, count=1)
        if not held or _text(held[0]["consumer"]) != self._worker:
            return False
        await self._client.xclaim(self._stream, self._group, self._worker, 0, [entry], justid=True)
        return True

    async def times_taken(self, entry: str) -> int:
        """Return how often an entry was taken so far; 0 where nobody holds it."""
        held = await self._client.xpending_range(self._stream, self._group, min=entry, max=entry, count=1)
        return int(held[0]["times_delivered"]) if held else 0

    def drop(self, pipeline: Pipeline, entry: str) -> None:
        """Add to a pipeline of Redis commands that an entry is dropped, served or not."""
        pipeline.xack(self._stream, self._group, entry)
        pipeline.xdel(self._stream, entry)

    async def _left_behind(self, limit: int) -> list[Taken]:
        claimed = await self._client.xautoclaim(
            self._stream, self._group, self._worker, self._dead_after_ms, count=limit
        )
        return [_taken(entry, fields) for entry, fields in claimed[1] if fields]

    async def _read(self, after: str, limit: int | None, block_ms: int | None = None) -> list[Taken]:
        """Read new entries (`>`, waiting for one) or one's own old ones (`0`)."""
        block = None if block_ms is None else max(1, min(block_ms, MAX_BLOCK_MS))  # 0 would block for ever.
        reply = await self._client.xreadgroup(
            self._group, self._worker, {self._stream: after}, count=limit, block=block
        )
        streams = cast(list[tuple[bytes, list[tuple[bytes, dict[bytes, bytes]]]]], reply)  # As RESP2 has it.
        return [_taken(entry, fields) for _, entries in streams for entry, fields in entries]

    async def _create_group(self) -> None:
        try:
            await self._client.xgroup_create(self._stream, self._group, id="0", mkstream=True)
        except ResponseError as error:
            if not str(error).startswith("BUSYGROUP"):
                raise


def _taken(entry: object, fields: dict[bytes, bytes] | None) -> Taken:
    return Taken(_text(entry), fields or {})


def _text(raw: object) -> str:
    return raw.decode() if isinstance(raw, bytes) else str(raw)
