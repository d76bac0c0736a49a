"""The logs of all races wherever they are: in Redis, and once a race is in the archive, in its file."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Final

import structlog
from redis.asyncio import Redis

from engine.log.entry import GENESIS, START, Cursor, Entry, LogError
from engine.replay.document import ReplayError
from engine.replay.file import read_replay
from server.store.append import Archived, Forked, Outcome
from server.store.archive import Archive
from server.store.log import Log

__all__ = ["History"]

REMEMBERED: Final = 32
"""Archived races whose entries are kept in memory: their files never change."""

log = structlog.get_logger("archive")


class History(Log):
    """A node's logs, which are read from the archive where a race has a file there: then the file is right."""

    def __init__(self, client: Redis, archive: Archive | None, **options: Any) -> None:
        super().__init__(client, **options)
        self.archive = archive
        self._remembered: OrderedDict[str, tuple[Entry, ...]] = OrderedDict()

    async def read(self, rid: str, cursor: Cursor = START) -> tuple[Entry, ...] | Forked:
        """Read all entries after `cursor`, as `Log.read` does. Raises LogError for a file that is damaged, too."""
        known = self._remembered.get(rid)
        if known is not None:
            return _after(known, cursor)
        if self.archive is None or cursor.seq > 0:
            # Whoever has folded a part of it goes on with the stream, as long as that is there.
            found = await self.stream(rid, cursor)
            if self.archive is None or not isinstance(found, Forked):
                return found
        try:
            archived = await self._archived(rid)
        except ReplayError as damage:
            found = await self.stream(rid, cursor)
            if isinstance(found, Forked) or not found:
                raise LogError(1, f"expected a whole replay file in the archive, found {damage}") from damage
            return found
        return await self.stream(rid, cursor) if archived is None else _after(archived, cursor)

    async def stream(self, rid: str, cursor: Cursor = START) -> tuple[Entry, ...] | Forked:
        """Read what Redis has after `cursor`, whatever the archive says. Raises LogError, StoreUnavailable."""
        return await super().read(rid, cursor)

    async def append(
        self,
        rid: str,
        seen: Cursor,
        lane: str,
        bodies: Sequence[tuple[bytes, bytes]],
        *,
        start_ms: int | None = None,
        until_ms: int | None = None,
        begun: bool = False,
    ) -> Outcome:
        """Append as `Log.append` does; `Archived` where the race is closed and only its file is left."""
        outcome = await super().append(rid, seen, lane, bodies, start_ms=start_ms, until_ms=until_ms, begun=begun)
        if isinstance(outcome, Forked) and seen.seq > 0 and await self._has_file(rid):
            return Archived()
        return outcome

    async def _has_file(self, rid: str) -> bool:
        try:
            return await self._archived(rid) is not None
        except ReplayError:
            return False

    async def _archived(self, rid: str) -> tuple[Entry, ...] | None:
        """Return the entries of a race's file; None where it has none. Raises ReplayError, StoreUnavailable."""
        known = self._remembered.get(rid)
        if known is not None:
            self._remembered.move_to_end(rid)
            return known
        data = None if self.archive is None else await self.archive.read(rid)
        if data is None:
            return None
        try:
            replay = await asyncio.to_thread(read_replay, data)
            if replay.header.race != rid or not replay.entries:
                raise ReplayError("header.race", f"expected {rid}, found {replay.header.race}")
        except ReplayError as damage:
            log.error("a file of the archive is damaged", race=rid, place=damage.place, fault=damage.fault)
            raise
        self._remembered[rid] = replay.entries
        if len(self._remembered) > REMEMBERED:
            self._remembered.popitem(last=False)
        return replay.entries


def _after(entries: tuple[Entry, ...], cursor: Cursor) -> tuple[Entry, ...] | Forked:
    """Return the entries after a cursor whose own entry bears its hash."""
    if cursor.seq > len(entries) or cursor.h != (entries[cursor.seq - 1].h if cursor.seq else GENESIS):
        return Forked()
    return entries[cursor.seq :]
