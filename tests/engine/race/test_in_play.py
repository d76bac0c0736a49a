"""What is answered to each command while a race runs, and after its end."""

from collections.abc import Callable

import pytest

from engine.race import commands as ask
from engine.race.decide import Decision, Happens, Refused, Repeated
from engine.race.events import Absent, Back, Played, Resigned, SeatDone, Undone
from engine.race.model import SeatEnd, SeatStatus
from engine.refusals import ErrorCode, Reason
from tests.engine.race.course import LAST_DRAW_STICKS, WINNING, Course

OVER = Refused(ErrorCode.OVER)


def over(lane: int) -> Refused:
    return Refused(ErrorCode.OVER, lane=lane)


def stale(lane: int) -> Refused:
    return Refused(ErrorCode.STALE_LANE, lane=lane)


def illegal(reason: Reason, lane: int) -> Refused:
    return Refused(ErrorCode.ILLEGAL, reason, lane)


def test_play_in_own_lane() -> None:
    """A move goes to the seat's own lane, and may be written from the start until the deadline."""
    course = Course(time_limit_s=60).begin("ann", "bob")
    start_at = course.race.start_at
    assert start_at is not None
    expected = Happens("2", (Played(2, 1, "d"),), start_at, start_at + 60_000, leaves_in_play=True)
    assert expected == course.play("bob", "d")
    assert [course.seat(player).lane for player in ("ann", "bob")] == [0, 1]


def test_undo_is_an_operation() -> None:
    """An undo has a number of its own, and is a fact of its own."""
    course = Course().begin("ann", "bob")
    course.play("ann", "d", "5")
    assert (Undone(1, 3),) == course.undo("ann").events
    assert course.seat("ann").words == ("d", "5", "u")
    assert course.seat("ann").solo.moves == 2


def happens(course: Course) -> Course:
    """Ann has drawn, removed from column 5 and undone that."""
    course.begin("ann", "bob")
    course.play("ann", "d", "5", "u")
    return course


@pytest.mark.parametrize(
    ("act", "answer"),
    [
        pytest.param(lambda course: course.play("ann", "d", n=1), Repeated(3), id="first again"),
        pytest.param(lambda course: course.play("ann", "5", n=2), Repeated(3), id="second again"),
        pytest.param(lambda course: course.play("ann", "u", n=3), Repeated(3), id="undo again"),
        pytest.param(lambda course: course.play("ann", "d", n=2), stale(3), id="another word"),
        pytest.param(lambda course: course.play("ann", "c5r5", n=2), stale(3), id="another spelling"),
        pytest.param(
            lambda course: course.play("ann", "zz", n=3),
            stale(3),
            id="no word, old number",
        ),
        pytest.param(lambda course: course.play("ann", "d", n=5), stale(3), id="a gap"),
        pytest.param(lambda course: course.play("ann", "d", n=0), stale(3), id="nought"),
        pytest.param(lambda course: course.play("ann", "d", n=-1), stale(3), id="negative"),
        pytest.param(
            lambda course: course.play("ann", "1"),
            illegal(Reason.NOT_ADJACENT, 3),
            id="not adjacent",
        ),
        pytest.param(lambda course: course.play("ann", "c1r1"), illegal(Reason.BLOCKED, 3), id="blocked"),
        pytest.param(lambda course: course.play("ann", "8"), illegal(Reason.BAD_MOVE, 3), id="no column"),
        pytest.param(lambda course: course.play("bob", "u"), illegal(Reason.NOTHING_TO_UNDO, 0), id="no undo"),
        pytest.param(lambda course: course.play("bob", "d", n=2), stale(0), id="gap at 0"),
        pytest.param(lambda course: course.join("dan"), OVER, id="join"),
        pytest.param(lambda course: course.join("ann"), Repeated(), id="join again"),
        pytest.param(lambda course: course.ready("ann"), Repeated(), id="ready again"),
        pytest.param(lambda course: course.tick(), Repeated(), id="nothing due"),
    ],
)
def test_answers(act: Callable[[Course], Decision], answer: Decision) -> None:
    """The same number with the same word is a repeat; another word, or a gap, is answered with the right lane."""
    course = happens(Course())
    before = course.race
    assert answer == act(course)
    assert before is course.race


