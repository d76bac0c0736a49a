"""What time alone does to races: alarms on the nodes that follow them, and timers in Redis for all the others."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from itertools import cycle
from typing import Any, Final

import structlog
from msgspec import Struct
from redis.exceptions import RedisError

from engine.log.entry import LogError
from engine.race.commands import Tick
from engine.race.model import Race
from server.races.clock import Clock
from server.races.table import Table
from server.store.connect import StoreUnavailable
from server.store.keys import TIMER_SHARDS
from server.store.timers import Lease, Timers
from server.watch.metrics import Metrics

__all__ = ["Due"]

TIMERS_EVERY_S: Final = 1.0
"""How often due timers are looked for; a node that follows the race ends it to the millisecond."""
FIRED_AT_ONCE: Final = 128
"""Races that a node looks after at a time; the timers of others are left to fire later, here or on another node.

Without it a crowd of races that end together would wait for each other until their leases ran out, and fire again.
"""
FULL_S: Final = 0.02
"""How soon timers are looked for again while so many are being served."""
ALARM_AGAIN_MS: Final = 1_000
"""How soon an alarm rings again that could not be served."""
CLOSED_WITHIN_MS: Final = 2_000
"""How long the node that ends a race may take to say so in the log, before any other does."""
BOTS_WITHIN_MS: Final = 5_000
"""How long the node that creates a race may take to ask for its bots, before any other does."""

log = structlog.get_logger("races")


class _Alarm(Struct, frozen=True):
    """What will ring, and for which due time."""

    due: int
    handle: asyncio.TimerHandle


class Looks(Struct, frozen=True):
    """What is done with a race whose timer fires.

    `fresh` opens it and folds it to the tail of its log; `on_open` is called while it is open, `on_closed` once it is
    closed, and says when, in ms, it is to be called again, None when never.
    """

    fresh: Callable[[str], Awaitable[Table]]
    on_open: Callable[[Race], Awaitable[None]]
    on_closed: Callable[[Race], Awaitable[int | None]]


class Due:
    """Looks after races when their time has come."""

    def __init__(
        self,
        timers: Timers,
        clock: Clock,
        spawn: Callable[[Coroutine[Any, Any, None], str], None],
        looks: Looks,
        metrics: Metrics,
    ) -> None:
        self._timers = timers
        self._clock = clock
        self._spawn = spawn
        self._looks = looks
        self._metrics = metrics
        self._alarms: dict[str, _Alarm] = {}
        self._firing = 0

    async def prepare(self, before: Race, after: Race) -> None:
        """See that somebody looks at a race in time though this node may die; a timer is never too late, if early.

        Raises StoreUnavailable.
        """
        known, due = before.due(), after.due()
        if after.closed:
            due = 0  # It is to be archived.
        if due is None or (known is not None and known <= due):
            return
        now = self._clock.now()
        if before.card is None and after.card is not None and after.card.bots:
            due = min(due, now + BOTS_WITHIN_MS)
        try:
            await self._timers.put(after.id, max(due, now + CLOSED_WITHIN_MS))
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault

    def set_alarm(self, table: Table, at_least_ms: int = 1) -> None:
        """Ring when the race is due, if anybody follows it or it has to be closed."""
        due = table.race.due() if table.followed or table.race.ended else None
        alarm = self._alarms.get(table.rid)
        if alarm is not None:
            if alarm.due == due:
                return
            self._drop_alarm(table.rid)
        if due is not None:
            wait_ms = max(at_least_ms, due - self._clock.now())
            handle = asyncio.get_running_loop().call_later(wait_ms / 1000, self._ring, table)
            self._alarms[table.rid] = _Alarm(due, handle)

    def _drop_alarm(self, rid: str) -> None:
        alarm = self._alarms.pop(rid, None)
        if alarm is not None:
            alarm.handle.cancel()

    def close(self) -> None:
        """Ring no more at all."""
        for rid in tuple(self._alarms):
            self._drop_alarm(rid)

    async def fire_timers(self) -> None:
        """Look after races whose timers fire, for ever."""
        for first in cycle(range(TIMER_SHARDS)):  # Each shard is the first one in its turn, so that none is left out.
            faults = [
                fault
                for shard in range(first, first + TIMER_SHARDS)
                if (fault := await self._fire_shard(shard % TIMER_SHARDS)) is not None
            ]
            if faults:
                log.warning("timers not read", shards=len(faults), fault=str(faults[0]))
            await asyncio.sleep(TIMERS_EVERY_S if self._firing < FIRED_AT_ONCE else FULL_S)

    async def _fire_shard(self, shard: int) -> Exception | None:
        """Look after the races of a shard that are due; returns why their timers could not be read, if so."""
        free = FIRED_AT_ONCE - self._firing
        if free <= 0:
            return None
        try:
            leases = await self._timers.lease(shard, free)
        except (RedisError, OSError) as fault:
            return fault
        self._firing += len(leases)
        for lease in leases:
            self._spawn(self._fire(lease), f"race {lease.rid} timer")
        return None

    def _ring(self, table: Table) -> None:
        self._alarms.pop(table.rid, None)
        self._spawn(self._wake(table), f"race {table.rid} alarm")

    async def _wake(self, table: Table) -> None:
        try:
            await self._tick(table)
        except StoreUnavailable as fault:
            log.warning("alarm not served", race=table.rid, fault=str(fault))
            self.set_alarm(table, ALARM_AGAIN_MS)
        except LogError as fault:
            log.error("race not looked after", race=table.rid, fault=str(fault))
        else:
            self.set_alarm(table)

    async def _fire(self, lease: Lease) -> None:
        """Look after a race whose timer fired; a lease that is not settled fires again."""
        try:
            table = await self._looks.fresh(lease.rid)
            race = table.race
            if race.card is not None and not race.started and not race.ended:
                await self._looks.on_open(race)
            if race.card is not None and not race.closed:
                await self._tick(table)
            due = await self._looks.on_closed(table.race) if table.race.closed else table.race.due()
            await self._timers.settle(lease, due)
        except (StoreUnavailable, LogError, RedisError, OSError) as fault:
            log.warning("timer not served", race=lease.rid, fault=str(fault))
        finally:
            self._firing -= 1

    async def _tick(self, table: Table) -> None:
        """Do what is due in a race. Raises StoreUnavailable where that is not known to be done, LogError."""
        now, due = self._clock.now(), table.race.due()
        answer = await table.ask(Tick(now))
        if answer.retry_ms is not None:
            raise StoreUnavailable("the race could not be looked after")
        if due is not None and due <= now and table.race.due() != due:
            self._metrics.deadline_late_s.observe((self._clock.now() - due) / 1000)
