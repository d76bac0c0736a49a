"""What a race answers to a command."""

from __future__ import annotations

from msgspec import Struct

from engine.log.entry import Cursor
from engine.race.commands import Command, Create
from engine.race.decide import Refused, Repeated
from engine.race.model import Race
from engine.refusals import Barred, ErrorCode, Reason

__all__ = ["Answer", "answer_to", "refusal"]


class Answer(Struct, frozen=True):
    """Accepted: the place of its last entry in the log. Refused: the code, and for some the reason."""

    ok: bool
    seq: int
    h: str
    lane: int | None = None
    dup: bool = False
    code: ErrorCode | None = None
    reason: Reason | Barred | None = None
    retry_ms: int | None = None


def refusal(refused: Refused, at: Cursor, retry_ms: int | None = None) -> Answer:
    """Return the answer for a refusal, made on the fold at a place in the log."""
    return Answer(False, at.seq, at.h, refused.lane, False, refused.code, refused.reason, retry_ms)


def answer_to(race: Race, command: Command, decision: Refused | Repeated) -> Answer:
    """Return the answer to a command that makes nothing happen in a race as it stands."""
    if isinstance(decision, Refused):
        return refusal(decision, race.cursor)
    return Answer(True, race.seq, race.h, decision.lane, dup=not isinstance(command, Create))
