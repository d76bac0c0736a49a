"""Where a command waits, and whose turn it is to append: one append of a lane at a time, the shared lane alone."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from engine.log.entry import SHARED_LANE
from engine.race.commands import Command, Done, Hint, Play, Resign
from engine.race.model import Race
from server.races.plan import Waiting
from server.store.connect import StoreUnavailable

__all__ = ["MAX_TOGETHER", "MAX_WAITING", "Lanes", "lane_number", "lane_of"]

MAX_WAITING: Final = 1_000
"""Commands that may wait for one lane of a race."""
MAX_TOGETHER: Final = 128
"""Commands that go out together."""
OF_A_SEAT: Final = (Play, Hint, Done, Resign)
"""Commands about which nothing but the board of the player's own seat decides."""


def lane_of(race: Race, command: Command) -> str:
    """Return where a command waits: with its own seat's only where nothing but that seat's board decides."""
    if isinstance(command, OF_A_SEAT):
        seat = race.seat_of(command.player)
        if seat is not None:
            return str(seat.seat)
    return SHARED_LANE


def lane_number(race: Race, command: Command) -> int | None:
    """Return the number of the last operation of the lane that a play, hint, done or resign belongs to."""
    if not isinstance(command, OF_A_SEAT):
        return None
    seat = race.seat_of(command.player)
    return seat.lane if seat is not None else None


class Lanes:
    """What waits in each lane of a race, and which lanes have an append under way.

    `launch` is called with a lane whose turn it is, and with what waits there: it has to take from that what it carries
    out, by `take` or itself, and to say when that has `landed`.
    """

    def __init__(self, launch: Callable[[str, deque[Waiting]], None]) -> None:
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
        queue = self._queues.get(lane)
        if queue is None:
            queue = self._queues[lane] = deque()
        if len(queue) >= MAX_WAITING:
            return False
        queue.append(waiting)
        self._go(lane)
        return True

    def take(self, lane: str) -> list[Waiting]:
        """Take what goes out together."""
        queue = self._queues[lane]
        return [queue.popleft() for _ in range(min(len(queue), MAX_TOGETHER))]

    def landed(self, lane: str, taken: Sequence[Waiting] = ()) -> None:
        """Let those go that waited for a lane; what it had taken is answered by now, unless this node is closing."""
        for waiting in taken:
            if not waiting.answered:
                waiting.give(StoreUnavailable("this node is closing"))
        self._under_way.discard(lane)
        if lane == SHARED_LANE:
            # The seats that waited have the next turn: many commands of the shared lane do not stop the race.
            self._seats_first = True
            for other, queue in self._queues.items():
                if queue and other != SHARED_LANE:
                    self._go(other)
            self._seats_first = False
        if self._queues[SHARED_LANE]:
            self._go(SHARED_LANE)
        if self._queues[lane]:
            self._go(lane)
        if self._settled is not None and self.idle:
            self._settled.set_result(None)
            self._settled = None

    def _go(self, lane: str) -> None:
        """Launch a lane in which something waits, if its turn has come."""
        if lane == SHARED_LANE:
            free = not self._under_way
        else:
            # Whoever waits for the shared lane lets no seat begin anew, so that its turn comes.
            free = self._seats_first or not self._queues[SHARED_LANE]
            free = free and lane not in self._under_way and SHARED_LANE not in self._under_way
        if free:
            self._under_way.add(lane)
            self._launch(lane, self._queues[lane])
