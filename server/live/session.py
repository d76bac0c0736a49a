"""One socket: who is there, what was asked, what waits to be sent, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, Final

import structlog
from aiohttp import WSMsgType
from aiohttp.web import WebSocketResponse

from engine.refusals import Barred, ErrorCode
from engine.texts import DEFAULT_LANGUAGE, language_of, text_of
from engine.wire import inbound, outbound
from engine.wire.codec import BadFrame, Subprotocol, decode_inbound, encode
from server.live.closing import Closing
from server.live.commands import refused
from server.live.doors import TurnedAway
from server.live.holding import give_up, hold_again, still_here
from server.live.limits import Bucket, Limits, told
from server.live.outbox import Outbox, Owner, framed
from server.live.place import Place
from server.live.pulse import Pulse, Watched
from server.live.quick import queue
from server.live.rooms import Rooms
from server.players import Player, Scope

__all__ = ["Session"]

MAX_UNDER_WAY: Final = 512
"""Commands of one socket that may wait for their answers; one more is answered `busy`."""
MAX_RACES: Final = 256
"""Races that one socket may be in."""
BUSY_RETRY_MS: Final = 500

log = structlog.get_logger("live")


class Session:
    """A client's socket from its handshake to its end. It owns every task that it starts."""

    def __init__(
        self,
        rooms: Rooms,
        socket: WebSocketResponse[Any],
        transport: asyncio.Transport,
        subprotocol: Subprotocol,
        address: str = "",
    ) -> None:
        self.rooms = rooms
        self.subprotocol = subprotocol
        self.address = address
        self.player = Player("", "")
        self.language = DEFAULT_LANGUAGE
        self.boards = False
        self.connection = rooms.tables.connection()
        self.closed = False
        self._socket = socket
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self.outbox = Outbox(
            transport,
            subprotocol,
            rooms.settings,
            Owner(rooms.metrics.slow_snaps.inc, self._slow_snap, self._too_slow),
            rooms.post,
        )
        self._limits = Limits(rooms.rates)
        self._shared: Bucket | None = None
        self._places: dict[str, Place] = {}
        self._under_way = 0
        self._tasks = asyncio.TaskGroup()
        self._pulse = Pulse(rooms.settings, Watched(self._no_hello, self._beat, self._dead))
        self._greeted = False
        self._hearing = asyncio.timeout(None)
        self._closing: Closing | None = None

    async def run(self) -> None:
        """Serve the socket until it is closed, then give up what it held."""
        self.rooms.enter(self)
        try:
            async with self._tasks:
                try:
                    await self._listen()
                    await self._say_goodbye()
                finally:
                    self._stop()
        finally:
            self.rooms.leave(self)
            if self._transport.get_write_buffer_size():
                # What lies there would be kept for a client that takes nothing.
                self._transport.abort()
        for place in self._places.values():
            await give_up(place)

    def say(self, message: outbound.Outbound) -> None:
        """Send a message that nothing can replace."""
        self.outbox.say(framed(encode(message, self.subprotocol), self.subprotocol))

    def answer(self, message: outbound.Res) -> None:
        """Send the one answer to a command."""
        self.rooms.metrics.answers.count(message.code or "ok")
        self.say(message)

    def refuse(
        self,
        command_id: str | None,
        code: ErrorCode,
        retry_ms: int | None = None,
        detail: str = "",
        reason: Barred | None = None,
    ) -> None:
        """Answer a command that is not carried out; one without an id is not answered."""
        if command_id is not None:
            self.answer(refused(command_id, code, self.language, reason, retry_ms=retry_ms, detail=detail))

    def complain(
        self,
        code: ErrorCode,
        race: str | None = None,
        detail: str = "",
        retry_ms: int | None = None,
        reason: Barred | None = None,
    ) -> None:
        """Send an `error`: a fault outside a command."""
        message = text_of(reason or code, self.language)
        self.say(outbound.Error(code.value, f"{message} ({detail})" if detail else message, retry_ms, race, reason))

    def taken_over(self) -> None:
        """Go: another connection holds a seat that this one held."""
        self.close(Closing.TAKEN_OVER)

    def put_out(self, race: str, code: ErrorCode, reason: Barred | None = None) -> None:
        """Take note that a race is not told here any more, and say why."""
        self._forget(race)
        self.complain(code, race, reason=reason)

    def called_absent(self, race: str) -> None:
        """Say that this connection is here after all."""
        place = self._places.get(race)
        if place is not None and not self.closed:
            self.spawn(still_here(place), "still here")

    def seat_forgotten(self, race: str) -> None:
        """Say once more that this connection holds the seat."""
        place = self._places.get(race)
        if place is not None and not self.closed:
            self.spawn(hold_again(place), "hold again")

    def seat_freed(self, race: str) -> None:
        """Take note that a seat is held here no more; whoever did not give it back is told."""
        place = self._places.get(race)
        if place is not None and not place.leaving:
            place.seat = None
            self.put_out(race, ErrorCode.NOT_SEATED)

    def go_on(self, race: str, following: str) -> None:
        """Tell which race follows one in which this player had a seat, once."""
        place = self._places.get(race)
        if place is not None and place.next != following:
            place.next = following
            self.say(outbound.Matched(following, race))

    def matched(self, race: str, bot: str | None) -> None:
        """Tell of a quick race to join; with a bot it is an offer."""
        self.say(outbound.Matched(race, None, bot))

    def race_gone(self, race: str) -> None:
        """Close: a race that this socket is in is no more."""
        self._forget(race)
        self.complain(ErrorCode.UNKNOWN_RACE, race)
        self.close(Closing.RACE_GONE)

    def close(self, code: Closing) -> None:
        """Close the socket with a code, after what waits to be sent; `run` ends soon after."""
        if self.closed:
            return
        self.closed = True
        self.rooms.metrics.closed.labels(str(int(code))).inc()
        self.outbox.flush()
        self.outbox.close()
        self._closing = code
        self._hearing.reschedule(self._loop.time())

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Own a task that ends before the session does."""
        self._tasks.create_task(work, name=f"{self.player.id} {name}")

    async def _say_goodbye(self) -> None:
        """Send the close frame, if it is this side that closes, and wait a little for the client's.

        Done by who listens, for a close from beside it cuts the connection at once, and the frame may be lost with it.
        """
        if self._closing is not None:
            await self._socket.close(code=self._closing, drain=False)

    def _forget(self, race: str) -> None:
        place = self._places.get(race)
        if place is not None:
            place.viewer = None
            if place.idle:
                del self._places[race]

    def _stop(self) -> None:
        """Tell and expect nothing more; what is under way ends by itself."""
        self.closed = True
        self.outbox.close()
        self._pulse.stop()
        self.rooms.tables.quick.gone(self)
        for race in self._places:
            self.rooms.unfollow(race, self)

    async def _listen(self) -> None:
        """Hear the client until it goes, or until this side closes."""
        with contextlib.suppress(TimeoutError):
            async with self._hearing:
                await self._hear_frames()

    async def _hear_frames(self) -> None:
        while True:
            frame = await self._socket.receive()
            self._pulse.heard()
            match frame.type:
                case WSMsgType.BINARY | WSMsgType.TEXT:
                    hello = None if self.closed else self._hear(frame.data, frame.type is WSMsgType.TEXT)
                    if hello is not None:
                        await self._greet(hello)
                case WSMsgType.PING:
                    with contextlib.suppress(ConnectionError):
                        await self._socket.pong(frame.data)
                case WSMsgType.PONG:
                    pass
                case _:
                    return

    def _hear(self, frame: bytes, text: bool) -> inbound.Hello | None:
        """Take a frame; what is returned is to be greeted before the next one is heard."""
        if text is not (self.subprotocol is Subprotocol.JSON):
            kind = "text" if self.subprotocol is Subprotocol.JSON else "binary"
            self.complain(ErrorCode.BAD_FRAME, detail=f"{self.subprotocol.value} has {kind} frames only")
            self.close(Closing.PROTOCOL)
            return None
        try:
            message = decode_inbound(frame, self.subprotocol)
        except BadFrame as fault:
            self._bad_frame(str(fault), fault.command_id)
            return None
        self.rooms.metrics.received.count(str(message.__struct_config__.tag))
        if isinstance(message, inbound.Hello):
            return message
        if not self._greeted:
            self._bad_frame("the first message is `hello`", getattr(message, "id", None))
            self.close(Closing.PROTOCOL)
        else:
            self._take(message)
        return None

    def _bad_frame(self, detail: str, command_id: str | None) -> None:
        self.rooms.metrics.bad_frames.inc()
        if command_id is not None:
            self.refuse(command_id, ErrorCode.BAD_FRAME, detail=detail)
        else:
            self.complain(ErrorCode.BAD_FRAME, detail=detail)
        if self._limits.garbage(self._loop.time()):
            self.close(Closing.POLICY)

    async def _greet(self, hello: inbound.Hello) -> None:
        if self._greeted:
            self._bad_frame("`hello` was said before", None)
            return
        self.language = language_of(hello.lang)
        self._pulse.greeted()
        try:
            self.player = await self.rooms.doors.player(hello)
        except TurnedAway as turned:
            self.complain(turned.code, detail=turned.detail, reason=turned.reason)
            self.close(turned.closing)
            return
        self._greeted = True
        self._shared = self.rooms.doors.greeted(self)
        self.boards = hello.boards
        settings = self.rooms.settings
        self.say(
            outbound.Welcome(
                self.player.id,
                self.player.name,
                self.rooms.tokens.sign(self.player),
                self.rooms.tables.clock.now(),
                settings.heartbeat_ms,
                told(self.rooms.rates, settings.max_msg_bytes),
                self.rooms.tables.durability,
            )
        )
        for known in hello.resume:
            self._place(known.race).put(known)

    def _take(self, message: inbound.Said) -> None:
        """Carry out a message, unless messages of its kind come too fast."""
        now = self._loop.time()
        retry_ms = self._limits.take(message, now) or (0 if self._shared is None else self._shared.take(now))
        if retry_ms:
            self._too_fast(message, retry_ms, now)
            return
        match message:
            case inbound.Join() | inbound.Queue() if Scope.PLAY not in self.player.scopes:
                self.refuse(message.id, ErrorCode.FORBIDDEN, reason=Barred.SCOPE)
            case inbound.Ping():
                self.say(outbound.Pong(message.c, self.rooms.tables.clock.now()))
            case inbound.Queue() | inbound.Unqueue():
                if self._under_way >= MAX_UNDER_WAY:
                    self.refuse(message.id, ErrorCode.BUSY, BUSY_RETRY_MS)
                else:
                    self.spawn(self._queue(message), "queue")
            case _:
                if self._under_way >= MAX_UNDER_WAY or (
                    message.race not in self._places and len(self._places) >= MAX_RACES
                ):
                    self.refuse(message.id, ErrorCode.BUSY, BUSY_RETRY_MS)
                else:
                    self._place(message.race).put(message)

    async def _queue(self, message: inbound.Queue | inbound.Unqueue) -> None:
        self._under_way += 1
        try:
            await queue(self, message)
        finally:
            self._under_way -= 1

    def _too_fast(self, message: inbound.Said, retry_ms: int, now: float) -> None:
        command_id = None if isinstance(message, inbound.Ping) else message.id
        if command_id is not None:
            self.refuse(command_id, ErrorCode.RATE, retry_ms)
        else:
            self.complain(ErrorCode.RATE, retry_ms=retry_ms)
        if self._limits.flood(now):
            self.close(Closing.RATE)

    def _place(self, race: str) -> Place:
        place = self._places.get(race)
        if place is None:
            place = self._places[race] = Place(self, race)
        return place

    def began(self) -> None:
        """Count a command that is under way."""
        self._under_way += 1

    def ended(self, place: Place) -> None:
        """Count it no longer, and forget a race that this socket has nothing to do with."""
        self._under_way -= 1
        if place.idle and self._places.get(place.race) is place and not self.closed:
            del self._places[place.race]

    def _slow_snap(self, race: str) -> bytes:
        fanout = self.rooms.fanout(race, self)
        return b"" if fanout is None else fanout.snap_frame(self, "slow")

    def _too_slow(self) -> None:
        self.close(Closing.TOO_SLOW)

    def _no_hello(self) -> None:
        self.complain(ErrorCode.BAD_FRAME, detail="no `hello` came in time")
        self.close(Closing.PROTOCOL)

    def _beat(self, now: float) -> None:
        if self.outbox.stuck(now):
            self.close(Closing.TOO_SLOW)
        else:
            self.outbox.ping()

    def _dead(self) -> None:
        self.closed = True
        self._transport.abort()
