"""The doorbell answered: races of this node are read on when it rings, and when it may have been missed."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any, Final

import structlog
from redis.asyncio import Redis

from engine.log.entry import LogError
from server.races.chains import Chains
from server.races.clock import Clock
from server.races.table import Table
from server.store.bell import Bell
from server.store.connect import StoreUnavailable
from server.store.notice import entries_in
from server.watch.metrics import Metrics

__all__ = ["Doorbell"]

LOOKED_FOR_MS: Final = 120_000
"""How long after the end of a race the next one is looked for without a ring."""

log = structlog.get_logger("races")


class Doorbell:
    """Hears for those of this node's `tables` that are followed. Its `bell` is to be entered before it is answered."""

    def __init__(
        self,
        client: Redis,
        tables: Mapping[str, Table],
        clock: Clock,
        chains: Chains,
        metrics: Metrics,
        spawn: Callable[[Coroutine[Any, Any, None], str], None],
    ) -> None:
        self.bell = Bell(client, news=self._is_news)
        self._tables = tables
        self._clock = clock
        self._chains = chains
        self._metrics = metrics
        self._spawn = spawn

    async def answer(self) -> None:
        """Read on in what is rung for, for ever."""
        async for rung in self.bell.rung():
            table = self._tables.get(rung.rid)
            if table is None:
                continue
            if rung.seq is None:
                # Mostly there is nothing: a race in which nobody moved is asked about each second.
                table.look(partial(self._looked, table))
            elif rung.seq > table.race.seq:
                self._spawn(self._catch_up(table), f"race {rung.rid} doorbell")
            elif table.race.closed:
                # Nothing is added to it any more: it is the race that follows which is new.
                self._spawn(self._look_for_next(table), f"race {rung.rid} next")

    def _is_news(self, rid: str, seq: int, data: bytes) -> bool:
        """Tell whether something is to be done about a ring: nearly all are this node's own, or bring what is new."""
        table = self._tables.get(rid)
        if table is None:
            return False
        try:
            if seq > table.race.seq and table.hear(entries_in(data)):
                self._caught_up(table)
        except Exception:
            # A fault of whoever is told would end the connection that all races of this node are heard over.
            log.exception("a race heard of could not be told", race=rid)
            return True
        return seq > table.race.seq or table.race.closed

    def _looked(self, table: Table, at_tail: bool) -> None:
        if not at_tail and table.followed:
            self._spawn(self._catch_up(table), f"race {table.rid} doorbell")

    async def _look_for_next(self, table: Table) -> None:
        try:
            await self._chains.look(table)
        except (StoreUnavailable, LogError) as fault:
            log.warning("next race not looked for", race=table.rid, fault=str(fault))

    def _caught_up(self, table: Table) -> None:
        self._metrics.bell_lag_s.observe(max(0, self._clock.now() - table.race.at) / 1000)

    async def _catch_up(self, table: Table) -> None:
        try:
            known = table.race.seq
            await table.fresh()
            if table.race.seq > known:
                self._caught_up(table)
            if table.race.closed and self._clock.now() - (table.race.over_at or 0) < LOOKED_FOR_MS:
                await self._chains.look(table)
        except (StoreUnavailable, LogError) as fault:
            log.warning("race not read", race=table.rid, fault=str(fault))
