"""What one append of a lane is to hold: the commands that wait, decided in turn on what those before them make."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from msgspec import Struct

from engine.log.entry import Cursor
from engine.race.commands import Command
from engine.race.decide import Decision, Happens, Refused, decide
from engine.race.events import Event
from engine.race.evolve import Secrets, evolve, opened
from engine.race.model import Race
from server.races.answer import Answer

__all__ = ["Plan", "Waiting", "planned"]


class Waiting(Struct, frozen=True, eq=False):
    """A command, and the answer that somebody waits for."""

    command: Command
    answer: asyncio.Future[Answer]

    def give(self, answer: Answer) -> None:
        """Answer, unless nobody waits any more."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, fault: Exception) -> None:
        """Raise a fault where the answer is awaited, if it is."""
        if not self.answer.done():
            self.answer.set_exception(fault)
            self.answer.exception()  # Nobody may be waiting any more; that is no fault of its own.


class Plan(Struct):
    """Decisions made on the race at `seen`, the events to append to one lane in one time window, and `after` them."""

    seen: Cursor
    after: Race
    made: list[tuple[Waiting, Decision]] = []
    lane: str = ""
    events: tuple[Event, ...] = ()
    from_ms: int | None = None
    until_ms: int | None = None

    @property
    def refused(self) -> bool:
        """True when some command is to be refused."""
        return any(isinstance(decision, Refused) for _, decision in self.made)


def planned(race: Race, waiting: Sequence[Waiting], now: int, secrets: Secrets) -> Plan:
    """Plan commands in turn, up to the first that needs an append of its own: another lane, another window.

    Entries that are not written yet are taken to bear the time `now` (ms) and no new hash: no decision needs those.
    """
    plan = Plan(race.cursor, race)
    for one in waiting:
        decision = decide(plan.after, one.command)
        if isinstance(decision, Happens):
            window = (decision.lane, decision.from_ms, decision.until_ms)
            if plan.events and window != (plan.lane, plan.from_ms, plan.until_ms):
                break
            plan.lane, plan.from_ms, plan.until_ms = window
            plan.events += decision.events
            for event in decision.events:
                known = opened(plan.after, event, secrets)
                plan.after = evolve(known, event, max(now, race.at), race.h)
        plan.made.append((one, decision))
    return plan
