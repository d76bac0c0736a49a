"""One socket: who is there, what was asked, what waits to be sent, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any

import structlog
from aiohttp.web import WebSocketResponse

from engine.refusals import Barred, ErrorCode
from engine.texts import DEFAULT_LANGUAGE, text_of
from engine.wire import outbound
from engine.wire.codec import Subprotocol
from server.live.challenged import tell_challenges
from server.live.closing import Closing
from server.live.commands import refused
from server.live.frames import frame_of
from server.live.hearing import Hearing
from server.live.holding import give_up, hold_again, still_here
from server.live.outbox import Outbox, Owner
from server.live.place import Place
from server.live.pulse import Pulse, Watched
from server.live.rooms import Rooms
from server.players import Player
from server.store.challenges import Challenge

__all__ = ["Session"]

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
        self.places: dict[str, Place] = {}
        self.under_way = 0
        """Commands that have not been answered yet."""
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
        self._tasks = asyncio.TaskGroup()
        self._pulse = Pulse(rooms.settings, Watched(self._no_hello, self._beat, self._dead))
        self._hearing = Hearing(self, socket, self._pulse)
        self._until = asyncio.timeout(None)
        self._closing: Closing | None = None

    @property
    def round_trip_ms(self) -> int | None:
        """How long the way to the client and back takes, as this server has measured it; None before it has."""
        trip_s = self._pulse.round_trip_s
        return None if trip_s is None else round(trip_s * 1000)

    def measure(self) -> None:
        """Ping the client now, that it be known soon how far away it is."""
        self._beat(self._loop.time())

    async def run(self) -> None:
        """Serve the socket until it is closed, if need be by a fault of ours, then give up what it held."""
        self.rooms.enter(self)
        try:
            async with self._tasks:
                try:
                    await self._listen()
                    await self._say_goodbye()
                finally:
                    self._stop()
        except* Exception as faults:
            log.error("a session failed", exc_info=faults)
            await self._socket.close(code=Closing.FAULT, drain=False)
        finally:
            self.rooms.leave(self)
            if self._transport.get_write_buffer_size():
                # What lies there would be kept for a client that takes nothing.
                self._transport.abort()
        for place in self.places.values():
            await give_up(place)

    def say(self, message: outbound.Outbound) -> None:
        """Send a message that nothing can replace."""
        self.outbox.say(frame_of(message, self.subprotocol))

    def answer(self, message: outbound.Res) -> None:
        """Send the one answer to a command."""
        self.rooms.metrics.answers.counts[message.code or "ok"] += 1
        self.outbox.say(frame_of(message, self.subprotocol))

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
        place = self.places.get(race)
        if place is not None and not self.closed:
            self.spawn(still_here(place), "still here")

    def seat_forgotten(self, race: str) -> None:
        """Say once more that this connection holds the seat."""
        place = self.places.get(race)
        if place is not None and not self.closed:
            self.spawn(hold_again(place), "hold again")

    def seat_freed(self, race: str) -> None:
        """Take note that a seat is held here no more; whoever did not give it back is told."""
        place = self.places.get(race)
        if place is not None and not place.leaving:
            place.seat = None
            self.put_out(race, ErrorCode.NOT_SEATED)

    def go_on(self, race: str, following: str) -> None:
        """Tell which race follows one in which this player had a seat, once."""
        place = self.places.get(race)
        if place is not None and place.next != following:
            place.next = following
            self.say(outbound.Matched(following, race))

    def matched(self, race: str, bot: str | None) -> None:
        """Tell of a quick race to join; with a bot it is an offer."""
        self.say(outbound.Matched(race, None, bot))

    def challenged(self, challenge: Challenge) -> None:
        """Tell of a race to which another player challenges this one, or that it waits no more."""
        if challenge.answered:
            self.say(outbound.Answered(challenge.race))
        elif not self.closed:
            self.spawn(tell_challenges(self, (challenge,)), "challenge")

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
        self._until.reschedule(self._loop.time())

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
        place = self.places.get(race)
        if place is not None:
            place.viewer = None
            if place.idle:
                del self.places[race]

    def _stop(self) -> None:
        """Tell and expect nothing more; what is under way ends by itself."""
        self.closed = True
        self.outbox.close()
        self._pulse.stop()
        self.rooms.tables.quick.gone(self)
        for race in self.places:
            self.rooms.unfollow(race, self)

    async def _listen(self) -> None:
        """Hear the client until it goes, or until this side closes."""
        with contextlib.suppress(TimeoutError):
            async with self._until:
                await self._hearing.listen()

    def place(self, race: str) -> Place:
        """Return what this socket has to do with a race, from now on if it had nothing before."""
        place = self.places.get(race)
        if place is None:
            place = self.places[race] = Place(self, race)
        return place

    def left(self, place: Place) -> None:
        """Forget a race that this socket has nothing to do with any more."""
        if self.places.get(place.race) is place and not self.closed:
            del self.places[place.race]

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
            self.outbox.ping(self._pulse.ask(now))

    def _dead(self) -> None:
        self.closed = True
        self._transport.abort()
