"""The start of a race awaited: what is shown in that moment is made before it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from engine.race.model import Race
from engine.race.views import PUBLIC
from engine.wire.codec import Subprotocol
from server.live.followers import Group
from server.live.start import Start
from tests.engine.race.course import Course

GROUP = Group(PUBLIC, Subprotocol.MSGPACK)


class Node:
    """A clock that is set, a race, and what was asked for in which order."""

    def __init__(self, before_ms: int, change: Callable[[Race], Race] = lambda race: race) -> None:
        self.race = change(Course().begin("ann", "bob").race)
        self.ms = (self.race.start_at or 0) - before_ms
        self.asked: list[str] = []
        self.made, self.dealt = asyncio.Event(), asyncio.Event()
        self.start = Start(self, self.make, self.deal, self.race)

    def now(self) -> int:
        return self.ms

    def make(self) -> tuple[Race, dict[Group, bytes]]:
        self.asked.append("make")
        self.made.set()
        return self.race, {GROUP: b"the boards"}

    def deal(self) -> None:
        self.asked.append("deal")
        self.start.come()
        self.dealt.set()

    async def is_not_dealt(self) -> None:
        """Expect no deal for longer than anything here is awaited."""
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(self.dealt.wait(), 0.03)


async def test_the_boards_are_made_before_the_start() -> None:
    """What is made ahead is what is shown, and it is made once."""
    node = Node(before_ms=150)
    await node.made.wait()
    assert not node.start.dealt
    node.ms += 150
    await node.dealt.wait()
    assert node.asked == ["make", "deal"]
    assert node.start.dealt
    assert node.start.made_for(node.race) == {GROUP: b"the boards"}
    assert node.start.made_for(node.race) == {}


async def test_a_clock_that_lags_is_waited_for() -> None:
    """Nothing is dealt before the clock says so, however often the loop's timer ends; nothing is made twice."""
    node = Node(before_ms=5)
    await node.made.wait()
    node.ms += 4
    await node.is_not_dealt()
    assert node.asked == ["make"]
    node.ms += 1
    await node.dealt.wait()
    assert node.asked == ["make", "deal"]


async def test_what_was_made_of_another_state_is_not_shown() -> None:
    """A race that has changed since is shown as it is."""
    node = Node(before_ms=20)
    await node.made.wait()
    assert node.start.made_for(replace(node.race, at=node.race.at + 1)) == {}


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda race: replace(race, start_at=None), id="not started"),
        pytest.param(lambda race: replace(race, over="all", over_at=race.at), id="over"),
    ],
)
async def test_nothing_is_awaited_without_a_start(change: Callable[[Race], Race]) -> None:
    """A race that has no start to come, or none any more, is not dealt."""
    node = Node(before_ms=1, change=change)
    await node.is_not_dealt()
    assert node.asked == []


async def test_a_start_that_has_come_is_not_awaited() -> None:
    """Who comes later finds the boards dealt."""
    node = Node(before_ms=0)
    assert node.start.dealt
    await node.is_not_dealt()
    assert node.asked == []


async def test_who_stops_waits_for_nothing() -> None:
    """After the end of a fan-out nothing is made and nobody is dealt to."""
    node = Node(before_ms=1)
    node.start.stop()
    await node.is_not_dealt()
    assert node.asked == []
