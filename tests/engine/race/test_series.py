"""Races that follow one another: rematches, series, the seats that are kept for them and when these are freed."""

from __future__ import annotations

from typing import Any

import pytest

from engine.race import commands as ask
from engine.race.decide import Decision, Happens, Refused, Repeated
from engine.race.events import Chain, DeclineReason, Joined, Kept, Left, Ran, Started, Voided, VoidReason
from engine.race.model import RaceStatus
from engine.race.series import ran, series_of, successor
from engine.race.views import PUBLIC, Role, Viewer, ev_for, snap_for
from engine.refusals import Barred, ErrorCode
from tests.engine.race.course import CREATOR, LAST_DRAW_STICKS, NUMBER, SEALED, WINNING, WON_CODE, Course

BEFORE = "q" * 26
KEPT = tuple(Kept(seat, name, name.title(), "person") for seat, name in enumerate(("ann", "bob"), 1))
NO_SHOW_MS = 60_000


def rematch(**card: Any) -> Course:
    """A race whose two seats are kept for those of the race before."""
    return Course(terms={"kept": KEPT, "chain": Chain(BEFORE), "no_show_ms": NO_SHOW_MS}, **card)


def quick(**card: Any) -> Course:
    """A race that the server has paired."""
    return Course(terms={"kept": KEPT, "creator": "", "no_show_ms": NO_SHOW_MS}, **card)


def challenge(**card: Any) -> Course:
    """A race to which Ann has challenged Bob."""
    return Course(terms={"kept": KEPT, "creator": "ann", "no_show_ms": NO_SHOW_MS}, **card)


def finished(goal: str, **card: Any) -> Course:
    """A race that Ann wins with all cards cleared, and Bob settles as he sat down."""
    course = Course(goal=goal, **card).begin("ann", "bob")
    course.win("ann")
    course.done("bob")
    course.tick()
    assert course.race.closed
    return course


def test_seats_are_kept() -> None:
    """A player finds the seat of the race before, whoever comes first; others find the race full."""
    course = rematch()
    assert Refused(ErrorCode.FULL) == course.join("eve")
    course.join("bob")
    assert course.seat("bob").seat == 2
    course.join("ann")
    assert course.seat("ann").seat == 1
    assert not course.race.kept


def test_more_seats_than_kept() -> None:
    """Seats that are kept for nobody are anybody's."""
    course = rematch(seats=3)
    course.join("eve")
    assert course.seat("eve").seat == 3
    assert Refused(ErrorCode.FULL) == course.join("dan")


def test_kept_seats_are_shown() -> None:
    """Who is waited for can be seen by everybody until the start."""
    course = rematch()
    course.join("ann")
    snap = snap_for(course.race, PUBLIC, course.now, "watch")
    assert snap.kept == ({"seat": 2, "player": "bob", "name": "Bob", "kind": "person"},)
    assert snap.previous == BEFORE


def test_decline() -> None:
    """Who declines gives the kept seat to anybody; what was declined may be taken like any free seat."""
    course = rematch()
    assert Happens("*", (Left(2),)) == course.ask(ask.Leave("bob"))
    assert Refused(ErrorCode.NOT_SEATED) == course.ask(ask.Leave("bob"))
    course.join("ann", "eve")
    assert course.seat("eve").seat == 2


def test_kept_seats_are_freed_in_time() -> None:
    """A seat that is not taken in time is kept no longer."""
    course = rematch()
    course.join("ann")
    assert course.race.due() == course.now + NO_SHOW_MS
    course.now += NO_SHOW_MS - 1
    assert Repeated() == course.tick()
    course.now += 1
    assert Happens("*", (Left(2),), from_ms=course.now) == course.tick()
    course.join("eve")
    assert course.seat("eve").seat == 2


def test_not_ready_in_time() -> None:
    """Once all seats are taken and one is ready, a seat that is not is freed after its time, and counted from then."""
    course = Course(seats=3, terms={"no_show_ms": NO_SHOW_MS}, bots=[{"bot": "solver"}])
    course.join("ann", "bob")
    course.ready("ann")
    course.now += 10 * NO_SHOW_MS
    assert Repeated() == course.tick()
    course.join("hal", kind="bot")
    joined = course.now
    assert course.race.due() == joined + NO_SHOW_MS
    course.ready("bob")
    assert course.race.due() == joined + NO_SHOW_MS
    course.now += NO_SHOW_MS
    assert Happens("*", (Left(3),), from_ms=course.now) == course.tick()
    # A bot that never gets ready has had its chance: the seat waits for no bot any more.
    course.join("eve")
    assert course.seat("eve").seat == 3
    course.ready("eve")
    assert course.race.started


