"""What was seen live: the true frames hold for every viewer, and any other history or view is named by its line."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.race.model import Race
from engine.race.views import Role, Viewer, ev_for, progress_for, snap_for
from engine.replay.document import ReplayError
from engine.replay.file import write_replay
from engine.replay.seen import Step, check_seen
from engine.replay.verify import Verdict, verify
from engine.wire.outbound import Crowd, Outbound, Pong, Res, Resumed, SeatLag, Skip, Snap
from tests.engine.race.course import RID, Course
from tests.engine.replay.doctor import RACES, change_at, leaves, replayed

Frame = dict[str, Any]

COURSES = {name: RACES[name]() for name in ("open", "sealed")}
STEPS = {name: [Step(*told) for told in course.told] for name, course in COURSES.items()}
UNCHECKED = ("t", "race", "sig", "lag", "id", "ok", "reason")
"""What makes a frame one of another kind or race, or is not of the race's history."""
VIEWERS = {
    "seat 1": Viewer(Role.SEAT, 1),
    "seat 2": Viewer(Role.SEAT, 2),
    "seat 2 with boards": Viewer(Role.SEAT, 2, boards=True),
    "spectator": Viewer(Role.WATCH),
    "spectator with boards": Viewer(Role.WATCH, boards=True),
}


def plain(message: Outbound) -> Frame:
    frame: Frame = json.loads(msgspec.json.encode(message))
    return frame


def frames(course: Course, viewer: Viewer) -> Iterator[Frame]:
    """What a viewer is told of a race from the moment when both seats are taken, as a server tells it."""
    seated = next(place for place, (_, _, after) in enumerate(course.told) if len(after.seats) == 2)
    race = course.told[seated][2]
    yield plain(Pong("c", race.at))
    yield plain(Res("1", ok=True, seq=race.seq, hash=race.h, sig="ab" * 32))
    yield plain(snap_for(race, viewer, race.at, "join"))
    yield plain(Crowd(race.id, 3))
    dealt = False
    for before, event, after in course.told[seated + 1 :]:
        if after.start_at is not None and after.at >= after.start_at and not dealt:
            dealt = True
            yield plain(snap_for(before, viewer, after.start_at, "start"))
        ev = ev_for(before, event, after, viewer)
        yield plain(ev) if ev is not None else plain(Skip(after.id, after.seq, after.seq, after.h))
        if after.started and not after.closed:
            yield plain(progress_for(after, viewer))
    end = snap_for(after, viewer, after.at, "end")
    yield plain(msgspec.structs.replace(end, sig="cd" * 32, lag=(SeatLag(1, 12),)))


def lines(seen: list[Frame]) -> list[bytes]:
    return [json.dumps(frame).encode() for frame in seen]


def told(name: str, viewer: str) -> list[Frame]:
    return list(frames(COURSES[name], VIEWERS[viewer]))


def checked(name: str, seen: list[Frame]) -> Verdict:
    return verify(write_replay(replayed(COURSES[name])), lines(seen))


BOTH = pytest.mark.parametrize("name", COURSES)
EACH = pytest.mark.parametrize("viewer", VIEWERS)


@BOTH
@EACH
def test_what_was_truly_seen_holds(name: str, viewer: str) -> None:
    """All frames that a server sends about a race hold, for a seat, a spectator, with whole boards and without."""
    seen = told(name, viewer)

    verdict = checked(name, seen)

    assert verdict.ok, verdict
    assert verdict.frames == len([frame for frame in seen if frame["t"] not in ("pong", "crowd")])


@settings(max_examples=200)
@given(st.sampled_from(list(COURSES)), st.sampled_from(list(VIEWERS)), st.data())
def test_any_change_in_what_was_seen_is_named(name: str, viewer: str, draw: st.DataObject) -> None:
    """A value of a frame, changed, is found in its line or later; receipts are for the server to check."""
    seen = told(name, viewer)
    number = draw.draw(st.integers(0, len(seen) - 1).filter(lambda place: seen[place]["t"] not in ("pong", "crowd")))
    path = draw.draw(st.sampled_from([path for path in leaves(seen[number]) if path[0] not in UNCHECKED]))
    seen[number] = json.loads(json.dumps(seen[number]))
    change_at(seen[number], path)

    with pytest.raises(ReplayError) as caught:
        check_seen(replayed(COURSES[name]).header, STEPS[name], lines(seen))

    named = re.match(r"seen line (\d+)", caught.value.place)
    assert named is not None
    # A seat's number that is another's shows when something comes that this viewer was not to see.
    assert int(named[1]) >= number + 1


