"""What each viewer is shown of a race."""

import pytest

from engine.race.events import Played, SeatDone
from engine.race.model import Race
from engine.race.views import PUBLIC, Role, Viewer, card_for, ev_for, missed, progress_for, snap_for
from engine.wire.outbound import Ev, Skip
from tests.engine.race.course import NUMBER, SEALED, SECRETS, WON_CODE, Course

SEAT = Viewer(Role.SEAT, 1)
WATCH = Viewer(Role.WATCH)


def evs(course: Course, viewer: Viewer) -> list[Ev | Skip]:
    """All events as a viewer gets them, those that are hidden joined."""
    told = course.told
    frames = [(ev_for(*one, viewer), one[2].seq, one[2].h) for one in told]
    return list(missed(course.race.id, iter(frames)))


def test_own_moves() -> None:
    """Of one's own move: its number and word, what it turned up, and all that a client without rules needs."""
    course = Course().begin("ann", "bob")
    course.play("ann", "d", "5")
    drawn, removed = evs(course, SEAT)[-2:]
    assert (drawn.k, drawn.s) == ("seat.played", 1)
    legal = ["5", "d"]
    turned = [{"pile": "waste", "card": "8S"}]
    assert drawn.d == {
        "n": 1, "m": "d", "turned": turned, "score": 0, "moves": 1, "status": "playing", "legal": legal,
    }  # fmt: skip
    assert removed.d["turned"] == []
    assert removed.d["score"] == 10


def test_whole_boards() -> None:
    """Who asked for boards gets the whole board with each move on it, an undo included."""
    course = Course().begin("ann", "bob")
    course.play("ann", "d", "u")
    undone = evs(course, Viewer(Role.SEAT, 1, boards=True))[-1]
    board = undone.d["board"]
    assert (undone.k, undone.d["m"], undone.d["turned"]) == ("seat.undone", "u", [])
    assert (board["stock"], board["stock_known"][:2], board["waste"]) == (16, ["8S", "--"], ["AC"])


def test_others_moves_are_skipped() -> None:
    """Others' moves are hidden: the places that they fill are told, joined, with the hash at their end."""
    course = Course().begin("ann", "bob")
    course.play("bob", "d", "5", "2")
    course.play("ann", "d")
    course.play("bob", "d")
    *_, skipped, own, last = evs(course, SEAT)
    seq = course.race.seq
    assert (skipped.from_, skipped.to) == (seq - 4, seq - 2)
    assert skipped.hash == course.log[seq - 3].h
    assert own.k == "seat.played"
    assert (last.from_, last.to, last.hash) == (seq, seq, course.race.h)


@pytest.mark.parametrize(
    ("viewer", "card", "boards"),
    [
        pytest.param(SEAT, {}, 0, id="a seat sees no other board"),
        pytest.param(WATCH, {}, 2, id="a spectator sees all boards"),
        pytest.param(WATCH, {"watch": "numbers"}, 0, id="a spectator sees numbers"),
        pytest.param(WATCH, {"game": "GO1-E", "sealed": True}, 0, id="sealed: numbers"),
        pytest.param(WATCH, {"game": "GO1-E", "sealed": True, "watch": "boards"}, 2, id="sealed: declared otherwise"),
        pytest.param(PUBLIC, {}, 0, id="a stranger sees numbers"),
    ],
)
def test_boards_in_snaps(viewer: Viewer, card: dict[str, object], boards: int) -> None:
    """Who sees whose board while the race runs; at the end everybody sees all."""
    course = Course(**card).begin("ann", "bob")
    snap = snap_for(course.race, viewer, course.now, "join")
    assert sum(seat.board is not None for seat in snap.seats) == boards
    assert (snap.my is not None) == (viewer is SEAT)
    for player in ("ann", "bob"):
        course.done(player)
    course.tick()
    snap = snap_for(course.race, viewer, course.now, "end")
    assert sum(seat.board is not None for seat in snap.seats) + (snap.my is not None) == 2
    assert snap.salt == SECRETS.opening_of_all.salt
    assert snap.standings is not None
    assert [seat.rank for seat in snap.seats] == [1, 1]


def test_nothing_before_the_start() -> None:
    """Until `start_at` no board is shown, not even one's own, nor the code of a deal that was drawn."""
    course = Course(game="GO1-E").begin("ann", "bob")
    for now, dealt in ((course.now - 1, False), (course.now, True)):
        snap = snap_for(course.race, SEAT, now, "join")
        assert snap.my is not None
        assert (snap.my.board is not None) == dealt
        assert snap.card.get("code") == (f"GO1-E-{NUMBER}" if dealt else None)
        assert snap.status == ("live" if dealt else "starting")
    started = next(ev for ev in evs(course, SEAT) if isinstance(ev, Ev) and ev.k == "race.started")
    assert started.d == {"start_at": course.now, "deadline": course.now + 600_000}


