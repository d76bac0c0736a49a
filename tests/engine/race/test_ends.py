"""How races end, and when somebody has to look."""

import pytest
from msgspec.structs import replace

from engine.race import commands as ask
from engine.race.decide import Happens, Repeated
from engine.race.events import Finished, FinishReason, Played, Recovered, Started, Voided, VoidReason
from engine.race.evolve import ImpossibleEvent
from engine.race.model import RaceStatus, SeatEnd
from tests.engine.race.course import LAST_DRAW_STICKS, SEALED, SECRETS, WON_CODE, Course

SALT = SECRETS.opening_of_all.salt


def ends(course: Course) -> list[SeatEnd | None]:
    return [seat.end for seat in course.race.seats.values()]


def test_all_ended() -> None:
    """The entry that ends the last seat ends the race; a look then closes it, once, with its deal and salt opened."""
    course = Course().begin("ann", "bob")
    course.done("ann")
    assert not course.race.ended
    course.now += 1
    course.resign("bob")
    assert FinishReason.ALL is course.race.over
    assert course.now == course.race.over_at
    assert RaceStatus.FINISHED is course.race.status(course.now)
    assert course.race.due() == 0
    assert Happens("*", (Finished(FinishReason.ALL, WON_CODE, SALT),)) == course.tick()
    assert course.race.closed
    assert course.race.due() is None
    assert Repeated() == course.tick()


def test_first_clear() -> None:
    """Under the goal `first` the first clear ends the race: all others are settled as done, there and then."""
    course = Course(goal="first", seats=3).begin("ann", "bob", "eve")
    course.play("bob", "d", "5")
    course.resign("eve")
    course.now += 10
    course.win("ann")
    assert FinishReason.FIRST is course.race.over
    assert ends(course) == [SeatEnd.WON, SeatEnd.DONE, SeatEnd.RESIGNED]
    assert course.now == course.seat("bob").ended_at
    assert Happens("*", (Finished(FinishReason.FIRST, WON_CODE, SALT),)) == course.tick()


def test_first_without_clear() -> None:
    """Without a clear a race for the first ends as all others do."""
    course = Course(goal="first").begin("ann", "bob")
    course.done("ann")
    course.done("bob")
    assert FinishReason.ALL is course.race.over


@pytest.mark.parametrize("goal", ["score", "moves", "strokes"])
def test_clear_ends_one_seat(goal: str) -> None:
    """Under the other goals a clear ends its own seat only."""
    course = Course(goal=goal).begin("ann", "bob")
    course.win("ann")
    assert ends(course) == [SeatEnd.WON, None]
    assert not course.race.ended


def test_time_limit() -> None:
    """The time limit ends the race for all who still play, from the very millisecond on."""
    course = Course(time_limit_s=60).begin("ann", "bob")
    course.done("bob")
    deadline = course.race.deadline
    assert deadline is not None
    assert deadline == course.race.due()
    course.now = deadline - 1
    assert Repeated() == course.tick()
    course.now = deadline
    assert Happens("*", (Finished(FinishReason.TIME, WON_CODE, SALT),), from_ms=deadline) == course.tick()
    assert ends(course) == [SeatEnd.TIME, SeatEnd.DONE]
    assert course.race.closed


def test_all_gone() -> None:
    """Two minutes after the last of those who still play went, the race is over; who ended before keeps that."""
    course = Course(seats=3).begin("ann", "bob", "eve")
    course.done("eve")
    course.leave_play("ann")
    assert course.race.gone_at is None
    course.now += 5_000
    course.leave_play("bob")
    gone_at = course.now + 120_000
    assert (gone_at, gone_at) == (course.race.gone_at, course.race.due())
    course.now = gone_at - 1
    assert Repeated() == course.tick()
    course.now = gone_at
    assert Happens("*", (Finished(FinishReason.GONE, WON_CODE, SALT),), from_ms=gone_at) == course.tick()
    assert ends(course) == [SeatEnd.GONE, SeatEnd.GONE, SeatEnd.DONE]


