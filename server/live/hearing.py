"""What a client says over its socket: frames are read, the first is its greeting, none may come too fast."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Final

from aiohttp import WSMsgType
from aiohttp.web import WebSocketResponse

from engine.refusals import Barred, ErrorCode
from engine.texts import language_of
from engine.wire import inbound, outbound
from engine.wire.codec import BadFrame, Subprotocol, decode_inbound
from server.live.challenged import tell_challenges
from server.live.closing import Closing
from server.live.doors import TurnedAway
from server.live.limits import Bucket, Limits, told
from server.live.pulse import Pulse
from server.live.quick import queue
from server.players import Scope

if TYPE_CHECKING:
    from server.live.session import Session

__all__ = ["Hearing"]

MAX_UNDER_WAY: Final = 512
"""Commands of one socket that may wait for their answers; one more is answered `busy`."""
MAX_RACES: Final = 256
"""Races that one socket may be in."""
BUSY_RETRY_MS: Final = 500
# What each frame asks for is named here: a member is looked up in its enum ten times as slowly (Python 3.11).
_BINARY: Final = WSMsgType.BINARY
_TEXT: Final = WSMsgType.TEXT
_NAMES: Final = {kind: str(kind.__struct_config__.tag) for kind in inbound.Inbound.__args__}
"""What each kind of message is counted as: its `t`."""


class Hearing:
    """Hears one client for its session: hands on what may be done, and answers what may not."""

    def __init__(self, session: Session, socket: WebSocketResponse[Any], pulse: Pulse) -> None:
        self._session = session
        self._rooms = session.rooms
        self._subprotocol = session.subprotocol
        self._text = session.subprotocol is Subprotocol.JSON
        self._received = session.rooms.metrics.received.counts
        self._socket = socket
        self._pulse = pulse
        self._loop = asyncio.get_running_loop()
        self._limits = Limits(session.rooms.rates)
        self._shared: Bucket | None = None
        self._greeted = False

    async def listen(self) -> None:
        """Hear the client until it goes."""
        session, pulse, receive, time = self._session, self._pulse, self._socket.receive, self._loop.time
        while True:
            frame = await receive()
            pulse.heard_s = now = time()
            match frame.type:
                case said if said is _BINARY or said is _TEXT:
                    hello = None if session.closed else self._hear(frame.data, said is _TEXT, now)
                    if hello is not None:
                        await self._greet(hello)
                case WSMsgType.PING:
                    if not self._flooded(now):
                        with contextlib.suppress(ConnectionError):
                            await self._socket.pong(frame.data)
                case WSMsgType.PONG:
                    trip_s = pulse.answered(frame.data)
                    if trip_s is not None:
                        self._rooms.metrics.round_trip_s.observe(trip_s)
                    else:
                        self._flooded(now)
                case _:
                    return

    def _hear(self, frame: bytes, text: bool, now: float) -> inbound.Hello | None:
        """Take a frame that came `now` (s); what is returned is to be greeted before the next one is heard."""
        if text is not self._text:
            kind = "text" if self._text else "binary"
            self._session.complain(ErrorCode.BAD_FRAME, detail=f"{self._subprotocol.value} has {kind} frames only")
            self._session.close(Closing.PROTOCOL)
            return None
        try:
            message = decode_inbound(frame, self._subprotocol)
        except BadFrame as fault:
            self._bad_frame(str(fault), fault.command_id)
            return None
        self._received[_NAMES[type(message)]] += 1
        if type(message) is inbound.Hello:
            return message
        if not self._greeted:
            self._bad_frame("the first message is `hello`", getattr(message, "id", None))
            self._session.close(Closing.PROTOCOL)
        else:
            self._take(message, now)
        return None

    def _bad_frame(self, detail: str, command_id: str | None) -> None:
        self._rooms.metrics.bad_frames.inc()
        if command_id is not None:
            self._session.refuse(command_id, ErrorCode.BAD_FRAME, detail=detail)
        else:
            self._session.complain(ErrorCode.BAD_FRAME, detail=detail)
        if self._limits.garbage(self._loop.time()):
            self._session.close(Closing.POLICY)

    async def _greet(self, hello: inbound.Hello) -> None:
        if self._greeted:
            self._bad_frame("`hello` was said before", None)
            return
        session, rooms = self._session, self._rooms
        session.language = language_of(hello.lang)
        self._pulse.greeted()
        try:
            session.player = await rooms.doors.player(hello)
        except TurnedAway as turned:
            session.complain(turned.code, detail=turned.detail, reason=turned.reason)
            session.close(turned.closing)
            return
        self._greeted = True
        self._shared = rooms.doors.greeted(session)
        session.boards = hello.boards
        session.say(
            outbound.Welcome(
                session.player.id,
                session.player.name,
                rooms.tokens.sign(session.player),
                rooms.tables.clock.now(),
                rooms.settings.heartbeat_ms,
                told(rooms.rates, rooms.settings.max_msg_bytes),
                rooms.tables.durability,
            )
        )
        session.measure()
        if challenges := rooms.tables.challenges.open_to(session.player.id):
            session.spawn(tell_challenges(session, challenges), "challenges")
        # A race that is named again and again is told once: what is said of it last takes the place of the rest.
        for race, known in {known.race: known for known in hello.resume}.items():
            session.place(race).put(known)

    def _take(self, message: inbound.Said, now: float) -> None:
        """Carry out a message, unless messages of its kind come too fast."""
        retry_ms = self._limits[type(message)].take(now) or (0 if self._shared is None else self._shared.take(now))
        if retry_ms:
            self._too_fast(message, retry_ms, now)
            return
        session = self._session
        match message:
            case inbound.Play():
                pass  # Nearly all are plays, and this is the quickest way on.
            case inbound.Join() | inbound.Queue() if Scope.PLAY not in session.player.scopes:
                session.refuse(message.id, ErrorCode.FORBIDDEN, reason=Barred.SCOPE)
                return
            case inbound.Ping():
                session.say(outbound.Pong(message.c, self._rooms.tables.clock.now()))
                return
            case inbound.Queue() | inbound.Unqueue():
                if session.under_way >= MAX_UNDER_WAY:
                    session.refuse(message.id, ErrorCode.BUSY, BUSY_RETRY_MS)
                else:
                    session.spawn(self._queue(message), "queue")
                return
        place = session.places.get(message.race)
        if session.under_way >= MAX_UNDER_WAY or (place is None and len(session.places) >= MAX_RACES):
            session.refuse(message.id, ErrorCode.BUSY, BUSY_RETRY_MS)
        else:
            (place or session.place(message.race)).put(message)

    def _too_fast(self, message: inbound.Said, retry_ms: int, now: float) -> None:
        command_id = None if isinstance(message, inbound.Ping) else message.id
        if command_id is not None:
            self._session.refuse(command_id, ErrorCode.RATE, retry_ms)
        else:
            self._session.complain(ErrorCode.RATE, retry_ms=retry_ms)
        self._flooded(now)

    def _flooded(self, now: float) -> bool:
        """Count what nobody needs to hear; True, and the socket is closed, when there was too much of it."""
        if self._limits.flood(now):
            self._session.close(Closing.RATE)
        return self._session.closed

    async def _queue(self, message: inbound.Queue | inbound.Unqueue) -> None:
        self._session.under_way += 1
        try:
            await queue(self._session, message)
        finally:
            self._session.under_way -= 1
