"""Whether a client is still there, and how far away: the wait for its first message, then pings and their answers."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from server.settings import Settings

__all__ = ["Pulse", "Watched"]

NONCE_BYTES: Final = 8
TRIPS: Final = 5
"""Round trips that are remembered: the least of them is the way itself, what others have more is pauses at its ends."""


class Watched(Struct, frozen=True):
    """What a pulse does to its session: nobody said hello, a ping is due (with the time in seconds), it is dead."""

    no_hello: Callable[[], None]
    beat: Callable[[float], None]
    dead: Callable[[], None]


class Pulse:
    """The timers of one socket."""

    def __init__(self, settings: Settings, watched: Watched) -> None:
        self._beat_s = settings.heartbeat_ms / 1000
        self._dead_s = settings.dead_after_ms / 1000
        self._watched = watched
        self._loop = asyncio.get_running_loop()
        self.heard_s = self._loop.time()
        """When the last frame came, by the loop's clock; whoever hears one sets it."""
        self._asked: tuple[bytes, float] | None = None
        self._trips_s: deque[float] = deque(maxlen=TRIPS)
        self._hello = self._loop.call_later(settings.hello_timeout_ms / 1000, watched.no_hello)
        self._next = self._loop.call_later(self._beat_s, self._look)

    @property
    def round_trip_s(self) -> float | None:
        """How long the way to the client and back takes: the least of the last few pings; None before the first."""
        return min(self._trips_s, default=None)

    def greeted(self) -> None:
        """Take note of the first message."""
        self._hello.cancel()

    def ask(self, now: float) -> bytes:
        """Return what a ping is to carry that goes out `now` (s): nobody can answer it before it has come."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        self._asked = nonce, now
        return nonce

    def answered(self, payload: bytes) -> float | None:
        """Take the pong that has just been heard; returns its round trip (s), or None if it answers no open ping."""
        if self._asked is None or payload != self._asked[0]:
            return None
        trip_s = self.heard_s - self._asked[1]
        self._asked = None
        self._trips_s.append(trip_s)
        return trip_s

    def stop(self) -> None:
        """Look no more."""
        self._hello.cancel()
        self._next.cancel()

    def _look(self) -> None:
        now = self._loop.time()
        silent_s = now - self.heard_s
        if silent_s >= self._dead_s:
            self._watched.dead()
            return
        self._next = self._loop.call_later(min(self._beat_s, self._dead_s - silent_s), self._look)
        self._watched.beat(now)
