"""One session in one race: what it asked there, in order, and the seat it holds or what it watches."""

from __future__ import annotations

import asyncio
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog
from msgspec.structs import replace

from engine.log.entry import LogError
from engine.race import commands
from engine.race.views import Role, Viewer
from engine.refusals import Barred, ErrorCode
from engine.wire import inbound
from engine.wire.outbound import Res, SnapReason
from server.live.commands import DIRECT, Direct, asked, refused, res_of
from server.live.holding import hold, overtaken
from server.live.resume import resume
from server.live.rights import barred
from server.races.answer import Answer
from server.races.table import Table
from server.races.tables import UnknownRace
from server.store.connect import RETRY_MS, StoreUnavailable

if TYPE_CHECKING:
    from server.live.fanout import Fanout
    from server.live.session import Session

__all__ = ["Place"]

RESUME_AGAIN_S: Final = (0.5, 1.0, 2.0)
"""Pauses in which Redis may come back: what a client resumes from may be the only proof of what a failover has lost."""
Message = Direct | inbound.Join | inbound.Watch | inbound.Leave | inbound.Rematch
Asked = Message | inbound.Resume

log = structlog.get_logger("live")


class Place:
    """One race as one session has to do with it.

    Its commands begin in the order in which they came. Those that the race itself keeps in order may be under way
    together; the others (join, watch, leave, resume) are carried out one by one.
    """

    def __init__(self, session: Session, race: str) -> None:
        self.session = session
        self.race = race
        self._loop = asyncio.get_running_loop()
        self.table: Table | None = None
        self.viewer: Viewer | None = None
        self.seat: int | None = None
        self.next: str | None = None
        self.leaving = False
        self.sought = False
        """Whether this session may hold a seat here, by what it asked."""
        self.found: int | None = None
        """The connection that held the seat when a message came that asks for it."""
        self._waiting: deque[Asked] = deque()
        self._working = False
        self._under_way = 0

    @property
    def idle(self) -> bool:
        """True when nothing is under way here, nothing is told and no seat is held."""
        return self.viewer is None and self.seat is None and self._under_way == 0

    def put(self, message: Asked) -> None:
        """Carry out a message after those that came before it."""
        self.session.under_way += 1
        self._under_way += 1
        if self.table is not None and not self._working and isinstance(message, DIRECT):
            self._ask(self.table, message)
            return
        self._waiting.append(message)
        if not self._working:
            self._working = True
            self.session.spawn(self._work(), "commands")

    async def opened(self) -> Table:
        """Return the race's table, read to the tail. Raises UnknownRace, StoreUnavailable, LogError."""
        self.table = await self.session.rooms.tables.table(self.race)
        return self.table

    def follow(self, table: Table, viewer: Viewer) -> Fanout | None:
        """Be told the race from here on; None when the socket has been closed meanwhile."""
        if self.session.closed:
            return None
        self.viewer = viewer
        return self.session.rooms.follow(table, self.session, viewer)

    async def _work(self) -> None:
        while self._waiting:
            message = self._waiting.popleft()
            if isinstance(message, DIRECT) and self.table is not None:
                self._ask(self.table, message)
            else:
                await self._answer(message)
        self._working = False

    def _ask(self, table: Table, message: Direct) -> None:
        """Put a command to the race, which keeps them in order, and answer it when that is known."""
        rooms = self.session.rooms
        command = asked(message, self.session.player.id, rooms.tables.clock.now(), rooms.settings.start_delay_ms)
        table.put(command, partial(self._told, message, table, self._loop.time()))

    def _told(self, message: Direct, table: Table, begun: float, answer: Answer | Exception) -> None:
        """Answer a message with what the race made of its command."""
        try:
            if isinstance(answer, Exception):
                raise answer
            self._res(message, table, answer)
        except Exception as fault:  # noqa: BLE001 - whoever asked is answered
            self._failed(message, fault)
        finally:
            self._ended(begun)

    async def _answer(self, message: Asked) -> None:
        """Carry out a message and answer it exactly once, whatever happens."""
        begun = self._loop.time()
        try:
            await self._carry_out(message)
        except Exception as fault:  # noqa: BLE001 - whoever asked is answered
            self._failed(message, fault)
        finally:
            self._ended(begun)

    def _failed(self, message: Asked, fault: Exception) -> None:
        """Answer a message that could not be carried out; where the fault is ours, the race goes on all the same."""
        match fault:
            case UnknownRace():
                self._refuse(message, ErrorCode.UNKNOWN_RACE)
            case StoreUnavailable():
                self._refuse(message, ErrorCode.UNAVAILABLE, fault.retry_ms)
            case LogError():
                log.error("a race cannot be read", race=self.race, fault=str(fault))
                self._refuse(message, ErrorCode.UNAVAILABLE, RETRY_MS)
            case _:
                log.error("a command failed", race=self.race, t=type(message).__name__, exc_info=fault)
                self._refuse(message, ErrorCode.UNAVAILABLE, RETRY_MS)

    def _ended(self, begun: float) -> None:
        session = self.session
        session.rooms.metrics.answer_s.observe(self._loop.time() - begun)
        session.under_way -= 1
        self._under_way -= 1
        if self.idle:
            session.left(self)

    def _refuse(
        self, message: Asked, code: ErrorCode, retry_ms: int | None = None, reason: Barred | None = None
    ) -> None:
        self.session.rooms.commands.told(message, self.session.player.id, self.seat, code, reason)
        if isinstance(message, inbound.Resume):
            self.session.complain(code, self.race, retry_ms=retry_ms, reason=reason)
        elif message.id is not None:
            self.session.answer(refused(message.id, code, self.session.language, reason, retry_ms=retry_ms))

    async def _carry_out(self, message: Asked) -> None:
        match message:
            case inbound.Join():
                await self._join(message)
            case inbound.Watch():
                await self._watch(message)
            case inbound.Leave():
                await self._leave(message)
            case inbound.Rematch():
                await self._rematch(message)
            case inbound.Resume():
                await self._resume(message)
                await self.tell_next()
            case _:
                table = self.table or await self.opened()
                rooms = self.session.rooms
                now, delay_ms = rooms.tables.clock.now(), rooms.settings.start_delay_ms
                command = asked(message, self.session.player.id, now, delay_ms)
                self._res(message, table, await table.ask(command))

    async def _resume(self, message: inbound.Resume) -> None:
        """Go on from where a client was, once Redis can be reached. Raises UnknownRace, StoreUnavailable, LogError."""
        self.found = None
        for pause_s in RESUME_AGAIN_S:
            try:
                await resume(self, message)
            except StoreUnavailable:
                await asyncio.sleep(pause_s)
            else:
                return
        if not self.session.closed:
            await resume(self, message)

    async def _join(self, message: inbound.Join) -> None:
        session, player = self.session, self.session.player
        table = await self.opened()
        self.sought, self.found = True, None
        answer = await table.ask(commands.Join(player.id, player.name, player.kind, session.connection, player.engine))
        if answer.ok and answer.dup:
            held = await hold(self, table)
            if held is None:
                return
            if held.retry_ms is not None:
                answer = held
        seat = table.race.seat_of(player.id)
        if not answer.ok or seat is None:
            self._res(message, table, answer)
            return
        self.seat = seat.seat
        session.rooms.tables.quick.seated(player.id, self.race)
        if overtaken(self, table):
            session.taken_over()
            return
        self._res(message, table, Answer(True, table.race.seq, table.race.h, seat.lane, answer.dup))
        self._show(table, Viewer(Role.SEAT, seat.seat, session.boards), "join")
        await self.tell_next()

    async def _watch(self, message: inbound.Watch) -> None:
        table = await self.opened()
        bar = barred(table.race, self.session.player.id)
        if bar is not None:
            self._refuse(message, ErrorCode.FORBIDDEN, reason=bar)
            return
        viewer = Viewer(Role.WATCH, None, self.session.boards)
        await self.session.rooms.prepare(table, viewer)
        fanout = self.follow(table, viewer)
        if fanout is not None:
            self._res(message, table, Answer(True, fanout.race.seq, fanout.race.h))
            self.session.outbox.tell(self.race, fanout.snap_frame(self.session, "watch"))
            await self.tell_next()

    async def _leave(self, message: inbound.Leave) -> None:
        table = await self.opened()
        if self.viewer is not None and self.viewer.role is Role.WATCH:
            self.session.rooms.unfollow(self.race, self.session)
            self.viewer = None
            self._res(message, table, Answer(True, table.race.seq, table.race.h))
            return
        self.leaving = True
        answer = await table.ask(commands.Leave(self.session.player.id, message.reason))
        self.leaving = False
        if answer.ok and not table.race.ended:
            self.viewer = self.seat = None
        self._res(message, table, answer)

    async def _rematch(self, message: inbound.Rematch) -> None:
        """Answer with the race that follows; whoever asks first makes it, and the other seats are told."""
        table = await self.opened()
        race = table.race
        if race.seat_of(self.session.player.id) is None:
            self._refuse(message, ErrorCode.NOT_SEATED)
            return
        if race.over is not None and not race.closed:
            # The last seat has ended, and the entry that closes the race is not appended yet: it is now.
            answer = await table.ask(commands.Tick(self.session.rooms.tables.clock.now()))
            race = table.race
            if answer.retry_ms is not None:
                self._res(message, table, answer)
                return
        if not race.closed or race.voided is not None:
            self._refuse(message, ErrorCode.FORBIDDEN, reason=Barred.VOIDED if race.closed else Barred.NOT_OVER)
            return
        chains = self.session.rooms.tables.chains
        self.next = chains.following(race.id)  # The answer tells it, nothing else need.
        try:
            await chains.follow_up(race)
        except BaseException:
            self.next = None
            raise
        self._res(message, table, Answer(True, race.seq, race.h), following=self.next)

    async def tell_next(self) -> None:
        """Tell which race follows, if this one is over and another does, to whom it may have been lost."""
        if self.table is None or self.viewer is None or self.table.race.seat_of(self.session.player.id) is None:
            return
        try:
            following = await self.session.rooms.tables.chains.look(self.table)
        except (StoreUnavailable, LogError) as fault:
            log.warning("next race not looked for", race=self.race, fault=str(fault))
            return
        if following is not None:
            self.session.go_on(self.race, following)

    def _show(self, table: Table, viewer: Viewer, reason: SnapReason) -> None:
        fanout = self.follow(table, viewer)
        if fanout is not None:
            self.session.outbox.tell(self.race, fanout.snap_frame(self.session, reason))

    def _res(self, message: Message, table: Table, answer: Answer, *, following: str | None = None) -> None:
        session, rooms = self.session, self.session.rooms
        rooms.commands.told(message, session.player.id, self.seat, answer.code, answer.reason, answer.seq)
        if message.id is None:
            return
        sig = rooms.tables.secrets.receipt(table.race, answer.seq, answer.h) if answer.ok else None
        res: Res = res_of(message.id, answer, sig, session.language)
        if following is not None:
            res = replace(res, race=following)
        seat = table.race.seat_of(session.player.id) if answer.ok and type(message) is inbound.Hint else None
        if seat is not None:
            res = replace(res, m=seat.hint)
        session.answer(res)
