"""No live log without a timer: all logs are looked at now and then, and one without a timer is given one."""

from __future__ import annotations

import asyncio
from typing import Final, cast

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from server.store import keys
from server.store.log import races_logged
from server.store.timers import Timers
from server.watch.metrics import Metrics

__all__ = ["Reaper"]

SWEEP_EVERY_S: Final = 60.0
"""How often all logs are looked at, by one node for all."""
PAGE: Final = 500
"""Logs whose timers are looked for in one go."""
PAUSE_S: Final = 0.01
"""Between two pages, so that moves do not wait for this."""

log = structlog.get_logger("races")


class Reaper:
    """Finds logs that have no timer and gives them one that fires at once.

    A timer is written before its log and removed after it, so there is none unless something went wrong: a timer
    deleted by hand, a Redis put together from parts, a fault of ours.
    """

    def __init__(self, client: Redis, timers: Timers, metrics: Metrics) -> None:
        self._client = client
        self._timers = timers
        self._metrics = metrics

    async def keep(self) -> None:
        """Sweep for ever; of several nodes one does it at a time."""
        while True:
            await asyncio.sleep(SWEEP_EVERY_S)
            try:
                if await self._client.set(keys.SWEPT, "", nx=True, px=int(SWEEP_EVERY_S * 1000)):
                    await self.sweep()
            except (RedisError, OSError) as fault:
                log.warning("logs not swept", fault=str(fault))

    async def sweep(self) -> list[str]:
        """Look at all logs once; returns the races that had no timer. Raises RedisError, OSError."""
        found: list[str] = []
        page: list[str] = []
        async for rid in races_logged(self._client):
            page.append(rid)
            if len(page) >= PAGE:
                found += await self._given_timers(page)
                page.clear()
                await asyncio.sleep(PAUSE_S)
        return found + await self._given_timers(page)

    async def _given_timers(self, rids: list[str]) -> list[str]:
        """Give those of some races a timer that have a log and none; returns them."""
        found = []
        for rid in await self._without_timer(rids):
            # A timer goes after its log: one that is there still, without a timer, has lost it.
            if await self._client.exists(keys.race_log(rid)):
                log.error("a log without a timer", race=rid)
                self._metrics.timers_missing.inc()
                await self._timers.put(rid, 0)
                found.append(rid)
        return found

    async def _without_timer(self, rids: list[str]) -> list[str]:
        pipeline = self._client.pipeline(transaction=False)
        for rid in rids:
            pipeline.zscore(keys.timers(keys.timer_shard(rid)), rid)
        scores = cast(list[float | None], await pipeline.execute())
        return [rid for rid, score in zip(rids, scores, strict=True) if score is None]