def test_nobody_ready() -> None:
    """Where nobody is ready nobody waits, and nobody is sent away."""
    course = Course(terms={"no_show_ms": NO_SHOW_MS})
    course.join("ann", "bob")
    course.now += 10 * NO_SHOW_MS
    assert Repeated() == course.tick()
    course.ready("ann")
    assert course.race.due() == course.now + NO_SHOW_MS


@pytest.mark.parametrize("joined", [(), ("ann",), ("ann", "bob")], ids=["nobody", "one", "both, not ready"])
def test_paired_race_is_given_up(joined: tuple[str, ...]) -> None:
    """A race that the server has paired is given up when it does not start in time."""
    course = quick()
    for player in joined:
        course.join(player)
    for player in joined[:1]:
        course.ready(player)
    course.now += NO_SHOW_MS
    course.tick()
    assert course.race.voided is VoidReason.EXPIRED


def test_paired_race_is_declined() -> None:
    """Leaving a paired race calls it off, whether one has sat down or not; a stranger can do nothing."""
    for joined in (False, True):
        course = quick()
        if joined:
            course.join("bob")
        assert Refused(ErrorCode.NOT_SEATED) == course.ask(ask.Leave("eve"))
        assert Refused(ErrorCode.FULL) == course.join("eve")
        assert Refused(ErrorCode.FORBIDDEN, Barred.NOT_YOURS) == course.ask(ask.Cancel("eve"))
        decision = course.ask(ask.Leave("bob"))
        assert isinstance(decision, Happens)
        assert isinstance(decision.events[0], Voided)
        assert Refused(ErrorCode.OVER) == course.join("ann")


def test_challenge_is_for_two() -> None:
    """A challenge waits for its two alone, for as long as it keeps their seats, and then is raced like any other."""
    course = challenge()
    assert snap_for(course.race, PUBLIC, course.now, "watch").private
    assert Refused(ErrorCode.FULL) == course.join("eve")
    assert Refused(ErrorCode.NOT_SEATED) == course.ask(ask.Leave("eve", DeclineReason.LATER))
    course.join("bob", "ann")
    assert (course.seat("ann").seat, course.seat("bob").seat) == (1, 2)
    course.ready("ann", "bob")
    assert course.race.started
    assert not snap_for(course.race, PUBLIC, course.now, "watch").private


@pytest.mark.parametrize("reason", [None, *DeclineReason])
@pytest.mark.parametrize("joined", [(), ("ann",), ("ann", "bob")], ids=["nobody", "one", "both"])
def test_challenge_is_declined(joined: tuple[str, ...], reason: DeclineReason | None) -> None:
    """Whoever does not want calls it off, before or after sitting down, and all are told why."""
    course = challenge()
    for player in joined:
        course.join(player)
    before = course.race
    decision = course.ask(ask.Leave("bob", reason))
    assert isinstance(decision, Happens)
    left, voided = decision.events
    assert left == Left(2, reason)
    assert isinstance(voided, Voided)
    assert course.race.voided is VoidReason.CANCELLED
    assert Refused(ErrorCode.OVER) == course.join("ann" if not joined else "eve")
    ev = ev_for(before, left, course.race, PUBLIC)
    assert ev is not None
    assert ev.d == ({} if reason is None else {"reason": reason.value})
    # Who comes later is told as well.
    by = {"seat": 2, "player": "bob", "name": "Bob", "kind": "person"}
    why = {} if reason is None else {"why": reason.value}
    snap = snap_for(course.race, PUBLIC, course.now, "watch")
    assert snap.voided == {"reason": "cancelled", "by": by, **why}


def test_challenge_is_not_raced_alone() -> None:
    """Its creator starts it, where the card says so, but not before the other has come."""
    course = challenge(start="host")
    course.join("ann")
    assert Refused(ErrorCode.NOT_STARTED, Barred.AWAITED) == course.ask(ask.Start("ann", NUMBER))
    course.join("bob")
    assert isinstance(course.ask(ask.Start("ann", NUMBER)), Happens)


