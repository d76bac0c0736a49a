"""Who comes where under each goal."""

import pytest

from engine.race.model import SeatStatus
from engine.race.standings import standings
from tests.engine.race.course import LAST_DRAW_STICKS, WINNING, Course


def ranks(course: Course) -> list[tuple[int, str]]:
    return [(standing.rank, standing.player) for standing in standings(course.race)]


def removals(course: Course, player: str, count: int) -> None:
    """Play the published win until so many cards are removed."""
    words = iter(WINNING[course.seat(player).lane :])
    while course.seat(player).numbers.cleared < count:
        course.play(player, next(words))


def test_none_before_the_start() -> None:
    """Before the start nobody is anywhere."""
    course = Course()
    course.join("ann")
    assert standings(course.race) == ()


def test_score_as_settled() -> None:
    """Whoever stops with cards left is scored as stuck: ten points off for each, never below nought."""
    course = Course(seats=4).begin("ann", "bob", "eve", "dan")
    for player, count in (("ann", 20), ("bob", 17), ("eve", 18), ("dan", 0)):
        removals(course, player, count)
    assert [seat.score for seat in course.race.seats.values()] == [200, 170, 180, 0]
    course.done("ann")
    course.resign("bob")
    course.done("eve")
    course.now = course.race.deadline
    course.tick()
    found = {standing.player: (standing.rank, standing.score) for standing in standings(course.race)}
    assert found == {"ann": (1, 50), "eve": (2, 10), "dan": (3, 0), "bob": (3, 0)}
    assert SeatStatus.TIME is course.seat("dan").status


def test_ties_by_last_scoring_move() -> None:
    """Equal scores: who made the last move that scored earlier is ahead; draws after it cost nothing."""
    course = Course().begin("ann", "bob")
    removals(course, "bob", 20)
    course.now += 1
    removals(course, "ann", 20)
    course.now += 1
    course.play("bob", "d")
    course.done("ann")
    course.done("bob")
    assert ranks(course) == [(1, "bob"), (2, "ann")]


def test_undo_counts_as_scoring() -> None:
    """A removal that is taken back was a move that changed the score, and so was its undo."""
    course = Course().begin("ann", "bob")
    removals(course, "ann", 20)
    removals(course, "bob", 21)
    course.now += 7
    course.undo("bob")
    assert course.now == course.seat("bob").scored_at
    assert ranks(course) == [(1, "ann"), (2, "bob")]


def test_equal_shares_its_rank() -> None:
    """What is equal in all that counts shares a rank, and the next rank is left out."""
    course = Course(seats=3).begin("ann", "bob", "eve")
    assert ranks(course) == [(1, "ann"), (1, "bob"), (1, "eve")]
    course.now += 1
    removals(course, "bob", 18)
    course.done("bob")
    course.done("ann")
    course.done("eve")
    assert ranks(course) == [(1, "bob"), (2, "ann"), (2, "eve")]


def test_first() -> None:
    """The clear comes first whatever the scores, the others as they would by score."""
    course = Course(goal="first", seats=3).begin("ann", "bob", "eve")
    removals(course, "ann", 3)
    removals(course, "eve", 30)
    course.win("bob")
    assert ranks(course) == [(1, "bob"), (2, "eve"), (3, "ann")]


def test_moves() -> None:
    """Of those that cleared the fewest moves, undone ones included; equal numbers share; the others by score."""
    course = Course(goal="moves", seats=4).begin("ann", "bob", "eve", "dan")
    course.play("ann", "d", "u")
    course.win("ann")
    course.now += 5
    course.win("bob")
    course.now += 5
    course.win("eve")
    removals(course, "dan", 34)
    course.resign("dan")
    assert [course.seat(player).numbers.moves for player in ("ann", "bob", "eve")] == [48, 47, 47]
    assert ranks(course) == [(1, "bob"), (1, "eve"), (3, "ann"), (4, "dan")]


def test_strokes() -> None:
    """Fewer cards left is better, and nothing else counts: equal numbers share the rank (1, 1, 3)."""
    course = Course(goal="strokes", seats=3).begin("ann", "bob", "eve")
    removals(course, "eve", 5)
    course.now += 9
    removals(course, "bob", 6)
    removals(course, "ann", 6)
    course.done("bob")
    assert ranks(course) == [(1, "ann"), (1, "bob"), (3, "eve")]
    assert [standing.strokes for standing in standings(course.race)] == [29, 29, 30]


@pytest.mark.parametrize("undo", ["free", "none"])
def test_stuck_or_done_is_the_same(undo: str) -> None:
    """To stop one draw before getting stuck earns nothing: the scores are equal."""
    course = Course(code=LAST_DRAW_STICKS, undo=undo).begin("ann", "bob")
    course.play("ann", "5")
    course.play("bob", "5")
    course.play("ann", *["d"] * 15)
    course.play("bob", *["d"] * 16)
    course.done("ann")
    course.done("bob")
    assert course.seat("ann").score == course.seat("bob").score
    assert [rank for rank, _ in ranks(course)] == [1, 1]


def test_time() -> None:
    """The time of a seat is from the start to its own end, of one in play until the race's last entry."""
    course = Course().begin("ann", "bob")
    course.now += 2_500
    course.done("ann")
    course.now += 1_000
    course.play("bob", "d")
    assert {one.player: one.time_ms for one in standings(course.race)} == {"ann": 2_500, "bob": 3_500}
