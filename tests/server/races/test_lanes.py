"""Whose turn it is to append."""

from collections import deque

import pytest

from engine.race.commands import Tick
from server.races.lanes import MAX_TOGETHER, MAX_WAITING, Lanes
from server.races.plan import Waiting


class Turns:
    """Lanes whose launches are remembered, and land when a test says so."""

    def __init__(self) -> None:
        self.lanes = Lanes(self._launch)
        self.under_way: list[str] = []
        self.all: list[str] = []

    def _launch(self, lane: str, queue: deque[Waiting]) -> None:
        assert queue
        self.under_way.append(lane)
        self.all.append(lane)

    def put(self, *lanes: str) -> None:
        for lane in lanes:
            assert self.lanes.put(lane, Waiting(Tick(0), lambda answer: None))

    def land(self, lane: str) -> int:
        """The lane's append takes what waits, and lands; returns how much it was."""
        taken = len(self.lanes.take(lane))
        self.landed(lane)
        return taken

    def landed(self, lane: str) -> None:
        """The lane's append, which had taken what waited, lands."""
        self.under_way.remove(lane)
        self.lanes.landed(lane)


@pytest.fixture
async def turns() -> Turns:
    return Turns()


async def test_seats_beside_each_other(turns: Turns) -> None:
    """Each seat has one append under way, beside those of others."""
    turns.put("1", "2", "1", "1")
    assert turns.under_way == ["1", "2"]
    assert turns.land("1") == 3
    assert turns.under_way == ["2"]
    turns.put("1")
    assert turns.under_way == ["2", "1"]


async def test_shared_alone(turns: Turns) -> None:
    """The shared lane waits until no seat is under way, and meanwhile no seat begins anew."""
    turns.put("1", "*", "2", "1")
    assert turns.under_way == ["1"]
    turns.land("1")
    assert turns.under_way == ["*"]
    turns.land("*")
    assert turns.under_way == ["2"]


async def test_nobody_starves(turns: Turns) -> None:
    """However many commands of the shared lane come, the seats have every other turn, and the other way round."""
    turns.put("*")
    for _ in range(5):
        assert turns.under_way == ["*"]
        turns.lanes.take("*")
        turns.put("*", "1", "2")
        turns.landed("*")
        assert turns.under_way == ["1", "2"]
        for seat in ("1", "2"):
            turns.lanes.take(seat)
        turns.put("1", "2")
        turns.landed("1")
        assert turns.under_way == ["2"]
        turns.landed("2")


async def test_bounds(turns: Turns) -> None:
    """So many wait, so many go out together, and whoever is one too many is told so."""
    turns.put(*["1"] * MAX_WAITING)
    assert not turns.lanes.put("1", Waiting(Tick(0), lambda answer: None))
    turns.put("2")
    assert turns.land("1") == MAX_TOGETHER
    assert turns.under_way == ["2", "1"]


async def test_idle(turns: Turns) -> None:
    """Lanes are idle when nothing waits and nothing is under way."""
    assert turns.lanes.idle
    turns.put("1")
    assert not turns.lanes.idle
    turns.lanes.take("1")
    assert not turns.lanes.idle
    turns.land("1")
    assert turns.lanes.idle
