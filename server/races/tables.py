"""All races that this node has open, and what keeps them going: doorbell, timers, lobby, bots asked for."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Coroutine, Sequence
from itertools import islice
from types import TracebackType
from typing import Any, Final, Self
from weakref import WeakValueDictionary

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from engine.codes import ALPHABET, OPEN_LETTERS
from engine.log.entry import LogError
from engine.race.card import RaceCard
from engine.race.commands import Create, Tick
from engine.race.events import Absent, Event, Started
from engine.race.model import OPEN_FOR_MS, Race
from engine.secrets import created_rid
from server.races.clock import SYNC_EVERY_S, Clock
from server.races.lobby import Lobby
from server.races.secrets import RaceSecrets
from server.races.table import Table
from server.settings import Settings
from server.store.bell import Bell
from server.store.connect import StoreUnavailable
from server.store.keyring import KeyRing
from server.store.keys import TIMER_SHARDS
from server.store.log import Durability, Log
from server.store.timers import Lease, Timers
from server.store.wanted import SeatWish, WantedBots

__all__ = ["Tables", "UnknownRace", "random_number"]

TIMERS_EVERY_S: Final = 1.0
"""How often due timers are looked for; a node that has the race open ends it to the millisecond."""
ALARM_AGAIN_MS: Final = 50
"""How soon an alarm is tried again that came to nothing."""
LOOKED_AT: Final = 8
"""How many of the folds not used for longest are looked at, when there are too many, to forget the idle ones."""
NONCE_BYTES: Final = 16

log = structlog.get_logger("races")


class UnknownRace(LookupError):
    """No such race."""

    def __init__(self, rid: str) -> None:
        self.rid = rid
        super().__init__(f"expected the id of a race, found {rid!r}")


def random_number() -> str:
    """Return the number part of a fresh seven-letter code."""
    return "".join(secrets.choice(ALPHABET) for _ in range(OPEN_LETTERS))


class Tables:
    """The races of one node. An asynchronous context: leaving it lets what is under way end first."""

    def __init__(self, settings: Settings, client: Redis, ring: KeyRing) -> None:
        self._settings = settings
        self._client = client
        self._ring = ring
        self.durability = settings.durability.value
        self.log = Log(client, durability=Durability(settings.durability.value))
        self.clock = Clock(self.log)
        self.secrets = RaceSecrets(ring)
        self.lobby = Lobby(client)
        self._bell = Bell(client)
        self._timers = Timers(client)
        self._wanted = WantedBots(client)
        self._tables: dict[str, Table] = {}
        # A race that was put away while somebody still holds it must be found again, not be opened twice.
        self._alive: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._alarms: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._keepers: list[asyncio.Task[None]] = []
        self._stack = contextlib.AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self._stack.enter_async_context(self.log)
        await self._stack.enter_async_context(self._bell)
        await self.clock.sync()
        for name, work in (
            ("clock", self._keep_time()),
            ("doorbell", self._answer_bell()),
            ("timers", self._fire_timers()),
            ("lobby", self.lobby.write()),
        ):
            self._keepers.append(asyncio.create_task(work, name=name))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for alarm in self._alarms.values():
            alarm.cancel()
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._stack.aclose()

    async def create(self, card: RaceCard, creator: str, idempotency_key: str) -> Table:
        """Return the race that this player creates with this key: the same for the same key, for ever.

        Its bots are asked for when it is new. Raises StoreUnavailable.
        """
        rid = created_rid(self._ring.rid_key, creator, idempotency_key)
        table = self._open(rid)
        if (await table.fresh()).card is not None:
            return table
        nonce = secrets.token_bytes(NONCE_BYTES).hex()
        opening = self.secrets.opening(rid, self._ring.current, nonce)
        await self._set_timer(rid, self.clock.now() + OPEN_FOR_MS)
        answer = await table.ask(
            Create(
                card,
                creator,
                nonce,
                self._ring.current,
                self.secrets.commitment(rid, card, opening),
                self._settings.absence_end_ms,
            )
        )
        if not answer.ok:
            raise StoreUnavailable("the outcome of creating a race is not known")
        if not answer.dup and table.race.nonce == nonce:
            await self._ask_for_bots(rid, card)
        return table

    async def table(self, rid: str) -> Table:
        """Return a race, folded to the tail of its log. Raises UnknownRace, StoreUnavailable, LogError."""
        table = self._open(rid)
        if (await table.fresh()).card is None:
            if table.idle:
                self._tables.pop(rid, None)
            raise UnknownRace(rid)
        return table

    def receipt(self, race: Race, seq: int | None = None, h: str | None = None) -> str:
        """Return the proof that an entry of a race was confirmed: the last one folded, or the one named."""
        return self.secrets.receipt(race, race.seq if seq is None else seq, race.h if h is None else h)

    async def prepare(self, race: Race, events: Sequence[Event]) -> None:
        """See that a race which starts, or whose seat goes, ends on time though this node may die."""
        now = self.clock.now()
        for event in events:
            if isinstance(event, Started) and race.card is not None:
                await self._set_timer(race.id, now + event.delay_ms + race.card.time_limit_s * 1000)
            elif isinstance(event, Absent):
                await self._set_timer(race.id, now + race.gone_after_ms)

    def ring(self, rid: str, seq: int) -> None:
        """Tell other nodes that the log of a race has grown."""
        self._bell.ring(rid, seq)

    def told(self, table: Table) -> None:
        """Take note that a fold has changed."""
        race = table.race
        self.clock.heard(race.at)
        self.lobby.note(race, self.clock.now())
        if table.followed:
            self._set_alarm(table)

    def followed(self, table: Table) -> None:
        """Hear the doorbell of a race while somebody follows it, and end it to the millisecond."""
        if table.followed:
            self._bell.attend(table.rid)
            self._set_alarm(table)
        else:
            self._bell.leave(table.rid)
            self._drop_alarm(table)

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Own a task until it ends; what it raises is logged."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _open(self, rid: str) -> Table:
        table = self._tables.pop(rid, None) or self._alive.get(rid)
        if table is None:
            table = Table(rid, self)
            self._put_away()
            self._alive[rid] = table
        self._tables[rid] = table  # Last used, last put away.
        return table

    def _put_away(self) -> None:
        """Forget the folds that were not used for longest, so that memory stays bounded."""
        if len(self._tables) < self._settings.races_cached:
            return
        for rid, table in list(islice(self._tables.items(), LOOKED_AT)):
            if table.idle:
                del self._tables[rid]

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("task failed", task=task.get_name(), exc_info=task.exception())

    def _set_alarm(self, table: Table, at_least_ms: int = 0) -> None:
        self._drop_alarm(table)
        due = table.race.due()
        if due is not None:
            wait_ms = max(at_least_ms, due - self.clock.now())
            loop = asyncio.get_running_loop()
            self._alarms[table.rid] = loop.call_later(wait_ms / 1000, self._ring_alarm, table)

    def _drop_alarm(self, table: Table) -> None:
        alarm = self._alarms.pop(table.rid, None)
        if alarm is not None:
            alarm.cancel()

    def _ring_alarm(self, table: Table) -> None:
        self.spawn(self._wake(table), f"race {table.rid} alarm")

    async def _wake(self, table: Table) -> None:
        try:
            await self._tick(table)
        except (StoreUnavailable, LogError) as fault:
            log.warning("alarm not served", race=table.rid, fault=str(fault))
        if table.followed:
            self._set_alarm(table, ALARM_AGAIN_MS)

    async def _tick(self, table: Table) -> int | None:
        """Do what is due in a race; return when to look again, None when never, raise when that cannot be told."""
        answer = await table.ask(Tick(self.clock.now()))
        if answer.retry_ms is not None:
            raise StoreUnavailable("a race could not be looked after")
        return table.race.due()

    async def _set_timer(self, rid: str, due_ms: int) -> None:
        try:
            await self._timers.put(rid, due_ms)
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault

    async def _ask_for_bots(self, rid: str, card: RaceCard) -> None:
        try:
            for wish in card.bots:
                await self._wanted.ask(SeatWish(rid, wish.bot, wish.pace))
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault

    async def _keep_time(self) -> None:
        while True:
            await asyncio.sleep(SYNC_EVERY_S)
            with contextlib.suppress(StoreUnavailable):
                await self.clock.sync()

    async def _answer_bell(self) -> None:
        async for rung in self._bell.rung():
            table = self._tables.get(rung.rid)
            if table is None or (rung.seq is not None and rung.seq <= table.race.seq):
                continue
            self.spawn(self._catch_up(table), f"race {rung.rid} doorbell")

    async def _catch_up(self, table: Table) -> None:
        try:
            await table.fresh()
        except (StoreUnavailable, LogError) as fault:
            log.warning("race not read", race=table.rid, fault=str(fault))

    async def _fire_timers(self) -> None:
        while True:
            for shard in range(TIMER_SHARDS):
                try:
                    for lease in await self._timers.lease(shard):
                        self.spawn(self._fire(lease), f"race {lease.rid} timer")
                except (RedisError, OSError) as fault:
                    log.warning("timers not read", shard=shard, fault=str(fault))
            await asyncio.sleep(TIMERS_EVERY_S)

    async def _fire(self, lease: Lease) -> None:
        """Look after a race whose timer fired; a lease that is not settled fires again."""
        try:
            table = self._open(lease.rid)
            race = await table.fresh()
            due = None if race.card is None else await self._tick(table)
            await self._timers.settle(lease, due)
        except (StoreUnavailable, LogError, RedisError, OSError) as fault:
            log.warning("timer not served", race=lease.rid, fault=str(fault))
