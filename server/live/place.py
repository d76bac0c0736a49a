"""One session in one race: what it asked there, in order, and the seat it holds or what it watches."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from itertools import chain, repeat
from typing import TYPE_CHECKING, Final

import structlog
from msgspec.structs import replace

from engine.log.entry import LogError
from engine.race import commands
from engine.race.model import Seat
from engine.race.views import Role, Viewer
from engine.refusals import Barred, ErrorCode
from engine.wire import inbound
from engine.wire.outbound import Res, SnapReason
from server.live.commands import DIRECT, Direct, asked, refused, res_of
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

GIVE_UP_S: Final = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Pauses before it is said that a seat's connection is gone, while Redis cannot be reached; the last for ever."""
STILL_HERE_S: Final = (0.0, 1.0, 2.0)
"""The same for a connection that is still there; it is asked to again when the log says once more that it is not."""

Asked = Direct | inbound.Join | inbound.Watch | inbound.Leave | inbound.Rematch | inbound.Resume

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
        self._sought = False
        self._waiting: deque[Asked] = deque()
        self._working = False
        self._under_way = 0

    @property
    def idle(self) -> bool:
        """True when nothing is under way here, nothing is told and no seat is held."""
        return self.viewer is None and self.seat is None and self._under_way == 0

    def put(self, message: Asked) -> None:
        """Carry out a message after those that came before it."""
        self.session.began()
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

    async def hold(self, table: Table) -> Answer:
        """Hold the player's seat with this session's connection; whoever held it before is closed."""
        self._sought = True
        answer = await table.ask(commands.MarkBack(self.session.player.id, self.session.connection))
        seat = table.race.seat_of(self.session.player.id)
        if seat is not None:
            self.seat = seat.seat
        return answer

    async def still_here(self) -> None:
        """Hold the seat again that is said to be nobody's, unless somebody else has taken it meanwhile."""
        back = commands.MarkBack(self.session.player.id, self.session.connection, vacant=True)
        await self._say(lambda seat: None if self.session.closed or seat.present else back, STILL_HERE_S)

    async def hold_again(self) -> None:
        """Hold the seat again where the log has lost that it is held by this connection."""

        def forgotten(seat: Seat) -> commands.Command | None:
            held = self.session.closed or (seat.present and seat.connection == self.session.connection)
            return None if held else commands.MarkBack(self.session.player.id, self.session.connection)

        await self._say(forgotten, GIVE_UP_S)

    async def give_up(self) -> None:
        """Say that the connection which held the seat is gone, unless another holds it by now."""

        def gone(seat: Seat) -> commands.Command | None:
            mine = seat.connection == self.session.connection
            return commands.MarkAbsent(seat.seat, seat.connection) if mine else None

        await self._say(gone, chain(GIVE_UP_S, repeat(GIVE_UP_S[-1])))

    async def _say(self, told: Callable[[Seat], commands.Command | None], pauses_s: Iterable[float]) -> None:
        """Say something of the seat as it is in the log, again after each pause while Redis cannot be reached."""
        if self.table is None or not self._sought:
            return
        for pause_s in pauses_s:
            await asyncio.sleep(pause_s)
            try:
                race = await self.table.fresh()
                seat = race.seat_of(self.session.player.id)
                command = None if race.ended or seat is None else told(seat)
                if command is None or (await self.table.ask(command)).retry_ms is None:
                    return
            except StoreUnavailable as fault:
                log.warning("presence not written", race=self.race, seat=self.seat, fault=str(fault))
            except LogError as fault:
                log.error("presence not written", race=self.race, seat=self.seat, fault=str(fault))
                return

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
        begun = self._loop.time()

        def told(answer: Answer | Exception) -> None:
            try:
                if isinstance(answer, Exception):
                    raise answer
                self._res(message.id, table, answer, hint=answer.ok and isinstance(message, inbound.Hint))
            except Exception as fault:  # noqa: BLE001 - whoever asked is answered
                self._failed(message, fault)
            finally:
                self._ended(begun)

        rooms = self.session.rooms
        table.put(asked(message, self.session.player.id, rooms.tables.clock.now(), rooms.settings.start_delay_ms), told)

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
        self.session.rooms.metrics.answer_s.observe(self._loop.time() - begun)
        self._under_way -= 1
        self.session.ended(self)

    def _refuse(
        self, message: Asked, code: ErrorCode, retry_ms: int | None = None, reason: Barred | None = None
    ) -> None:
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
                await resume(self, message)
                await self.tell_next()
            case _:
                table = self.table or await self.opened()
                rooms = self.session.rooms
                now, delay_ms = rooms.tables.clock.now(), rooms.settings.start_delay_ms
                command = asked(message, self.session.player.id, now, delay_ms)
                answer = await table.ask(command)
                self._res(message.id, table, answer, hint=answer.ok and isinstance(message, inbound.Hint))

    async def _join(self, message: inbound.Join) -> None:
        session, player = self.session, self.session.player
        table = await self.opened()
        self._sought = True
        answer = await table.ask(commands.Join(player.id, player.name, player.kind, session.connection, player.engine))
        if answer.ok and answer.dup:
            held = await self.hold(table)
            if held.retry_ms is not None:
                answer = held
        seat = table.race.seat_of(player.id)
        if not answer.ok or seat is None:
            self._res(message.id, table, answer)
            return
        self.seat = seat.seat
        session.rooms.tables.quick.seated(player.id, self.race)
        if seat.connection != session.connection and not table.race.ended:
            session.taken_over()
            return
        self._res(message.id, table, Answer(True, table.race.seq, table.race.h, seat.lane, answer.dup))
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
            self._res(message.id, table, Answer(True, fanout.race.seq, fanout.race.h))
            self.session.outbox.tell(self.race, fanout.snap_frame(self.session, "watch"))

    async def _leave(self, message: inbound.Leave) -> None:
        table = await self.opened()
        if self.viewer is not None and self.viewer.role is Role.WATCH:
            self.session.rooms.unfollow(self.race, self.session)
            self.viewer = None
            self._res(message.id, table, Answer(True, table.race.seq, table.race.h))
            return
        self.leaving = True
        answer = await table.ask(commands.Leave(self.session.player.id))
        self.leaving = False
        if answer.ok and not table.race.ended:
            self.viewer = self.seat = None
        self._res(message.id, table, answer)

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
                self._res(message.id, table, answer)
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
        self._res(message.id, table, Answer(True, race.seq, race.h), following=self.next)

    async def tell_next(self) -> None:
        """Tell which race follows, if this one is over and another does, to whom it may have been lost."""
        if self.table is None or self.viewer is None or self.viewer.role is not Role.SEAT:
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

    def _res(
        self, command_id: str | None, table: Table, answer: Answer, *, following: str | None = None, hint: bool = False
    ) -> None:
        if command_id is None:
            return
        sig = self.session.rooms.tables.receipt(table.race, answer.seq, answer.h) if answer.ok else None
        res: Res = res_of(command_id, answer, sig, self.session.language)
        if following is not None:
            res = replace(res, race=following)
        seat = table.race.seat_of(self.session.player.id) if hint else None
        if seat is not None:
            res = replace(res, m=seat.hint)
        self.session.answer(res)
