"""Who holds a seat where several connections of one player ask for it within one moment."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from engine.race.commands import Command
from engine.race.decision import Refused
from engine.race.model import Race
from server.live.holding import hold
from server.live.place import Place
from server.races.answer import Answer
from tests.engine.race.course import Course

OLD, OWN, NEW = 501, 502, 503


class Overtaken:
    """The table of a race in which another connection of ann's takes her seat right before each of some commands."""

    def __init__(self, *before: int) -> None:
        self.course, self._before = Course().begin("ann", "bob"), list(before)

    @property
    def race(self) -> Race:
        return self.course.race

    async def ask(self, command: Command) -> Answer:
        if self._before:
            self.course.come_back("ann", self._before.pop(0))
        assert not isinstance(self.course.ask(command), Refused)
        return Answer(True, self.race.seq, self.race.h)


class Session:
    """A session of ann's over `OWN`, whose socket is gone after so many looks at it."""

    def __init__(self, stands_for: int) -> None:
        self.player, self.connection, self.taken = SimpleNamespace(id="ann"), OWN, 0
        self._looks = stands_for

    @property
    def closed(self) -> bool:
        self._looks -= 1
        return self._looks < 0

    def taken_over(self) -> None:
        self.taken += 1


@pytest.mark.parametrize(
    ("others", "stands_for", "holds", "taken"),
    [
        pytest.param([], 9, OWN, 0, id="nobody else"),
        pytest.param([OLD], 9, OWN, 0, id="an older one that is said to be still here"),
        pytest.param([NEW], 1, NEW, 0, id="a newer one, this socket being gone"),
        pytest.param([OLD, NEW], 9, NEW, 1, id="others again and again"),
    ],
)
async def test_who_holds_a_seat(others: list[int], stands_for: int, holds: int, taken: int) -> None:
    """A socket that stands takes the seat, also from an older one; one that is gone does not; who cannot is closed."""
    table, session = Overtaken(*others), Session(stands_for)
    place = Place(cast(Any, session), table.race.id)
    answer = await hold(place, cast(Any, table))
    seat = table.race.seat_of("ann")
    assert seat is not None
    assert (seat.connection, session.taken) == (holds, taken)
    assert (answer is not None) is (holds == OWN)
