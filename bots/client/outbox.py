"""Commands that the server has not answered yet: kept, and sent again as they were, until it does."""

from __future__ import annotations

import asyncio
from typing import Final

from msgspec import Struct

from bots.client.faults import Refused
from engine.refusals import ErrorCode
from engine.wire.inbound import (
    Cancel,
    Done,
    Join,
    Leave,
    Play,
    Queue,
    Ready,
    Rematch,
    Resign,
    Start,
    Unqueue,
    Unready,
    Watch,
)
from engine.wire.outbound import Res

__all__ = ["AGAIN", "RETRY_MS", "Asked", "Outbox"]

AGAIN: Final = frozenset({ErrorCode.RATE, ErrorCode.BUSY, ErrorCode.UNAVAILABLE})
"""Refusals that mean "the same again, later"."""
RETRY_MS: Final = 500
"""How much later, where the server does not say."""

InRace = Join | Watch | Leave | Ready | Unready | Start | Cancel | Play | Done | Resign | Rematch
Asked = InRace | Queue | Unqueue
"""What is answered by a `res`."""


class Waiting(Struct):
    """A command without its answer."""

    asked: Asked
    answer: asyncio.Future[Res]


class Outbox:
    """The unanswered commands of one client, in the order in which they were first sent."""

    def __init__(self) -> None:
        self._waiting: dict[str, Waiting] = {}

    def add(self, asked: Asked) -> asyncio.Future[Res]:
        """Keep a command, which has an id; the future brings its `res` or raises Refused."""
        assert asked.id is not None
        answer: asyncio.Future[Res] = asyncio.get_running_loop().create_future()
        self._waiting[asked.id] = Waiting(asked, answer)
        return answer

    def asked(self, command_id: str) -> Asked | None:
        """Return the command that waits under an id."""
        waiting = self._waiting.get(command_id)
        return None if waiting is None else waiting.asked

    def settle(self, res: Res) -> int | None:
        """Take an answer; returns the ms after which all that waits in that race is to be sent again, if it is."""
        waiting = self._waiting.get(res.id)
        if waiting is None:
            return None
        if not res.ok and res.code in AGAIN:
            return res.retry_ms if res.retry_ms is not None else RETRY_MS
        asked = waiting.asked
        if isinstance(asked, Play):
            if not res.ok and res.code == ErrorCode.STALE_LANE and self._earlier(asked):
                return None  # An operation before it is still to be sent again, and this one goes with it.
            if not res.ok:
                self._void_after(asked, res)
        self.forget(res.id)
        if not waiting.answer.done():
            if res.ok:
                waiting.answer.set_result(res)
            else:
                waiting.answer.set_exception(Refused.by(res))
        return None

    def forget(self, command_id: str) -> None:
        """Keep a command no longer: it is answered, or its caller has gone."""
        self._waiting.pop(command_id, None)

    def all(self) -> list[Asked]:
        """Return the commands to send after a reconnection."""
        return [waiting.asked for waiting in self._waiting.values()]

    def with_it(self, asked: Asked) -> list[Asked]:
        """Return what goes out when a command is sent again: all that still waits in its race, or itself if it does."""
        if isinstance(asked, Queue | Unqueue):
            return [waiting for waiting in self.all() if waiting is asked]
        return [
            waiting for waiting in self.all() if not isinstance(waiting, Queue | Unqueue) and waiting.race == asked.race
        ]

    def plays(self, race: str) -> list[Play]:
        """Return the plays that wait in one race, by number."""
        return [asked for asked in self.all() if isinstance(asked, Play) and asked.race == race]

    def fail(self, fault: Exception) -> None:
        """Answer everything with a fault: nothing can be sent any more."""
        for waiting in self._waiting.values():
            if not waiting.answer.done():
                waiting.answer.set_exception(fault)
        self._waiting.clear()

    def _earlier(self, play: Play) -> bool:
        return any(other.n < play.n for other in self.plays(play.race))

    def _void_after(self, play: Play, res: Res) -> None:
        """Refuse what was played after a refused operation: it counted on it, and its number will be used anew."""
        for other in self.plays(play.race):
            if other.n > play.n and other.id is not None:
                answer = self._waiting.pop(other.id).answer
                if not answer.done():
                    answer.set_exception(
                        Refused(
                            ErrorCode.STALE_LANE, f"operation {play.n} before it was refused: {res.code}", lane=res.lane
                        )
                    )