def test_kept_seat_is_not_declined_too_late() -> None:
    """Who has not come before the creator starts a rematch has nothing to give back."""
    course = rematch(start="host")
    course.join("ann")
    assert isinstance(course.ask(ask.Start(CREATOR, NUMBER)), Happens)
    assert Refused(ErrorCode.OVER) == course.ask(ask.Leave("bob", DeclineReason.LATER))


@pytest.mark.parametrize("joined", [(), ("ann",), ("ann", "bob")], ids=["nobody", "one", "both, one not ready"])
def test_challenge_is_given_up(joined: tuple[str, ...]) -> None:
    """A challenge that is not answered in time is over, and no stranger gets a seat of it."""
    course = challenge()
    for player in joined:
        course.join(player)
    for player in joined[:1]:
        course.ready(player)
    course.now += NO_SHOW_MS - 1
    assert Repeated() == course.tick()
    course.now += 1
    decision = course.tick()
    assert isinstance(decision, Happens)
    assert [type(event) for event in decision.events] == [Voided]
    assert course.race.voided is VoidReason.EXPIRED
    assert snap_for(course.race, PUBLIC, course.now, "watch").voided == {"reason": "expired"}


def test_decline_of_a_rematch_says_why() -> None:
    """A seat kept in a rematch may be declined with a reason, too; it is anybody's then."""
    course = rematch()
    assert Happens("*", (Left(2, DeclineReason.LATER),)) == course.ask(ask.Leave("bob", DeclineReason.LATER))
    assert course.race.voided is None


def test_rematch_is_on_a_new_deal() -> None:
    """A rematch has the terms of the race, another deal, no rating, and keeps the seats."""
    course = finished("score", code=WON_CODE, undo="none", name="Again")
    after = successor(course.race)
    assert course.race.card is not None
    assert (after.card.code, after.card.game, after.card.undo, after.card.name) == (None, "GO1-E", "none", "Again")
    assert after.kept == (Kept(1, "ann", "Ann", "person"), Kept(2, "bob", "Bob", "person"))
    assert after.chain == Chain(course.race.id)
    assert after.creator == CREATOR


def test_rematch_of_a_literal_deal() -> None:
    """A deal that was typed in is not the next race's."""
    literal = "GO0-C-" + "A" * 46
    course = Course(code=literal).begin("ann", "bob")
    course.resign("ann")
    course.resign("bob")
    course.tick()
    assert successor(course.race).card.game == "GO1-C"


def test_bots_come_anew_to_a_rematch() -> None:
    """Bots of the card are asked for again and are not waited for by name; other bots keep their seats."""
    for bots, kept in (([{"bot": "solver"}], {"ann"}), ([], {"ann", "hal"})):
        course = Course(bots=bots)
        course.join("ann")
        course.join("hal", kind="bot")
        course.ready("ann", "hal")
        course.now += 3_000
        course.resign("ann")
        course.resign("hal")
        course.tick()
        assert {one.player for one in successor(course.race).kept} == kept


def next_leg(course: Course) -> Course:
    """The race of a series that begins when another has ended."""
    after = successor(course.race)
    card = {"game": after.card.game, "goal": after.card.goal, "series": after.card.series, "seats": after.card.seats}
    terms = {"kept": after.kept, "chain": after.chain, "number": NUMBER, "delay_ms": 10_000}
    return Course(terms=terms, **card)


def test_series_goes_on_by_itself() -> None:
    """The next race begins with all players seated, absent until they come, and needs no ready."""
    course = finished("score", series=2)
    assert course.race.goes_on
    following = next_leg(course)
    assert [type(event) for _, event, _ in following.told[1:]] == [Joined, Joined, Started]
    assert following.race.status(following.now) is RaceStatus.STARTING
    assert str(following.race.code) == f"GO1-E-{NUMBER}"
    assert not following.seat("bob").present
    assert Repeated() == following.join("bob")
    following.come_back("bob", 7)
    assert following.seat("bob").present
    following.now += 10_000
    following.play("bob", "d")
    following.resign("ann")
    following.resign("bob")
    following.tick()
    assert following.race.closed
    assert not following.race.goes_on
    assert successor(following.race).chain == Chain(following.race.id)


def test_series_of_a_sealed_deal() -> None:
    """A later race of a sealed series has its own sealed deal."""
    terms = {"kept": KEPT, "chain": Chain(BEFORE, 2), "number": NUMBER}
    course = Course(game="GO1-C", sealed=True, series=3, terms=terms)
    assert str(course.race.code) == f"GO1-C-{SEALED}"
    started = next(event for _, event, _ in course.told if isinstance(event, Started))
    assert started.number is None