def index(seen: list[Frame], kind: str, place: int = 0) -> int:
    return [number for number, frame in enumerate(seen) if frame["t"] == kind][place]


def show_what_is_hidden(seen: list[Frame]) -> None:
    """A skip is replaced by what another seat saw there."""
    place = index(seen, "skip")
    other = frames(COURSES["open"], Viewer(Role.SEAT, 2))
    seen[place] = next(frame for frame in other if frame["t"] == "ev" and frame["seq"] == seen[place]["to"])


def hide_what_is_shown(seen: list[Frame]) -> None:
    place = index(seen, "ev", -2)
    ev = seen[place]
    seen[place] = {"t": "skip", "race": RID, "from": ev["seq"], "to": ev["seq"], "hash": ev["hash"]}


def leave_one_out(seen: list[Frame]) -> None:
    seen.pop(index(seen, "ev", 3))


def tell_one_twice(seen: list[Frame]) -> None:
    place = index(seen, "ev", 3)
    seen.insert(place, seen[place])


def show_anothers_board(seen: list[Frame]) -> None:
    """The snapshot of a seat shows the other seat's board too."""
    start = seen[index(seen, "snap", 1)]
    start["seats"][1]["board"] = start["my"]["board"]


def claim_another_hash(seen: list[Frame]) -> None:
    seen[index(seen, "res")]["hash"] = "f" * 32


def go_beyond_the_end(seen: list[Frame]) -> None:
    seen[index(seen, "skip")]["to"] += 1000


def skip_backwards(seen: list[Frame]) -> None:
    place = index(seen, "skip")
    del seen[: place - 1]  # Nothing tells any more what comes next.
    seen[:] = [frame for frame in seen if frame["t"] == "skip"][:1]
    seen[0]["from"] = seen[0]["to"] + 1


def tell_numbers_of_no_moment(seen: list[Frame]) -> None:
    seen[index(seen, "progress")]["at"] += 1


def leak_a_field(seen: list[Frame]) -> None:
    seen[index(seen, "ev", 2)]["d"]["stock"] = ["AS"]


FAULTS: dict[str, tuple[Callable[[list[Frame]], None], str]] = {
    "hidden, but shown": (show_what_is_hidden, "to be hidden from this viewer, found it shown"),
    "to be shown, but hidden": (hide_what_is_shown, "to be shown to this viewer, found a skip"),
    "left out": (leave_one_out, "next, found"),
    "told twice": (tell_one_twice, "next, found"),
    "another's board": (show_anothers_board, "expected nothing, found"),
    "another history": (claim_another_hash, "found ffff"),
    "beyond the end": (go_beyond_the_end, "expected an entry from 1 to"),
    "backwards": (skip_backwards, "expected an entry from 1 to"),
    "numbers of no moment": (tell_numbers_of_no_moment, "expected the time of an entry not shown before"),
    "a field more": (leak_a_field, "expected nothing, found ['AS']"),
}


@pytest.mark.parametrize(("change", "fault"), FAULTS.values(), ids=FAULTS.keys())
def test_other_views_are_found(change: Callable[[list[Frame]], None], fault: str) -> None:
    """What that viewer was not to see, or was to see and did not, is named with its line."""
    seen = told("open", "seat 1")
    change(seen)

    verdict = checked("open", seen)

    assert not verdict.ok
    assert verdict.place is not None
    assert verdict.place.startswith("seen line ")
    assert verdict.fault is not None
    assert fault in verdict.fault, verdict


def test_history_that_forked_is_found() -> None:
    """Frames of a history that was lost later, to a failover, do not fit the file of the one that took its place."""
    course = COURSES["open"]
    other = RACES["open"]()
    lost = list(frames(other, VIEWERS["spectator"]))
    entry = next(frame for frame in lost if frame["t"] == "ev" and frame["k"] == "seat.played")
    entry["hash"] = course.log[0].h

    verdict = checked("open", lost)

    assert (verdict.ok, verdict.place) == (False, f"seen line {lost.index(entry) + 1}.hash")


