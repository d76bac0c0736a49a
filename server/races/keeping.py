"""What becomes of a race that is over: results, then a replay file in the archive, then its log goes, step by step."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from engine.log.entry import Entry, LogError
from engine.race.evolve import fold
from engine.race.model import Race
from engine.replay.document import replay_of
from engine.replay.file import write_replay
from engine.replay.verify import verify
from server.races.clock import Clock
from server.races.secrets import RaceSecrets
from server.read.records import Records
from server.store.append import Forked
from server.store.connect import StoreUnavailable
from server.store.history import History
from server.watch.metrics import Metrics

__all__ = ["STREAM_KEPT_MS", "Keeping"]

STREAM_KEPT_MS: Final = 60_000
"""How long a log outlives its file: whoever looked for the file just before finds the log."""
LOOK_AGAIN_MS: Final = 1_000
"""How long after that it is seen to that the log is gone."""
AT_ONCE: Final = 2
"""Races that one node archives side by side: compressing and verifying are work, and other races go on."""

log = structlog.get_logger("archive")


class Keeping:
    """Looks after the closed races of a node. Each step may be repeated, by any node, after any crash."""

    def __init__(
        self, history: History, clock: Clock, secrets: RaceSecrets, records: Records, metrics: Metrics
    ) -> None:
        self._history = history
        self._clock = clock
        self._secrets = secrets
        self._records = records
        self._metrics = metrics
        self._at_once = asyncio.Semaphore(AT_ONCE)

    async def look_after(self, race: Race) -> int | None:
        """Do what is to be done with a closed race; return when to look at it again in ms, None when never.

        Raises StoreUnavailable, LogError.
        """
        await self._records.record(race)
        if self._history.archive is None:
            return None
        async with self._at_once:
            if not await self._filed(race.id):
                try:
                    await self._file(race.id)
                except (StoreUnavailable, LogError):
                    self._metrics.archive_failed.inc()
                    raise
                self._metrics.archive_s.observe(max(0, self._clock.now() - race.at) / 1000)
        if await self._history.expire(race.id, STREAM_KEPT_MS):
            return self._clock.now() + STREAM_KEPT_MS + LOOK_AGAIN_MS
        return None

    async def record(self, race: Race) -> None:
        """Let the results of a race that has just been closed be seen at once; its timer sees to what fails here."""
        try:
            await self._records.record(race)
        except StoreUnavailable as fault:
            log.warning("results not written", race=race.id, fault=str(fault))

    async def _filed(self, rid: str) -> bool:
        """Tell whether the archive has a whole file of a race. Raises StoreUnavailable."""
        assert self._history.archive is not None
        data = await self._history.archive.read(rid)
        if data is None:
            return False
        verdict = await asyncio.to_thread(verify, data)
        if verdict.ok and verdict.race == rid:
            return True
        log.error("a file of the archive does not verify", race=rid, place=verdict.place, fault=verdict.fault)
        return False

    async def _file(self, rid: str) -> None:
        """Write a race's file, read it back and verify it. Raises StoreUnavailable, LogError."""
        assert self._history.archive is not None
        entries = await self._history.stream(rid)
        if isinstance(entries, Forked) or not entries:
            raise LogError(1, "expected the log of a race that has no file in the archive, found none")
        data = await asyncio.to_thread(self._written, rid, entries)
        await self._history.archive.write(rid, data)
        if await self._history.archive.read(rid) != data or not await self._filed(rid):
            raise StoreUnavailable("the archive gives back another file than was written")
        log.debug("race archived", race=rid, entries=len(entries), bytes=len(data))

    def _written(self, rid: str, entries: tuple[Entry, ...]) -> bytes:
        race = fold(Race(rid), entries, self._secrets)
        if not race.closed:
            raise LogError(race.seq, "expected a race that is closed, found one that goes on")
        return write_replay(replay_of(race, entries))
