"""Whose turn it is to append to a race: one append of a lane at a time, and the shared lane alone."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from engine.log.entry import SHARED_LANE
from server.races.plan import Waiting

__all__ = ["MAX_TOGETHER", "MAX_WAITING", "Lanes"]

MAX_WAITING: Final = 1_000
"""Commands that may wait for one lane of a race."""
MAX_TOGETHER: Final = 128
"""Commands that go out together."""


class Lanes:
    """What waits in each lane of a race, and which lanes have an append under way.

    `launch` is called with a lane whose turn it is: it has to `take` what waits, and to say when it has `landed`.
    """

    def __init__(self, launch: Callable[[str], None]) -> None:
        self._launch = launch
        self._queues: dict[str, deque[Waiting]] = {SHARED_LANE: deque()}
        self._under_way: set[str] = set()
        self._seats_first = False
        self._settled: asyncio.Future[None] | None = None

    @property
    def idle(self) -> bool:
        """True when nothing waits and nothing is under way."""
        return not self._under_way and not any(self._queues.values())

    async def settled(self) -> None:
        """Return once nothing waits and nothing is under way."""
        while not self.idle:
            if self._settled is None:
                self._settled = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._settled)

    def put(self, lane: str, waiting: Waiting) -> bool:
        """Let a command wait for its turn in a lane; False when too many do."""
        queue = self._queues.setdefault(lane, deque())
        if len(queue) >= MAX_WAITING:
            return False
        queue.append(waiting)
        self._go(lane)
        return True

    def alone(self, lane: str) -> Waiting | None:
        """Return the one command that waits in a lane, if there is just one."""
        queue = self._queues[lane]
        return queue[0] if len(queue) == 1 else None

    def take(self, lane: str) -> list[Waiting]:
        """Take what goes out together."""
        queue = self._queues[lane]
        return [queue.popleft() for _ in range(min(len(queue), MAX_TOGETHER))]

    def landed(self, lane: str) -> None:
        """Let those go that waited for a lane."""
        self._under_way.discard(lane)
        if lane == SHARED_LANE:
            # The seats that waited have the next turn: many commands of the shared lane do not stop the race.
            self._seats_first = True
            for other in self._queues:
                if other != SHARED_LANE:
                    self._go(other)
            self._seats_first = False
        self._go(SHARED_LANE)
        self._go(lane)
        if self._settled is not None and self.idle:
            self._settled.set_result(None)
            self._settled = None

    def _go(self, lane: str) -> None:
        if lane == SHARED_LANE:
            free = not self._under_way
        else:
            # Whoever waits for the shared lane lets no seat begin anew, so that its turn comes.
            free = self._seats_first or not self._queues[SHARED_LANE]
            free = free and not self._under_way & {lane, SHARED_LANE}
        if free and self._queues[lane]:
            self._under_way.add(lane)
            self._launch(lane)
