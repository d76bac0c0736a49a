"""What is answered to each command before a race starts."""

from collections.abc import Callable

import pytest

from engine.race import commands as ask
from engine.race.decide import Decision, Happens, Refused, Repeated
from engine.race.events import Joined, Readied, Started, Unreadied, Voided, VoidReason
from engine.race.model import RaceStatus, SeatStatus
from engine.refusals import Barred, ErrorCode
from tests.engine.race.course import CREATOR, NUMBER, SEALED, SECRETS, WON_CODE, Course

BOT = {"bot": "solver"}


def test_first_free_seat() -> None:
    """Seats are taken from 1; one that was left is the next to be taken."""
    course = Course(seats=3)
    course.join("ann", "bob", "eve")
    course.ask(ask.Leave("bob"))
    course.join("dan")
    assert {number: seat.player for number, seat in course.race.seats.items()} == {1: "ann", 2: "dan", 3: "eve"}


@pytest.mark.parametrize(
    ("act", "why"),
    [
        pytest.param(lambda course: course.join("dan"), ErrorCode.FULL, id="no seat left"),
        pytest.param(lambda course: course.ready("dan"), ErrorCode.NOT_SEATED, id="ready without a seat"),
        pytest.param(lambda course: course.ask(ask.Unready("dan")), ErrorCode.NOT_SEATED, id="unready without a seat"),
        pytest.param(lambda course: course.ask(ask.Leave("dan")), ErrorCode.NOT_SEATED, id="leave without a seat"),
        pytest.param(lambda course: course.come_back("dan"), ErrorCode.NOT_SEATED, id="back without a seat"),
        pytest.param(lambda course: course.ask(ask.Play("dan", 1, "d", 0)), ErrorCode.NOT_SEATED, id="play unseated"),
        pytest.param(lambda course: course.done("dan"), ErrorCode.NOT_SEATED, id="done unseated"),
        pytest.param(lambda course: course.resign("dan"), ErrorCode.NOT_SEATED, id="resign unseated"),
        pytest.param(lambda course: course.play("ann", "d"), ErrorCode.NOT_STARTED, id="play too soon"),
        pytest.param(lambda course: course.play("ann", "zz"), ErrorCode.NOT_STARTED, id="no word, too soon"),
        pytest.param(lambda course: course.done("ann"), ErrorCode.NOT_STARTED, id="done too soon"),
        pytest.param(lambda course: course.resign("ann"), ErrorCode.NOT_STARTED, id="resign too soon"),
        pytest.param(lambda course: course.ask(ask.Cancel("ann")), Barred.NOT_YOURS, id="cancel by another"),
        pytest.param(lambda course: course.ask(ask.Start("ann", NUMBER)), Barred.NOT_YOURS, id="start by another"),
        pytest.param(
            lambda course: course.ask(ask.Start(CREATOR, NUMBER)),
            Barred.STARTS_BY_ITSELF,
            id="start where all ready do",
        ),
    ],
)
def test_refused(act: Callable[[Course], Decision], why: ErrorCode | Barred) -> None:
    """Each command that cannot be is refused with its code, with the reason if forbidden, and nothing changes."""
    course = Course()
    course.join("ann", "bob")
    before = course.race
    assert (Refused(ErrorCode.FORBIDDEN, why) if isinstance(why, Barred) else Refused(why)) == act(course)
    assert before is course.race


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda course: course.join("ann"), id="join"),
        pytest.param(lambda course: course.ready("ann"), id="ready"),
        pytest.param(lambda course: course.ask(ask.Unready("bob")), id="unready"),
        pytest.param(lambda course: course.come_back("ann", ord("a")), id="back over the same connection"),
        pytest.param(lambda course: course.ask(ask.MarkAbsent(1, 99)), id="absence of an older connection"),
        pytest.param(lambda course: course.ask(ask.MarkAbsent(9, 1)), id="absence of no seat"),
        pytest.param(lambda course: course.tick(), id="nothing due"),
    ],
)
def test_repeated(act: Callable[[Course], Decision]) -> None:
    """What was done before is not done again, and is no fault."""
    course = Course()
    course.join("ann", "bob")
    course.ready("ann")
    before = course.race
    assert Repeated() == act(course)
    assert before is course.race


def test_no_connection_is_absent_once() -> None:
    """A seat that nobody holds is not absent a second time, whatever number is named."""
    course = Course()
    course.join("ann")
    course.leave_play("ann")
    assert Repeated() == course.ask(ask.MarkAbsent(1, 0))


def test_unknown_race() -> None:
    """A race that was not created knows no command."""
    course = Course()
    course.race = type(course.race)(course.race.id)
    assert Refused(ErrorCode.UNKNOWN_RACE) == course.join("ann")


def test_created_once() -> None:
    """Creating a race again changes nothing: its first card stays."""
    course = Course(seats=3)
    card = Course(seats=9).race.card
    assert card is not None
    assert Repeated() == course.ask(ask.Create(card, "other", "11" * 16, "kid", None))
    assert course.race.card is not None
    assert course.race.card.seats == 3


def test_ready_and_not() -> None:
    """A seat says that it is ready, and takes it back."""
    course = Course()
    course.join("ann")
    assert Happens("*", (Readied(1),)) == course.ready("ann")
    assert SeatStatus.READY is course.seat("ann").status
    assert Happens("*", (Unreadied(1),)) == course.ask(ask.Unready("ann"))
    assert SeatStatus.SEATED is course.seat("ann").status


