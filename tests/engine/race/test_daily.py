"""The deal of the day: one race a player, closed and opened only when its day is over."""

from __future__ import annotations

import pytest

from engine.race import commands as ask
from engine.race.decide import Happens, Refused, Repeated
from engine.race.events import VoidReason
from engine.race.model import DAY_MS, RaceStatus, SeatEnd, SeatStatus
from engine.race.views import PUBLIC, Role, Viewer, snap_for
from engine.refusals import ErrorCode
from engine.replay.verify import verify_replay
from engine.secrets import created_rid, daily_number, daily_rid
from tests.engine.race.course import BEGUN, CREATOR, SEALED, Course
from tests.engine.replay.doctor import of_the_day, replayed

DAY = BEGUN // DAY_MS
MIDNIGHT = (DAY + 1) * DAY_MS


def daily(**card: object) -> Course:
    return Course(game="GO1-C", sealed=True, seats=1, watch="off", terms={"daily": DAY}, **card)


def test_closed_when_the_day_is_over() -> None:
    """However a race on the day's deal ends, nothing is opened before midnight, and then at once."""
    course = daily().begin(CREATOR)
    course.play(CREATOR, "d", "d")
    course.done(CREATOR)
    for now in (course.now, MIDNIGHT - 1):
        course.now = now
        assert isinstance(course.tick(), Repeated)
        assert not course.race.closed
        assert course.race.status(now) is RaceStatus.LIVE
        assert course.race.due() == MIDNIGHT
        for viewer in (PUBLIC, Viewer(Role.WATCH), Viewer(Role.SEAT, 1)):
            snap = snap_for(course.race, viewer, now, "watch")
            assert SEALED not in str(snap)
            assert (snap.salt, snap.standings) == (None, None)
    course.now = MIDNIGHT
    assert isinstance(course.tick(), Happens)
    assert (course.race.closed, course.race.status(MIDNIGHT)) == (True, RaceStatus.FINISHED)
    assert SEALED in str(snap_for(course.race, PUBLIC, MIDNIGHT, "watch"))


@pytest.mark.parametrize("away", [False, True], ids=["still there", "gone"])
def test_the_day_is_the_last_limit(away: bool) -> None:
    """A race that runs at midnight ends then, also where its player has gone; no move is taken any more."""
    course = daily(time_limit_s=86_000).begin(CREATOR)
    course.play(CREATOR, "d")
    if away:
        course.leave_play(CREATOR)
    assert course.race.deadline == MIDNIGHT
    course.now = MIDNIGHT
    refused = course.play(CREATOR, "d")
    assert isinstance(refused, Refused)
    assert refused.code is ErrorCode.OVER
    course.tick()
    assert (course.seat(CREATOR).end, course.race.closed) == (SeatEnd.TIME, True)


def test_its_own_limit_ends_play_before() -> None:
    """After the time limit no move is taken, though the race is closed at midnight only."""
    course = daily().begin(CREATOR)
    course.now += 600_000
    assert isinstance(course.play(CREATOR, "d"), Refused)
    assert isinstance(course.tick(), Repeated)
    assert course.seat(CREATOR).status is SeatStatus.PLAYING


def test_a_race_that_never_began_opens_nothing() -> None:
    """Whoever has not begun cannot call the race off, nor can it expire, before the deal may be known."""
    course = daily()
    course.join(CREATOR)
    cancelled = course.ask(ask.Cancel(CREATOR))
    ruled = course.ask(ask.Void(VoidReason.RULED))
    for decision in (cancelled, ruled):
        assert isinstance(decision, Refused)
        assert decision.code is ErrorCode.FORBIDDEN
    course.now += 3_600_000
    assert isinstance(course.tick(), Repeated)
    course.now = MIDNIGHT
    course.tick()
    assert course.race.voided is VoidReason.EXPIRED


def test_for_its_player_alone() -> None:
    """Nobody else takes the seat, and no hint is told."""
    course = daily()
    refused = course.join("eve")
    assert isinstance(refused, Refused)
    assert refused.code is ErrorCode.FORBIDDEN
    course.begin(CREATOR)
    hint = course.hint(CREATOR)
    assert isinstance(hint, Refused)
    assert hint.code is ErrorCode.FORBIDDEN
    snap = snap_for(course.race, Viewer(Role.SEAT, 1), course.now, "join")
    assert snap.my is not None
    assert not snap.my.hints
    assert snap.sealed_until == MIDNIGHT


def test_the_file_verifies() -> None:
    """The replay of a race on a deal of the day is one that anybody can verify."""
    assert verify_replay(replayed(of_the_day())).ok


def test_ruled_void() -> None:
    """A race that an admin closes counts nowhere, and says so; asked again it is the same, and over is over."""
    course = Course(seats=2).begin("ann", "bob")
    assert isinstance(course.ask(ask.Void(VoidReason.RULED)), Happens)
    assert (course.race.voided, course.race.closed) == (VoidReason.RULED, True)
    assert isinstance(course.ask(ask.Void(VoidReason.RULED)), Repeated)
    other = Course(seats=1).begin("ann")
    other.done("ann")
    other.tick()
    over = other.ask(ask.Void(VoidReason.RULED))
    assert isinstance(over, Refused)
    assert over.code is ErrorCode.OVER


def test_numbers_and_ids_of_the_day() -> None:
    """The deal is one for all who are ranked, and one for the others; the race is one a player, and no other race's."""
    key = bytes(32)
    kinds = [(day, game, ranked) for day in (1, 2) for game in ("GO1-E", "DS1-D1NO") for ranked in (True, False)]
    numbers = {daily_number(key, *kind) for kind in kinds}
    assert len(numbers) == 8
    assert daily_number(key, 1, "GO1-E") in numbers
    rids = {daily_rid(key, player, *kind) for player in "ab" for kind in kinds}
    assert len(rids) == 16
    assert created_rid(key, "a", "1:GO1-E") not in rids
