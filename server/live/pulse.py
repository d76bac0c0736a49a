"""Whether a client is still there: the wait for its first message, then pings, and how long it may be silent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from msgspec import Struct

from server.settings import Settings

__all__ = ["Pulse", "Watched"]


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
        self._hello = self._loop.call_later(settings.hello_timeout_ms / 1000, watched.no_hello)
        self._next = self._loop.call_later(self._beat_s, self._look)

    def greeted(self) -> None:
        """Take note of the first message."""
        self._hello.cancel()

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