def test_absent_seats_cost_their_strokes() -> None:
    """Whoever does not come to a race of a series has all cards left in it."""
    first = finished("strokes", series=9)
    assert ran(first.race) == (Ran(1, 0, 350, len(WINNING), 1, 1), Ran(2, 35, 0))
    second = next_leg(first)
    second.now += 10_000
    second.come_back("bob")
    second.play("bob", "d")
    second.leave_play("bob")
    second.now += 200_000
    second.tick()
    assert second.race.closed
    shown = series_of(second.race)
    assert shown is not None
    assert {key: shown[key] for key in ("leg", "of", "finished", "par")} == {
        "leg": 2,
        "of": 9,
        "finished": 2,
        "par": 10,
    }
    assert [(one["rank"], one["name"], one["strokes"]) for one in shown["totals"]] == [(1, "Ann", 35), (2, "Bob", 70)]


SUMS = {
    "strokes": (Ran(1, 9, 300), Ran(2, 8, 10), Ran(3, 9, 310)),
    "score": (Ran(1, 0, 300), Ran(2, 0, 310), Ran(3, 0, 300)),
    "first": (Ran(1, 0, 300, 0, 1), Ran(2, 0, 0, 0, 2), Ran(3, 0, 300, 0, 1)),
    "moves": (Ran(1, 0, 350, 80, 0, 2), Ran(2, 0, 350, 79, 0, 2), Ran(3, 0, 350, 80, 0, 2)),
}


@pytest.mark.parametrize("goal", SUMS)
def test_totals(goal: str) -> None:
    """Totals are by the goal: fewest strokes, most points, most firsts, most cleared in fewest moves; equals share."""
    kept = tuple(Kept(seat, name, name.title(), "person") for seat, name in enumerate(("ann", "bob", "eve"), 1))
    chain = Chain(BEFORE, 2, SUMS[goal])
    course = Course(game="GO1-C", goal=goal, seats=3, series=3, terms={"kept": kept, "chain": chain, "number": NUMBER})
    shown = series_of(course.race)
    assert shown is not None
    assert [(one["rank"], one["seat"]) for one in shown["totals"]] == [(1, 2), (2, 1), (2, 3)]
    assert shown["finished"] == 1


def test_a_race_alone_is_no_series() -> None:
    """Nothing is summed up where nothing follows."""
    assert series_of(finished("score").race) is None


def test_a_race_called_off_ends_its_series() -> None:
    """A race that does not count has no next one."""
    course = Course(series=3)
    course.ask(ask.Cancel(CREATOR))
    assert not course.race.goes_on


def hinted(course: Course) -> Decision:
    return course.hint("ann")


def may_ask(course: Course) -> bool:
    """Read in a seat's snapshot whether it may ask for hints."""
    my = snap_for(course.race, Viewer(Role.SEAT, 1), course.now, "join").my
    return my is not None and my.hints


def test_hints() -> None:
    """One seat may ask for a move, and knows it: one that can be played, told once a position, counted at the end."""
    course = Course(seats=1).begin("ann")
    assert may_ask(course)
    hinted(course)
    word = course.seat("ann").hint
    assert word is not None
    assert Repeated(0) == hinted(course)
    course.play("ann", word)
    hinted(course)
    course.done("ann")
    course.tick()
    standing = snap_for(course.race, PUBLIC, course.now, "end").standings
    assert standing is not None
    assert standing[0]["hints"] == 2


def test_hints_lead_to_the_end() -> None:
    """Hints can be followed until nothing is left to do, and never run in a circle in Golf."""
    course = Course(seats=1, code=LAST_DRAW_STICKS, undo="none").begin("ann")
    for _ in range(60):
        if isinstance(hinted(course), Refused):
            break
        course.play("ann", course.seat("ann").hint or "")
    assert course.seat("ann").end is not None


@pytest.mark.parametrize("card", [{"seats": 2}, {"seats": 100}], ids=["two seats", "many seats"])
def test_no_hints_in_a_race(card: dict[str, Any]) -> None:
    """Where others race along there are no hints, even before they have come."""
    course = Course(**card, start="host").begin("ann")
    assert Refused(ErrorCode.FORBIDDEN, Barred.NO_HINTS) == hinted(course)
    assert not may_ask(course)