def test_last_ready_starts() -> None:
    """The last ready of a race whose seats are all taken starts it, in the same append."""
    course = Course()
    course.join("ann")
    course.ready("ann")
    assert RaceStatus.OPEN is course.race.status(course.now)
    course.join("bob")
    assert Happens("*", (Readied(2), Started(3000, None))) == course.ready("bob")
    assert course.now + 3000 == course.race.start_at
    assert RaceStatus.STARTING is course.race.status(course.now + 2999)
    assert RaceStatus.LIVE is course.race.status(course.now + 3000)


def test_leaving_takes_ready_along() -> None:
    """Who leaves is ready no longer: whoever takes the seat has to say so anew."""
    course = Course()
    course.join("ann", "bob")
    course.ready("ann")
    course.ask(ask.Leave("ann"))
    course.ready("bob")
    course.join("eve")
    assert not course.race.started
    course.ready("eve")
    assert course.race.started


def test_host_starts() -> None:
    """Under the host's rule ready starts nothing; the creator does, with whoever is seated, once."""
    course = Course(seats=3, start="host")
    assert Refused(ErrorCode.NOT_STARTED, Barred.NOBODY_SEATED) == course.ask(ask.Start(CREATOR, NUMBER))
    course.join("ann", "bob", "eve")
    course.ready("ann", "bob", "eve")
    assert not course.race.started
    course.ask(ask.Leave("bob"))
    assert Refused(ErrorCode.FORBIDDEN, Barred.NOT_YOURS) == course.ask(ask.Start("ann", NUMBER))
    assert Happens("*", (Started(3000, None),)) == course.ask(ask.Start(CREATOR, NUMBER))
    assert sorted(course.race.seats) == [1, 3]
    assert Repeated() == course.ask(ask.Start(CREATOR, NUMBER))


@pytest.mark.parametrize(
    ("card", "code"),
    [
        pytest.param({"code": WON_CODE}, WON_CODE, id="named"),
        pytest.param({"game": "GO1-C"}, f"GO1-C-{NUMBER}", id="drawn"),
        pytest.param({"game": "GO1-C", "sealed": True}, f"GO1-C-{SEALED}", id="sealed"),
    ],
)
def test_deal(card: dict[str, object], code: str) -> None:
    """The deal is the card's, else the sealed one, else the number drawn; only a drawn one is in the log."""
    course = Course(**card).begin("ann", "bob")
    assert code == str(course.race.code)
    started = next(event for _, event, _ in course.told if isinstance(event, Started))
    assert (NUMBER if "sealed" not in card and "game" in card else None) == started.number


def test_seats_kept_for_bots() -> None:
    """A person does not get a seat that a bot of the card waits for; a bot gets any that is free."""
    course = Course(seats=3, bots=[BOT, BOT])
    course.join("ann")
    assert Refused(ErrorCode.FULL) == course.join("bob")
    course.join("hal", "kit", kind="bot")
    assert [seat.player for seat in course.race.seats.values()] == ["ann", "hal", "kit"]
    assert Refused(ErrorCode.FULL) == course.join("lem", kind="bot")


@pytest.mark.parametrize("act", ["join", "leave", "unready", "ready", "cancel"])
def test_too_late(act: str) -> None:
    """After the last ready nobody joins, leaves, takes ready back or calls it off; ready again is a repeat."""
    course = Course()
    course.join("ann", "bob")
    course.ready("ann", "bob")
    command = {
        "join": ask.Join("dan", "Dan", "person", 1),
        "leave": ask.Leave("ann"),
        "unready": ask.Unready("ann"),
        "ready": ask.Ready("ann", NUMBER),
        "cancel": ask.Cancel(CREATOR),
    }[act]
    expected = Repeated() if act == "ready" else Refused(ErrorCode.OVER)
    assert expected == course.ask(command)


def test_cancel() -> None:
    """The creator calls a race off before it starts; said again it is a repeat, and nothing else can happen."""
    course = Course()
    course.join("ann")
    course.ask(ask.Cancel(CREATOR))
    assert VoidReason.CANCELLED is course.race.voided
    assert course.race.closed
    assert Repeated() == course.ask(ask.Cancel(CREATOR))
    for refused in (course.join("bob"), course.ready("ann"), course.ask(ask.Leave("ann")), course.play("ann", "d")):
        assert isinstance(refused, Refused)
        assert ErrorCode.OVER is refused.code
    assert Repeated() == course.join("ann")


def test_void_opens_the_seal() -> None:
    """What a sealed race was bound to is opened when it is called off, so that the commitment can be checked."""
    course = Course(game="GO1-E", sealed=True)
    course.ask(ask.Cancel(CREATOR))
    _, event, _ = course.told[-1]
    assert Voided(VoidReason.CANCELLED, f"GO1-E-{SEALED}", SECRETS.opening_of_all.salt) == event


def test_expiry() -> None:
    """A race that has not started within an hour is given up: not a moment before."""
    course = Course()
    course.join("ann")
    due = course.race.due()
    assert course.race.created_at + 3_600_000 == due
    course.now = due - 1
    assert Repeated() == course.tick()
    course.now = due
    assert due == course.tick().from_ms
    assert VoidReason.EXPIRED is course.race.voided
    assert course.race.due() is None


def test_seats_join_in_the_log() -> None:
    """What is written when a seat is taken: who, what kind, and over which connection."""
    course = Course()
    course.ask(ask.Join("hal", "Hal", "bot", 7, engine="hal 9"))
    _, event, _ = course.told[-1]
    assert Joined(1, "hal", "Hal", "bot", 7, "hal 9") == event