def test_named_and_sealed_codes() -> None:
    """A named code is on the card from the beginning, a sealed one from the end on; the commitment is public."""
    named, sealed = Course(), Course(game="GO1-E", sealed=True, seats=1)
    assert card_for(named.race, named.now)["code"] == WON_CODE
    commitment = snap_for(sealed.race, PUBLIC, sealed.now, "join").commitment
    assert commitment is not None
    sealed.begin("ann")
    assert "code" not in card_for(sealed.race, sealed.now)
    sealed.done("ann")
    sealed.tick()
    assert card_for(sealed.race, sealed.now)["code"] == f"GO1-E-{SEALED}"


def test_open_numbers() -> None:
    """In an open race everybody knows the others' numbers as they are."""
    course = Course().begin("ann", "bob")
    course.play("bob", "d", "5", "2")
    [told] = progress_for(course.race, SEAT).seats
    assert (told.seat, told.cleared, told.status, told.score, told.moves) == (2, 2, "playing", 20, 3)
    assert [seat.seat for seat in progress_for(course.race, WATCH).seats] == [1, 2]


def test_sealed_numbers() -> None:
    """In a sealed race others' numbers are cleared cards and status, as of every eighth operation, and at the end."""
    course = Course(game="GO1-E", sealed=True).begin("ann", "bob")
    shown = []
    for lane in range(1, 18):
        legal = course.seat("bob").solo.board.legal()
        course.play("bob", legal[0])
        [told] = progress_for(course.race, SEAT).seats
        assert (told.score, told.moves) == (None, None)
        shown.append(told.cleared)
        if lane % 8 == 0:
            assert told.cleared == course.seat("bob").solo.board.cleared
    assert shown[:7] == [0] * 7
    assert len(set(shown[7:15])) == 1
    course.resign("bob")
    [told] = progress_for(course.race, SEAT).seats
    assert (told.cleared, told.status) == (course.seat("bob").solo.board.cleared, "resigned")


def test_presence_is_not_sealed() -> None:
    """Whether a seat is there shows at once."""
    course = Course(game="GO1-E", sealed=True).begin("ann", "bob")
    course.leave_play("bob")
    assert [seat.present for seat in progress_for(course.race, SEAT).seats] == [False]


@pytest.mark.parametrize("event", [Played(2, 1, "d"), SeatDone(2)], ids=["play", "done"])
@pytest.mark.parametrize("viewer", [Viewer(Role.SEAT, 2), WATCH, PUBLIC], ids=["its seat", "spectator", "stranger"])
def test_after_the_end(event: Played | SeatDone, viewer: Viewer) -> None:
    """What a seat sent too late is shown to nobody, not even to the seat itself."""
    course = Course(goal="first").begin("ann", "bob")
    course.win("ann")
    course.append(event, "2")
    assert ev_for(*course.told[-1], viewer) is None


def test_connections_are_not_told() -> None:
    """Numbers of connections are nobody's business."""
    course = Course().begin("ann", "bob")
    course.leave_play("bob")
    course.come_back("bob", 77)
    joined = next(ev for ev in evs(course, SEAT) if isinstance(ev, Ev) and ev.k == "race.joined")
    assert joined.d == {"player": "ann", "name": "Ann", "kind": "person"}
    assert [ev.d for ev in evs(course, SEAT)[-2:]] == [{}, {}]


def test_every_seq_once() -> None:
    """Events and skips together leave no place out and none twice, whoever looks."""
    course = Course().begin("ann", "bob")
    course.play("bob", "d", "5")
    course.play("ann", "d", "5")
    course.done("ann")
    course.done("bob")
    course.tick()
    for viewer in (SEAT, WATCH, PUBLIC):
        places: list[int] = []
        for one in evs(course, viewer):
            places += range(one.from_, one.to + 1) if isinstance(one, Skip) else [one.seq]
        assert places == list(range(1, course.race.seq + 1))


def test_end_tells_all() -> None:
    """The event of the end has the deal, the salt and the standings."""
    course = Course(seats=1).begin("ann")
    course.done("ann")
    course.tick()
    finished = evs(course, PUBLIC)[-1]
    assert isinstance(finished, Ev)
    assert finished.d["code"] == WON_CODE
    assert finished.d["salt"] == SECRETS.opening_of_all.salt
    [standing] = finished.d["standings"]
    assert (standing["rank"], standing["player"], standing["status"]) == (1, "ann", "done")
    assert isinstance(course.told[-1][2], Race)
