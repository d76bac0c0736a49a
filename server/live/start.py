"""The start of one race as its fan-out awaits it: the boards are shown at `start_at`, and made a little before."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from random import uniform
from types import MappingProxyType
from typing import Final

from engine.race.model import Race
from server.live.delayed import Present
from server.live.followers import Group

__all__ = ["NOTHING_MADE", "Start"]

MADE_AHEAD_S: Final = (0.2, 1.2)
"""How long before a start its snaps are made, by chance in between: where many races start in one moment, nothing is
left to do in it but to write them out."""
Made = tuple[Race, Mapping[Group, bytes]]
NOTHING_MADE: Final[Mapping[Group, bytes]] = MappingProxyType({})


class Start:
    """Awaits `start_at`: `make` returns a race and what is then shown to whom, `deal` is called when it has come."""

    def __init__(self, clock: Present, make: Callable[[], Made], deal: Callable[[], None], race: Race) -> None:
        self.dealt = False
        """Whether the boards may be shown."""
        self._clock, self._make, self._deal = clock, make, deal
        self._loop = asyncio.get_running_loop()
        self._timers: list[asyncio.TimerHandle] = []
        self._made: Made | None = None
        self.look(race)

    def look(self, race: Race) -> None:
        """Take a race as it stands, which is shown anyway; await its start if that has not come."""
        self.dealt = self._has_come(race)
        self.expect(race)

    def expect(self, race: Race) -> None:
        """Await the start of a race that has one from now on."""
        self.stop()
        if race.start_at is None or self.dealt or race.ended:
            return
        wait_s = max(0, race.start_at - self._clock.now()) / 1000
        self._timers = [self._loop.call_later(wait_s, self._come, race)]
        if wait_s and self._made is None:
            self._timers.append(self._loop.call_later(max(0.0, wait_s - uniform(*MADE_AHEAD_S)), self._prepare))

    def come(self) -> None:
        """Let the boards be shown from now on."""
        self.stop()
        self.dealt = True

    def made_for(self, race: Race) -> Mapping[Group, bytes]:
        """Return what was made ahead, once, if that is how the race still stands."""
        made, self._made = self._made, None
        return made[1] if made is not None and made[0] is race else NOTHING_MADE

    def stop(self) -> None:
        """Await nothing."""
        for timer in self._timers:
            timer.cancel()

    def _has_come(self, race: Race) -> bool:
        return race.start_at is not None and self._clock.now() >= race.start_at

    def _come(self, race: Race) -> None:
        if self._has_come(race):
            self._deal()
        else:
            self.expect(race)

    def _prepare(self) -> None:
        self._made = self._make()
