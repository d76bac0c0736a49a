"""What can come of a command: events, nothing new, or a refusal."""

from __future__ import annotations

from msgspec import Struct

from engine.race.events import Event
from engine.refusals import Barred, ErrorCode, Reason

__all__ = ["Decision", "Happens", "Refused", "Repeated"]


class Happens(Struct, frozen=True, gc=False):
    """Events to append to a lane, if the entry's time is at least `from_ms` and below `until_ms`."""

    lane: str
    events: tuple[Event, ...]
    from_ms: int | None = None
    until_ms: int | None = None


class Repeated(Struct, frozen=True):
    """Nothing new: it was done before, and is answered as the first time."""

    lane: int | None = None


class Refused(Struct, frozen=True):
    """Nothing happens: the error code; the reason, where there is one; the seat's lane where it helps."""

    code: ErrorCode
    reason: Reason | Barred | None = None
    lane: int | None = None


Decision = Happens | Repeated | Refused
