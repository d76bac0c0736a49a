"""The log of commands: about which race and seat, from whom, what was asked, and what became of it."""

from __future__ import annotations

from typing import Final

import structlog

from engine.refusals import Barred, ErrorCode, Reason
from engine.wire.inbound import Inbound, Resume
from server.settings import LogLevel

__all__ = ["CommandLog"]

FIELDS: Final = ("race", "id", "n", "m")
"""What is logged of a message: nothing that could let somebody in, such as a receipt."""
_UNAVAILABLE: Final = ErrorCode.UNAVAILABLE
"""Every answer asks for it, and a member is looked up in its enum ten times as slowly as here (Python 3.11)."""

log = structlog.get_logger("commands")


class CommandLog:
    """Logs at `debug` every command, at `warning` those of which it is not known whether they went in."""

    def __init__(self, level: LogLevel) -> None:
        self._every = level is LogLevel.DEBUG

    def told(
        self,
        command: Inbound | Resume,
        player: str,
        seat: int | None,
        code: ErrorCode | None,
        reason: Reason | Barred | None = None,
        seq: int | None = None,
    ) -> None:
        """Log a command as it is answered: `code` None is success, `seq` the place in the race's log."""
        unknown = code is _UNAVAILABLE
        if not unknown and not self._every:
            return
        fields = {
            "player": player,
            "seat": seat,
            "t": command.__struct_config__.tag or "resume",
            **{name: getattr(command, name, None) for name in FIELDS},
            "code": "ok" if code is None else code.value,
            "reason": None if reason is None else reason.value,
            "seq": seq,
        }
        fields = {name: value for name, value in fields.items() if value is not None}
        if unknown:
            log.warning("outcome unknown", **fields)
        else:
            log.debug("command", **fields)
