"""What can come of a command: events, nothing new, or a refusal."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from engine.log.entry import SHARED_LANE
from engine.race.events import Event
from engine.refusals import Barred, ErrorCode, Reason

__all__ = ["DAILY", "NOT_SEATED", "OVER", "Decision", "Happens", "Refused", "Repeated", "shared"]


class Happens(Struct, frozen=True, gc=False):
    """Events to append to a lane, if the entry's time is at least `from_ms` and below `until_ms`.

    `leaves_in_play`: they are one operation of a seat that goes on playing after it.
    """

    lane: str
    events: tuple[Event, ...]
    from_ms: int | None = None
    until_ms: int | None = None
    leaves_in_play: bool = False


class Repeated(Struct, frozen=True):
    """Nothing new: it was done before, and is answered as the first time."""

    lane: int | None = None


class Refused(Struct, frozen=True):
    """Nothing happens: the error code; the reason, where there is one; the seat's lane where it helps."""

    code: ErrorCode
    reason: Reason | Barred | None = None
    lane: int | None = None


Decision = Happens | Repeated | Refused

NOT_SEATED: Final = Refused(ErrorCode.NOT_SEATED)
OVER: Final = Refused(ErrorCode.OVER)
DAILY: Final = Refused(ErrorCode.FORBIDDEN, Barred.DAILY)
"""What is not done with a race on a deal of the day."""


def shared(*events: Event) -> Happens:
    """Return events of the lane that all seats share."""
    return Happens(SHARED_LANE, events)