def test_resuming_may_tell_again_what_was_told() -> None:
    """After `resumed` the events come again from there, joined into one skip where they are hidden."""
    seen = told("open", "seat 2 with boards")
    hidden = [frame for frame in seen if frame["t"] == "skip"]
    run = [frame for frame in hidden if frame["to"] >= hidden[-1]["to"] - 4]
    start, end = run[0]["to"], run[-1]["to"]
    again = [
        plain(Resumed(RID, start, end)),
        plain(Skip(RID, start, end, run[-1]["hash"])),
    ]
    place = seen.index(run[-1]) + 1
    seen[place:place] = again

    assert checked("open", seen).ok


def test_frames_without_a_snapshot_are_those_of_some_viewer() -> None:
    """Without a snapshot all the frames together must be what one viewer saw, not a bit of each."""
    mine, theirs = (
        [frame for frame in told("open", viewer) if frame["t"] in ("ev", "skip")] for viewer in ("seat 1", "seat 2")
    )
    half = len(mine) // 2

    assert checked("open", mine).ok
    assert checked("open", theirs).ok
    assert not checked("open", mine[:half] + theirs[half:]).ok


def test_frames_of_other_races_are_passed_over() -> None:
    """One who recorded several races can check each of them; who recorded none of this one has checked nothing."""
    seen = told("open", "seat 1")
    elsewhere = [{**frame, "race": "x" * 26} for frame in seen if "race" in frame]

    verdict = checked("open", [*elsewhere, *seen])

    assert verdict.ok
    assert verdict.frames == checked("open", seen).frames
    alone = checked("open", elsewhere)
    assert (alone.ok, alone.place) == (False, "seen")


@pytest.mark.parametrize(
    ("line", "fault"),
    [(b"{", "expected a frame as JSON"), (b"[1]", "expected a frame as a map"), (b'{"t": "x"}', "of the protocol")],
    ids=["no JSON", "no map", "no message"],
)
def test_lines_that_are_no_frames_are_named(line: bytes, fault: str) -> None:
    """A file that is no recording is refused at its first such line; empty lines are none."""
    seen = lines(told("open", "seat 1"))

    verdict = verify(write_replay(replayed(COURSES["open"])), [*seen, b"", b" \n", line])

    assert (verdict.ok, verdict.place) == (False, f"seen line {len(seen) + 3}")
    assert verdict.fault is not None
    assert fault in verdict.fault


def test_standings_printed_last_are_checked() -> None:
    """The last line of `fairdeal race --json` must have the standings of the file."""
    course = COURSES["open"]
    seen = told("open", "spectator")
    printed = {"standings": json.loads(json.dumps(seen[-1]["standings"])), "race": course.race.id}
    assert checked("open", [*seen, printed]).ok

    printed["standings"][0]["score"] += 10

    verdict = checked("open", [*seen, printed])
    assert (verdict.ok, verdict.place) == (False, f"seen line {len(seen) + 1}.standings[0].score")


def test_both_ends_of_the_countdown_may_be_seen() -> None:
    """A snapshot during the countdown and one at the start, at the same seq, both hold; no other moment's does."""
    course = COURSES["sealed"]
    started: Race = next(after for _, _, after in course.told if after.start_at is not None)
    assert started.start_at is not None
    viewer = VIEWERS["seat 1"]
    early: Snap = snap_for(started, viewer, started.at, "join")
    late: Snap = snap_for(started, viewer, started.start_at, "start")

    assert early != late
    assert checked("sealed", [plain(early), plain(late)]).ok
    mixed = plain(msgspec.structs.replace(late, status="starting"))
    assert not checked("sealed", [mixed]).ok


def test_frames_of_before_say_less() -> None:
    """A snapshot kept before it said that a race is private holds as it is; one that says otherwise does not."""
    course = RACES["declined"]()
    created, *_ = course.told
    snap = plain(snap_for(created[2], Viewer(Role.WATCH), created[2].at, "watch"))
    assert snap["private"] is True
    before = {key: value for key, value in snap.items() if key != "private"}
    file = write_replay(replayed(course))
    for frame in (snap, before):
        assert verify(file, lines([frame])) == Verdict(True, RID, "GO1-E-AAAAAAB", len(course.log), 1, standings=[])
    wrong = verify(file, lines([{**snap, "private": False}]))
    assert (wrong.ok, wrong.place) == (False, "seen line 1.private"), wrong
    end = plain(snap_for(course.race, Viewer(Role.WATCH), course.now, "watch"))
    assert end["voided"]["why"] == "later"
    for frame in (end, {key: value for key, value in end.items() if key != "voided"}):
        assert verify(file, lines([frame])).ok
    wrong = verify(file, lines([{**end, "voided": {"reason": "expired"}}]))
    assert not wrong.ok
