"""All races that this node has open, and what keeps them going: doorbell, timers, lobby, bots asked for."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine, Iterable
from itertools import islice
from types import TracebackType
from typing import Any, Final, Self
from weakref import WeakValueDictionary

import structlog
from redis.asyncio import Redis

from engine.race.commands import MarkAbsent
from engine.race.model import Race
from server.races.chains import Chains
from server.races.challenges import Challenges
from server.races.clock import SYNC_EVERY_S, Clock
from server.races.crowds import Crowds
from server.races.doorbell import Doorbell
from server.races.due import Due, Looks
from server.races.hiring import Hiring
from server.races.keeping import Keeping
from server.races.lobby import Lobby
from server.races.offers import Offers
from server.races.presence import Presence, node_of
from server.races.quick import QuickRaces
from server.races.reaper import Reaper
from server.races.roster import Roster
from server.races.secrets import RaceSecrets
from server.races.table import Table
from server.read.ratings import Ratings
from server.read.records import Records
from server.settings import Settings
from server.store.archive import Archive
from server.store.challenges import ChallengeStream
from server.store.connect import StoreUnavailable
from server.store.hired import HiredBots
from server.store.history import History
from server.store.keyring import KeyRing
from server.store.log import Durability
from server.store.notice import Notice
from server.store.queue import Queue
from server.store.stock import Stock
from server.store.timers import Timers
from server.store.wanted import WantedBots
from server.watch.metrics import Metrics

__all__ = ["Tables", "UnknownRace", "stop"]

LOOKED_AT: Final = 8
"""How many of the folds not used for longest are looked at, when there are too many, to forget the idle ones."""
CANCEL_AGAIN_S: Final = 0.1

log = structlog.get_logger("races")


class UnknownRace(LookupError):
    """No such race."""

    def __init__(self, rid: str) -> None:
        self.rid = rid
        super().__init__(f"expected the id of a race, found {rid!r}")


async def stop(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel tasks until they have ended: before Python 3.12 one time can get lost while a client of Redis sends."""
    while unfinished := [task for task in tasks if not task.done()]:
        for task in unfinished:
            task.cancel()
        await asyncio.wait(unfinished, timeout=CANCEL_AGAIN_S)


