"""Rate limits: one token bucket a kind of message and socket, declared in one table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from engine.wire import inbound
from server.settings import Settings

__all__ = ["FLOOD", "GARBAGE", "Bucket", "Limits", "Rate", "rate_of_player", "rates", "told"]


class Rate(Struct, frozen=True):
    """So many at once, then so many per second."""

    burst: int
    per_s: float


_SEATING: Final = Rate(60, 10)
_QUICK: Final = Rate(10, 1)
_PING: Final = Rate(20, 5)
GARBAGE: Final = Rate(10, 0.5)
"""Frames that say nothing; more of them close the socket."""
FLOOD: Final = Rate(500, 50)
"""Messages refused by the other limits, pings, and pongs to no ping; more of them close the socket."""


def rates(settings: Settings) -> Mapping[type[inbound.Inbound], Rate]:
    """Return the rate of each message that a client may send after `hello`."""
    return {
        inbound.Play: Rate(settings.play_burst, settings.play_rate),
        inbound.Join: _SEATING,
        inbound.Watch: _SEATING,
        inbound.Leave: _SEATING,
        inbound.Ready: _SEATING,
        inbound.Unready: _SEATING,
        inbound.Start: _SEATING,
        inbound.Cancel: _SEATING,
        inbound.Hint: _QUICK,
        inbound.Done: _SEATING,
        inbound.Resign: _SEATING,
        inbound.Rematch: _SEATING,
        inbound.Queue: _QUICK,
        inbound.Unqueue: _QUICK,
        inbound.Ping: _PING,
    }


def rate_of_player(settings: Settings) -> Rate:
    """Return the rate of all messages of one player together, whatever sockets they come over: four races' plays."""
    return Rate(4 * settings.play_burst + 600, 4 * settings.play_rate + 80)


class Bucket:
    """Holds up to `burst` tokens and gains `per_s` of them each second; times in seconds."""

    __slots__ = ("__weakref__", "_at", "_burst", "_left", "_per_s")

    def __init__(self, rate: Rate, now: float) -> None:
        self._burst = float(rate.burst)
        self._per_s = rate.per_s
        self._left = self._burst
        self._at = now

    def take(self, now: float) -> int:
        """Take one token and return 0, or return in how many ms there will be one."""
        left = self._left + (now - self._at) * self._per_s
        if left > self._burst:
            left = self._burst
        self._at = now
        if left >= 1:
            self._left = left - 1
            return 0
        self._left = left
        return max(1, math.ceil((1 - left) / self._per_s * 1000))

    def charge(self, tokens: int) -> None:
        """Take so many more for what was taken one for; what is lacking has to come before the next is taken."""
        self._left -= tokens


class Limits(dict[type[inbound.Inbound], Bucket]):
    """The buckets of one socket by the kind of a message, each made when it is needed."""

    __slots__ = ("_flood", "_garbage", "_rates")

    def __init__(self, declared: Mapping[type[inbound.Inbound], Rate]) -> None:
        super().__init__()
        self._rates = declared
        self._garbage: Bucket | None = None
        self._flood: Bucket | None = None

    def __missing__(self, kind: type[inbound.Inbound]) -> Bucket:
        bucket = self[kind] = Bucket(self._rates[kind], 0.0)
        return bucket

    def garbage(self, now: float) -> bool:
        """Note a frame that says nothing; True when there were too many."""
        self._garbage = self._garbage or Bucket(GARBAGE, now)
        return self._garbage.take(now) > 0

    def flood(self, now: float) -> bool:
        """Note a message that came too fast, or a frame that nobody has asked for; True when there were too many."""
        self._flood = self._flood or Bucket(FLOOD, now)
        return self._flood.take(now) > 0


def told(declared: Mapping[type[inbound.Inbound], Rate], max_msg_bytes: int) -> dict[str, Any]:
    """Return the limits as `welcome` tells them."""
    table: dict[str, Any] = {
        str(kind.__struct_config__.tag): {"burst": rate.burst, "per_s": rate.per_s} for kind, rate in declared.items()
    }
    return {**table, "max_msg_bytes": max_msg_bytes}