def test_time_window() -> None:
    """Moves count from the start, of which the board itself says nothing, until just before the deadline."""
    course = Course(time_limit_s=60).begin("ann", "bob")
    start_at, deadline = course.race.start_at, course.race.deadline
    assert start_at is not None
    assert deadline is not None
    course.now = start_at - 1
    assert Refused(ErrorCode.NOT_STARTED) == course.play("ann", "1")
    assert Refused(ErrorCode.NOT_STARTED) == course.play("ann", "d")
    course.now = deadline - 1
    assert isinstance(course.play("ann", "d"), Happens)
    course.now = deadline
    assert course.play("ann", "d") == OVER
    assert course.done("ann") == OVER


@pytest.mark.parametrize(
    ("settle", "event", "end"),
    [
        pytest.param(Course.done, SeatDone(1), SeatEnd.DONE, id="done"),
        pytest.param(Course.resign, Resigned(1), SeatEnd.RESIGNED, id="resign"),
    ],
)
def test_settling(settle: Callable[[Course, str], Decision], event: object, end: SeatEnd) -> None:
    """A seat settles once and for all: the same again is a repeat, all else is over; the others play on."""
    course = happens(Course())
    assert (event,) == settle(course, "ann").events
    assert end is course.seat("ann").end
    assert course.now == course.seat("ann").ended_at
    assert Repeated(3) == settle(course, "ann")
    other = Course.resign if settle is Course.done else Course.done
    assert over(3) == other(course, "ann")
    assert over(3) == course.play("ann", "d")
    assert Repeated(3) == course.play("ann", "d", n=1)
    assert isinstance(course.play("bob", "d"), Happens)
    assert not course.race.ended


def test_leaves_in_play() -> None:
    """A decision says whether the seat goes on playing: not where it has won or is stuck, nor of anything else."""
    course = Course(seats=1).begin("ann")
    assert [course.play("ann", word).leaves_in_play for word in WINNING] == [True] * (len(WINNING) - 1) + [False]
    course = Course(code=LAST_DRAW_STICKS, seats=1).begin("ann")
    assert [course.play("ann", "d").leaves_in_play for _ in range(16)] == [True] * 15 + [False]
    assert [course.undo("ann").leaves_in_play, course.done("ann").leaves_in_play] == [True, False]


def test_win_is_final() -> None:
    """A seat that has won plays no more, not even an undo, and needs no `done`."""
    course = Course().begin("ann", "bob")
    course.win("ann")
    assert SeatStatus.WON is course.seat("ann").status
    lane = len(WINNING)
    for decision in (course.undo("ann"), course.play("ann", "d"), course.done("ann"), course.resign("ann")):
        assert over(lane) == decision
    assert Repeated(lane) == course.play("ann", WINNING[-1], n=lane)


@pytest.mark.parametrize(
    ("undo", "status"),
    [
        pytest.param("free", SeatStatus.STUCK, id="free"),
        pytest.param("unrevealed", SeatStatus.DONE, id="unrevealed"),
        pytest.param("none", SeatStatus.DONE, id="none"),
    ],
)
def test_stuck(undo: str, status: SeatStatus) -> None:
    """A seat that gets stuck may still undo; where nothing can be taken back, it has ended."""
    course = Course(code=LAST_DRAW_STICKS, undo=undo).begin("ann", "bob")
    course.stick("ann")
    assert status is course.seat("ann").status
    if status is SeatStatus.STUCK:
        assert illegal(Reason.NO_MOVES, 16) == course.play("ann", "5")
        assert isinstance(course.undo("ann"), Happens)
        assert SeatStatus.PLAYING is course.seat("ann").status


def test_what_getting_stuck_costs_was_not_scored_then() -> None:
    """The time of the score is that of the last card removed or put back, whatever the penalty takes and gives back."""
    course = Course(code=LAST_DRAW_STICKS).begin("ann", "bob")
    begun, told = course.now, []
    for word in ["5", *["d"] * 16, "u", *["u"] * 16, "d"]:
        course.now += 1
        course.play("ann", word)
        seat = course.seat("ann")
        told.append((seat.status, seat.score, seat.scored_at - begun))
    assert told[16] == (SeatStatus.STUCK, 0, 1)
    assert set(told[:16] + told[17:33]) == {(SeatStatus.PLAYING, 10, 1)}
    assert told[33:] == [(SeatStatus.PLAYING, 0, 34)] * 2