class Tables:
    """The races of one node. An asynchronous context: leaving it lets what is under way end first.

    What Redis has not answered after `give_up_ms` (that of the settings unless given) counts as unknown.
    """

    def __init__(
        self,
        settings: Settings,
        client: Redis,
        ring: KeyRing,
        archive: Archive | None = None,
        *,
        give_up_ms: int | None = None,
    ) -> None:
        give_up_ms = settings.redis_ms if give_up_ms is None else give_up_ms
        self._settings = settings
        self.metrics = Metrics()
        self.durability = settings.durability.value
        self.log = History(
            client,
            archive,
            durability=Durability(settings.durability.value),
            timeout_ms=give_up_ms // 2,
            give_up_ms=give_up_ms,
        )
        self.clock = Clock(self.log)
        self.secrets = RaceSecrets(ring)
        self.lobby = Lobby(client, self.clock)
        self.records = Records(client, self.log.keep)
        self._keeping = Keeping(self.log, self.clock, self.secrets, self.records, self.metrics)
        self._hiring = Hiring(settings, HiredBots(client), ring.rid_key)
        self.offers = Offers(
            settings,
            self.secrets,
            Stock(client, self.log.keep),
            self._hiring,
            WantedBots(client, self.log.keep),
            self._fresh,
            self.look_up,
        )
        self.chains = Chains(ring.rid_key, self.clock, self.look_up, self.offers.offer, self._look_again)
        self.roster = Roster(client)
        self.quick = QuickRaces(
            settings,
            Queue(client, settings.queue_most, self.log.keep),
            ring.rid_key,
            self.clock,
            self.roster,
            Ratings(client),
            self.offers.offer,
        )
        self.challenges = Challenges(
            settings, ChallengeStream(client, self.log.keep), self.offers, self.clock, ring.rid_key
        )
        timers = Timers(client)
        self._reaper = Reaper(client, timers, self.metrics)
        self._due = Due(
            timers,
            self.clock,
            self.spawn,
            Looks(self._fresh, self.offers.ask_for_bots, self._look_after_closed),
            self.metrics,
        )
        self._presence = Presence(client, self._leave, settings.lease_ms)
        self.crowds = Crowds(client, self._presence.node, self.clock)
        self._tables: dict[str, Table] = {}
        # A race that was put away while somebody still holds it must be found again, not be opened twice.
        self._alive: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._doorbell = Doorbell(client, self._tables, self.clock, self.chains, self.metrics, self.spawn)
        self.bell = self._doorbell.bell
        self._tasks: set[asyncio.Task[None]] = set()
        self._keepers: list[asyncio.Task[None]] = []
        self._stack = contextlib.AsyncExitStack()

    async def __aenter__(self) -> Self:
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(self.log)
            await stack.enter_async_context(self.bell)
            await self.clock.sync()
            await self.records.open()
            self._stack = stack.pop_all()
        for name, work in (
            ("clock", self._keep_time()),
            ("doorbell", self._doorbell.answer()),
            ("timers", self._due.fire_timers()),
            ("lobby", self.lobby.write()),
            ("reaper", self._reaper.keep()),
            ("presence", self._presence.keep()),
            ("quick races", self.quick.keep()),
            ("challenges", self.challenges.keep()),
            ("crowds", self.crowds.keep()),
            ("rulings", self.records.rulings.keep()),
        ):
            keeper = asyncio.create_task(work, name=name)
            keeper.add_done_callback(self._ended)
            self._keepers.append(keeper)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._due.close()
        await stop(self._keepers)
        while self._tasks or any(not table.quiet for table in self._alive.values()):
            quiet = (table.settled() for table in self._alive.values())
            await asyncio.gather(*self._tasks, *quiet, return_exceptions=True)
        self._due.close()
        await self._presence.end()
        await self._stack.aclose()

    async def table(self, rid: str) -> Table:
        """Return a race, folded to the tail of its log. Raises UnknownRace, StoreUnavailable, LogError."""
        table = await self.look_up(rid)
        if table.race.card is None:
            raise UnknownRace(rid)
        return table

    def connection(self) -> int:
        """Return a number for a new connection to this node; when the node dies, its seats are said to be absent."""
        return self._presence.connection()

    async def prepare(self, before: Race, after: Race) -> None:
        """See that a race is looked at when it will be due, though this node may die. Raises StoreUnavailable."""
        await self._presence.prepare(after)
        await self._due.prepare(before, after)

    def _look_again(self, rid: str, notice: Notice) -> None:
        """Let all nodes that follow a race look at it, this one too."""
        self.bell.ring(rid, notice)

    def told(self, table: Table, before: Race, *, moves: bool = False) -> None:
        """Take note that a fold has changed (`Host.told`), or (if it is the same) that it is later than was thought."""
        race = table.race
        self.clock.heard(race.at)
        if moves and before.at >= (race.start_at or 0):
            return  # What is due, and what the lobby shows, does not change with a move but the first after the start.
        self.lobby.note(before, race)
        answered = self.challenges.heard(race) if race.challenge else None
        if answered is not None:
            self.spawn(self.challenges.put_answered(answered), f"race {table.rid} challenge")
        if race.closed:
            self._presence.closed(table.rid)
            if before.card is not None and not before.closed:
                self.spawn(self._keeping.record(race), f"race {table.rid} results")
                self.spawn(self._hiring.free(table.rid, before.card), f"race {table.rid} bots")
            if race.goes_on and not before.closed:
                self.spawn(self.chains.begin_next(table), f"race {table.rid} next")
        self._due.set_alarm(table)

    def lost(self, table: Table, before: Race) -> None:
        """Count and log that confirmed history is gone; what this node wrote for the race may be gone with it."""
        self.metrics.lost.inc()
        log.error("confirmed history is gone", race=table.rid, seq=before.seq, tail=table.race.seq)
        self._presence.forget(table.rid)
        self.told(table, before)

    def followed(self, table: Table) -> None:
        """Hear the doorbell of a race while somebody follows it, and end it to the millisecond."""
        if table.followed:
            self._tables[table.rid] = table
            self.bell.attend(table.rid)
        else:
            self.bell.leave(table.rid)
        self._due.set_alarm(table)

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Own a task until it ends; what it raises is logged."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    async def _look_after_closed(self, race: Race) -> int | None:
        """See that a series goes on and that the race is archived. Raises StoreUnavailable, LogError."""
        await self.chains.go_on(race)
        return await self._keeping.look_after(race)

    async def look_up(self, rid: str) -> Table:
        """Return a race, or an empty table that is not kept. Raises StoreUnavailable, LogError."""
        table = await self._fresh(rid)
        if table.race.card is None and table.idle:
            self._tables.pop(rid, None)
        return table

    async def _fresh(self, rid: str) -> Table:
        table = self._open(rid)
        await table.fresh()
        return table

    def _open(self, rid: str) -> Table:
        table = self._tables.pop(rid, None) or self._alive.get(rid)
        if table is None:
            table = Table(rid, self)
            self._put_away()
            self._alive[rid] = table
        self._tables[rid] = table  # Last used, last put away.
        return table

    def _put_away(self) -> None:
        """Forget folds that were not used for longest, so that memory stays bounded."""
        if len(self._tables) < self._settings.races_cached:
            return
        for rid, table in list(islice(self._tables.items(), LOOKED_AT)):
            del self._tables[rid]
            if not table.idle:
                self._tables[rid] = table  # It is in use: others are looked at next time.

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("task failed", task=task.get_name(), exc_info=task.exception())

    async def _leave(self, rid: str, node: int) -> None:
        """Say that all connections of a race's seats to a node are gone. Raises StoreUnavailable, LogError."""
        table = await self._fresh(rid)
        for seat in table.race.seats.values():
            if node_of(seat.connection) == node:
                answer = await table.ask(MarkAbsent(seat.seat, seat.connection))
                if answer.retry_ms is not None:
                    raise StoreUnavailable("an absence could not be written")

    async def _keep_time(self) -> None:
        while True:
            await asyncio.sleep(SYNC_EVERY_S)
            with contextlib.suppress(StoreUnavailable):
                await self.clock.sync()