def test_back_in_between() -> None:
    """Whoever comes back in between puts the end off."""
    course = Course().begin("ann", "bob")
    course.leave_play("ann")
    course.leave_play("bob")
    course.now += 119_999
    course.come_back("ann")
    assert course.race.gone_at is None
    course.now += 1
    assert Repeated() == course.tick()
    course.leave_play("ann")
    assert course.now + 120_000 == course.race.gone_at


def test_gone_before_the_start() -> None:
    """Who was gone before the start is waited for from the start on."""
    course = Course()
    course.join("ann", "bob")
    course.leave_play("ann")
    course.leave_play("bob")
    course.now += 500_000
    course.ready("ann", "bob")
    assert course.race.start_at is not None
    assert course.race.start_at + 120_000 == course.race.gone_at


def test_deadline_before_absence() -> None:
    """Where the time limit comes first, it ends the race."""
    course = Course(time_limit_s=60).begin("ann", "bob")
    course.leave_play("ann")
    course.leave_play("bob")
    assert course.race.deadline == course.race.due()
    course.now = course.race.due()
    assert (Finished(FinishReason.TIME, WON_CODE, SALT),) == course.tick().events


@pytest.mark.parametrize("undo", ["unrevealed", "none"])
def test_stuck_for_good(undo: str) -> None:
    """Seats that are stuck with nothing to take back have ended, and so the race."""
    course = Course(code=LAST_DRAW_STICKS, undo=undo).begin("ann", "bob")
    course.stick("ann")
    course.stick("bob")
    assert FinishReason.ALL is course.race.over
    assert ends(course) == [SeatEnd.DONE, SeatEnd.DONE]


def test_sealed_opens() -> None:
    """The end of a sealed race opens the deal that it was bound to."""
    course = Course(game="GO1-S", sealed=True).begin("ann", "bob")
    course.done("ann")
    course.done("bob")
    assert (Finished(FinishReason.ALL, f"GO1-S-{SEALED}", SALT),) == course.tick().events


def test_recovery() -> None:
    """What the log has lost is noted once, at any time; said again by one who knew no more, it is a repeat."""
    course = Course(seats=1).begin("ann")
    h = course.race.h
    assert course.ask(ask.Recover(99, h, 0)) == Happens("*", (Recovered(99, h),))
    assert course.race.recoveries == 1
    assert course.ask(ask.Recover(98, h, 0)) == Repeated()
    course.done("ann")
    course.tick()
    assert course.ask(ask.Recover(97, h, 1)) == Happens("*", (Recovered(97, h),))
    assert course.race.closed


def test_recovery_voids_rated_races() -> None:
    """A rated race that lost history does not count, and its deal is opened."""
    course = Course(game="GO1-E", sealed=True, seats=1).begin("ann")
    assert course.race.card is not None
    course.race = replace(course.race, card=replace(course.race.card, rated=True))
    h = course.race.h
    decision = course.ask(ask.Recover(99, h, 0))
    assert decision.events == (
        Recovered(99, h),
        Voided(VoidReason.RECOVERED, f"GO1-E-{SEALED}", SALT),
    )


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(Finished(FinishReason.ALL, WON_CODE, SALT), id="seats still in play"),
        pytest.param(Finished(FinishReason.TIME, "GO1-E-AAAAAAC", SALT), id="another deal"),
        pytest.param(Started(3000, None), id="started again"),
        pytest.param(Played(1, 2, "d"), id="a number too far"),
        pytest.param(Played(1, 1, "1"), id="a move that does not fit"),
        pytest.param(Played(3, 1, "d"), id="no such seat"),
    ],
)
def test_impossible(event: object) -> None:
    """An entry that these rules cannot have written is named as such."""
    course = Course().begin("ann", "bob")
    with pytest.raises(ImpossibleEvent, match=r"^expected .*, found "):
        course.append(event)


def test_nothing_after_closing() -> None:
    """A closed race is not ended again, neither way."""
    course = Course(seats=1).begin("ann")
    course.done("ann")
    course.tick()
    for event in (Finished(FinishReason.ALL, WON_CODE, SALT), Voided(VoidReason.EXPIRED, WON_CODE, SALT)):
        with pytest.raises(ImpossibleEvent):
            course.append(event)
