"""Redis's clock as this node knows it: no other decides anything."""

from __future__ import annotations

from time import monotonic_ns, time_ns
from typing import Final, Protocol

__all__ = ["SYNC_EVERY_S", "Clock"]

SYNC_EVERY_S: Final = 10.0
"""How often the offset is measured anew."""
MOST_AHEAD_MS: Final = 60_000
"""How much later than this clock an entry may be for it to be believed."""


class RedisTime(Protocol):
    """Where the time comes from."""

    async def now(self) -> int:
        """Return Redis's time in ms."""


class Clock:
    """The time of Redis in ms, from this machine's steady clock and an offset measured now and then."""

    def __init__(self, source: RedisTime) -> None:
        self._source = source
        self._offset_ms = time_ns() // 1_000_000 - _steady_ms()

    def now(self) -> int:
        """Return the time in ms."""
        return monotonic_ns() // 1_000_000 + self._offset_ms

    async def sync(self) -> None:
        """Measure the offset; half of the round trip is taken as the way back. Raises StoreUnavailable."""
        sent = _steady_ms()
        told = await self._source.now()
        self._offset_ms = told - (sent + _steady_ms()) // 2

    def told(self, now: int) -> None:
        """Take a time that Redis has told just now."""
        self._offset_ms = now - _steady_ms()

    def heard(self, at: int) -> None:
        """Take note of an entry's time: the clock is never behind what has been written.

        An entry from much later was written while Redis's clock was wrong: whoever opens that race changes no other's
        time.
        """
        ahead_ms = at - self.now()
        if 0 < ahead_ms < MOST_AHEAD_MS:
            self._offset_ms += ahead_ms


def _steady_ms() -> int:
    return monotonic_ns() // 1_000_000