@pytest.mark.parametrize(
    ("undo", "words", "undoable"),
    [
        pytest.param("free", ["d"], True, id="free: a draw is taken back"),
        pytest.param("unrevealed", ["d", "5"], True, id="unrevealed: what follows the draw"),
        pytest.param("unrevealed", ["d", "5", "u"], False, id="unrevealed: but not the draw"),
        pytest.param("unrevealed", ["d"], False, id="unrevealed: a draw is a barrier"),
        pytest.param("none", ["d", "5"], False, id="none: nothing"),
    ],
)
def test_undo_policy(undo: str, words: list[str], undoable: bool) -> None:
    """What the card lets be taken back."""
    course = Course(undo=undo).begin("ann", "bob")
    course.play("ann", *words)
    lane = course.seat("ann").lane
    decision = course.undo("ann")
    if undoable:
        assert (Undone(1, lane + 1),) == decision.events
    else:
        assert illegal(Reason.NOTHING_TO_UNDO, lane) == decision


def test_absence_and_return() -> None:
    """A connection that is gone leaves its seat empty; a new one takes the seat, and only its own end is told."""
    course = Course().begin("ann", "bob")
    first = course.seat("ann").connection
    assert Happens("*", (Absent(1, first),)) == course.leave_play("ann")
    assert not course.seat("ann").present
    assert course.now == course.seat("ann").absent_since
    assert Happens("*", (Back(1, 501),)) == course.come_back("ann", 501)
    assert Happens("*", (Back(1, 502),)) == course.come_back("ann", 502)
    assert Repeated() == course.ask(ask.MarkAbsent(1, 501))
    assert course.seat("ann").present


@pytest.mark.parametrize(
    ("found", "holds"),
    [(None, 503), (502, 503), (501, 502), (0, 502)],
    ids=["whoever holds it", "the one found", "another has come since", "nobody was found"],
)
def test_return_instead_of_the_connection_found(found: int | None, holds: int) -> None:
    """What was asked for before another connection took the seat does not take it from that one."""
    course = Course().begin("ann", "bob")
    course.come_back("ann", 502)
    course.ask(ask.MarkBack("ann", 503, found))
    assert course.seat("ann").connection == holds
    course.leave_play("ann")
    course.ask(ask.MarkBack("ann", 504, found))
    assert course.seat("ann").connection == 504


def test_absent_seat_may_play() -> None:
    """A seat that is thought absent plays all the same: moves need no presence."""
    course = Course().begin("ann", "bob")
    course.leave_play("ann")
    assert isinstance(course.play("ann", "d"), Happens)


@pytest.mark.parametrize(
    ("act", "answer"),
    [
        pytest.param(lambda course: course.play("bob", "d", n=1), Repeated(1), id="old play again"),
        pytest.param(lambda course: course.play("bob", "5", n=1), stale(1), id="another"),
        pytest.param(lambda course: course.play("bob", "5", n=2), over(1), id="new play"),
        pytest.param(lambda course: course.play("bob", "5", n=9), over(1), id="play with a gap"),
        pytest.param(lambda course: course.done("bob"), Repeated(1), id="done by the end"),
        pytest.param(lambda course: course.resign("bob"), over(1), id="resign"),
        pytest.param(lambda course: course.join("ann"), Repeated(), id="join again"),
        pytest.param(lambda course: course.join("dan"), OVER, id="join"),
        pytest.param(lambda course: course.ready("ann"), Repeated(), id="ready again"),
        pytest.param(lambda course: course.ask(ask.Cancel("host")), OVER, id="cancel"),
        pytest.param(lambda course: course.leave_play("ann"), OVER, id="absent"),
        pytest.param(lambda course: course.come_back("ann"), OVER, id="back"),
    ],
)
@pytest.mark.parametrize("closed", [False, True], ids=["over", "closed"])
def test_after_the_end(act: Callable[[Course], Decision], answer: Decision, closed: bool) -> None:
    """After the end nothing new happens, closed or not; what was done is still answered as the first time."""
    course = Course(goal="first").begin("ann", "bob")
    course.play("bob", "d")
    course.win("ann")
    if closed:
        course.tick()
    before = course.race
    assert answer == act(course)
    assert before is course.race


def test_late_entries_change_nothing() -> None:
    """A seat's entry that another node wrote just after the end is folded and changes nothing but the place."""
    course = Course(goal="first").begin("ann", "bob")
    course.win("ann")
    before = course.race
    course.append(Played(2, 1, "d"), "2")
    assert before.seats == course.race.seats
    assert before.seq + 1 == course.race.seq
    course.tick()
    assert course.race.closed
