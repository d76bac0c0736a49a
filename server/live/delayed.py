"""A race as spectators see it whose card asks for a delay: some seconds late, until every seat has ended."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, Final, Protocol

import structlog

from engine.log.entry import LogError
from engine.race.events import Event
from engine.race.model import Race
from engine.replay.seen import Step
from server.races.clock import Clock
from server.races.host import Listener
from server.races.table import Table
from server.store.connect import StoreUnavailable

__all__ = ["Delayed", "Present", "Source", "delay_ms", "seen_late"]

READ_AGAIN_S: Final = 1.0

log = structlog.get_logger("live")


class Present(Protocol):
    """What time it is for those who are told a race."""

    def now(self) -> int:
        """Return the time in ms."""


class Source(Protocol):
    """Where a race is told from: its table, or what is told of it later."""

    rid: str
    race: Race

    def follow(self, listener: Listener) -> None:
        """Tell a listener everything from now on."""

    def unfollow(self, listener: Listener) -> None:
        """Tell it nothing more."""


def delay_ms(race: Race) -> int:
    """Return how late spectators are told a race, in ms; 0 once nothing can be helped or spoilt any more."""
    return 0 if race.card is None or race.ended else race.card.delay_s * 1000


def seen_late(history: Iterable[Step], now: int, delay: int) -> tuple[list[Step], list[Step]]:
    """Part a history into what spectators may know at `now` and what comes later (ms).

    What happens before the start is told at once: nobody plays yet.
    """
    known: list[Step] = []
    later: list[Step] = []
    for step in history:
        hidden = bool(later) or (step.before.started and delay > 0 and step.after.at > now - delay)
        (later if hidden else known).append(step)
    return known, later


class Delayed:
    """A race told some time after it happened; the end of the last seat ends the delay.

    `history` reads the race from its log, step by step; `spawn` runs a named task of the node's.
    """

    def __init__(
        self,
        table: Table,
        clock: Clock,
        history: Callable[[], Awaitable[list[Step]]],
        spawn: Callable[[Coroutine[Any, Any, None], str], None],
    ) -> None:
        self.rid = table.rid
        self.race = Race(table.rid)
        self._table = table
        self._clock = clock
        self._history = history
        self._spawn = spawn
        self._delay = delay_ms(table.race)
        self._listeners: list[Listener] = []
        self._later: deque[Step] = deque()
        self._begun = False
        self._resets = 0
        self._timer: asyncio.TimerHandle | None = None
        table.follow(self)

    def now(self) -> int:
        """Return the time up to which this race is told, in ms."""
        return self._clock.now() - self._delay

    async def begin(self) -> None:
        """Start from the race's whole history so far. Raises StoreUnavailable, LogError."""
        resets = -1
        while resets != self._resets:
            resets = self._resets
            history = await self._history()
        if not history:
            raise StoreUnavailable("the log of a race that is told late is gone")
        known, later = seen_late(history, self._clock.now(), self._delay)
        # What has happened since the history was asked for may be in it.
        since = [step for step in self._later if step.after.seq > history[-1].after.seq]
        if _leads_to(history, self.race):
            self._later = deque([*history[self.race.seq :], *since])
        else:
            self.race = known[-1].after
            self._later = deque([*later, *since])
            for listener in tuple(self._listeners):
                listener.on_reset(self.race)
        self._begun = True
        self._tell()

    def follow(self, listener: Listener) -> None:
        """Tell a listener everything from now on."""
        self._listeners.append(listener)

    def unfollow(self, listener: Listener) -> None:
        """Tell it nothing more; without listeners the race is followed no longer."""
        if listener in self._listeners:
            self._listeners.remove(listener)
        if not self._listeners:
            self.close()

    def close(self) -> None:
        """Follow the race no longer."""
        self._table.unfollow(self)
        self._stop_timer()

    def on_entry(self, before: Race, event: Event, after: Race) -> None:
        """Keep an entry until its time has come; at the end of the race all have."""
        self._later.append(Step(before, event, after))
        if after.ended:
            self._delay = 0
        if self._begun:
            self._tell()

    def on_next(self, following: str) -> None:
        """Tell which race follows: this one is over, and so is the delay."""
        for listener in tuple(self._listeners):
            listener.on_next(following)

    def on_reset(self, race: Race) -> None:
        """Go on from the history that has taken the place of what was known, which is as late as the other was.

        It is told anew where it lacks what has been told already; else what is told next is what is left.
        """
        self._resets += 1
        self._later.clear()
        self._stop_timer()
        self._delay = delay_ms(race)
        if not self._delay:
            self.race = race
            for listener in tuple(self._listeners):
                listener.on_reset(race)
        elif self._begun:
            self._begun = False
            self._spawn(self._begin_again(), f"race {self.rid} told late")

    async def _begin_again(self) -> None:
        while self._listeners:
            try:
                await self.begin()
            except (StoreUnavailable, LogError) as fault:
                log.warning("a race that is told late is not read", race=self.rid, fault=str(fault))
                await asyncio.sleep(READ_AGAIN_S)
            else:
                return

    def _tell(self) -> None:
        """Tell what is to be known by now, and ring for what comes next."""
        self._stop_timer()
        while self._later:
            step = self._later[0]
            wait_ms = step.after.at - self.now() if step.before.started else 0
            if wait_ms > 0 and self._delay:
                self._timer = asyncio.get_running_loop().call_later(wait_ms / 1000, self._tell)
                return
            self._later.popleft()
            self.race = step.after
            for listener in tuple(self._listeners):
                listener.on_entry(step.before, step.event, step.after)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _leads_to(history: list[Step], told: Race) -> bool:
    """Tell whether what has been told of a race is the beginning of a history."""
    return 0 < told.seq <= len(history) and history[told.seq - 1].after.h == told.h
