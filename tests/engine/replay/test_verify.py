"""Verifying: a true file holds, and whatever is changed in it is found and named."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.replay.document import from_json, to_json
from engine.replay.file import write_replay
from engine.replay.verify import Verdict, verify, verify_replay
from tests.engine.race.course import Course
from tests.engine.replay.doctor import (
    RACES,
    Document,
    chained,
    change_at,
    document,
    leaves,
    open_race,
    replayed,
    sealed_race,
    signed,
)

REPLAYS = {name: replayed(made()) for name, made in RACES.items()}
FILES = {name: write_replay(replay) for name, replay in REPLAYS.items()}


@pytest.mark.parametrize("name", RACES)
def test_true_file_holds(name: str) -> None:
    """A file holds as it was written, in either form, and the verdict says what it is about."""
    replay = REPLAYS[name]
    expected = Verdict(
        True, replay.header.race, replay.header.code, len(replay.entries), 0, standings=replay.header.standings
    )

    assert verify(FILES[name]) == expected
    assert verify_replay(from_json(to_json(replay))) == expected


def test_document_written_in_another_frame_holds() -> None:
    """What counts is the race: the same document compressed by somebody else is as good."""
    assert verify(signed(document(REPLAYS["open"]))).ok


def test_log_that_was_recovered_holds() -> None:
    """A recovery may follow the end, and its log is a log like any other."""
    course = open_race()
    from engine.race.events import Recovered

    course.append(Recovered(3, "f" * 32))

    assert verify(write_replay(replayed(course))).ok


@pytest.mark.parametrize("name", RACES)
def test_any_changed_byte_is_found_and_its_place_named(name: str) -> None:
    """Whichever byte of a file is changed, it does not hold, and a place is named."""
    data = FILES[name]
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1 << place % 8

        verdict = verify(bytes(changed))

        assert not verdict.ok
        assert verdict.place
        assert verdict.fault
        if place >= len(data) - 32:
            assert verdict.place == f"checksum, byte {place}"


@settings(max_examples=200)
@given(st.sampled_from(list(FILES)), st.data())
def test_files_cut_or_changed_anyhow_are_found(name: str, draw: st.DataObject) -> None:
    """Cut short, lengthened or with a stretch overwritten: never a file that holds, never another failure."""
    data = FILES[name]
    start = draw.draw(st.integers(0, len(data)))
    end = draw.draw(st.integers(start, min(len(data), start + 200)))
    changed = data[:start] + draw.draw(st.binary(max_size=100)) + data[end:]

    verdict = verify(changed)

    assert verdict.ok == (changed == data)
    assert verdict.ok or verdict.place


@pytest.mark.parametrize("name", ["open", "sealed"])
def test_every_field_that_is_doctored_is_named(name: str) -> None:
    """Each value of header and entries, changed and the checksum made to hold again, is found in its own place."""
    for path in leaves(document(REPLAYS[name])):
        doctored = document(REPLAYS[name])
        change_at(doctored, path)
        part, key, *rest = path

        verdict = verify(signed(doctored))

        assert not verdict.ok, path
        assert verdict.place is not None
        if part == "entries":
            assert verdict.place.startswith(f"entry {int(key) + 1}"), (path, verdict)
            assert rest[0] != "h" or path[1] == len(doctored["entries"]) - 1 or verdict.place.endswith(".h"), path
        else:
            assert verdict.place.startswith(f"header.{key}"), (path, verdict)


def play_once_more(doctored: Document) -> None:
    """The seat that resigns has drawn another card before."""
    resigned = doctored["entries"][-2]
    move = {**resigned, "b": ["seat.played", 1, 2, {"n": 4, "m": "d"}]}
    doctored["entries"].insert(-2, move)


def win_no_more(doctored: Document) -> None:
    """The winner's last move becomes a draw."""
    last = [entry for entry in doctored["entries"] if entry["b"][0] == "seat.played" and entry["l"] == "1"][-1]
    last["b"][3]["m"] = "d"


def play_what_cannot_be(doctored: Document) -> None:
    played(doctored, 0)["b"][3]["m"] = "7"


def play_twice(doctored: Document) -> None:
    entries = doctored["entries"]
    place = entries.index(played(doctored, 0))
    entries.insert(place, entries[place])
    doctored["entries"] = [dict(entry) for entry in entries]


def leave_a_move_out(doctored: Document) -> None:
    doctored["entries"].remove(played(doctored, 2))


def play_in_anothers_lane(doctored: Document) -> None:
    played(doctored, 0)["l"] = "2"


def play_before_the_start(doctored: Document) -> None:
    for entry in doctored["entries"]:
        if entry["b"][0] != "race.created":
            entry["a"] -= 3000 if entry is played(doctored, 0) else 0
    started = next(entry for entry in doctored["entries"] if entry["b"][0] == "race.started")
    played(doctored, 0)["a"] = started["a"]


def end_before_the_limit(doctored: Document) -> None:
    doctored["entries"][-1]["a"] = doctored["entries"][-2]["a"]


def play_after_the_limit(doctored: Document) -> None:
    late = doctored["entries"][-1]["a"]
    doctored["entries"][-2]["a"] = late


def win_for_somebody_else(doctored: Document) -> None:
    for entry in doctored["entries"]:
        if entry["b"][0] == "race.joined":
            entry["b"][3]["name"] += " II"


def go_on_after_the_end(doctored: Document) -> None:
    doctored["entries"].append({**played(doctored, 0), "a": doctored["entries"][-1]["a"]})


def leave_the_end_out(doctored: Document) -> None:
    doctored["entries"].pop()


def begin_with_something_else(doctored: Document) -> None:
    doctored["entries"].pop(0)


def forget_the_commitment(doctored: Document) -> None:
    doctored["header"]["commitment"] = None
    doctored["entries"][0]["b"][3]["commitment"] = None


def seal_another_deal(doctored: Document) -> None:
    """The code is changed in header and log alike, the commitment is not."""
    code = doctored["header"]["code"]
    other = code[:-1] + ("A" if code[-1] != "A" else "B")
    doctored["header"]["code"] = doctored["entries"][-1]["b"][3]["code"] = other


def write_an_unknown_kind(doctored: Document) -> None:
    played(doctored, 0)["b"][0] = "seat.cheated"


def write_an_unknown_version(doctored: Document) -> None:
    played(doctored, 0)["b"][1] = 99


def offer_no_deal(doctored: Document) -> None:
    """A race that was never dealt was on a code that is none."""
    doctored["header"]["card"]["code"] = doctored["entries"][0]["b"][3]["card"]["code"] = "GO1-X-AAAAAAB"


def played(doctored: Document, place: int) -> Any:
    return [entry for entry in doctored["entries"] if entry["b"][0] == "seat.played"][place]


FORGERIES: dict[str, tuple[str, Callable[[Document], None], str, str]] = {
    "a move more": ("open", play_once_more, "header.standings[1].moves", "expected 3, found 2"),
    "a win less": ("open", win_no_more, ".b", "expected a race whose seats have ended"),
    "a move that cannot be": ("open", play_what_cannot_be, ".b", "expected a move that can be played"),
    "a move twice": ("open", play_twice, ".b", "expected operation 2 of a seat"),
    "a move left out": ("open", leave_a_move_out, ".b", "expected operation"),
    "another lane": ("open", play_in_anothers_lane, ".l", "expected lane 1, found 2"),
    "before the start": ("open", play_before_the_start, ".a", "expected a time from"),
    "ended before the limit": ("sealed", end_before_the_limit, ".a", "expected a time from"),
    "played after the limit": ("sealed", play_after_the_limit, ".a", "and before"),
    "other names": ("open", win_for_somebody_else, "header.seats[0].name", "expected"),
    "more after the end": ("open", go_on_after_the_end, "entry", "expected nothing after the end"),
    "no end": ("open", leave_the_end_out, "entry", "expected the log to go on"),
    "no beginning": ("open", begin_with_something_else, "entry 1.b", "expected race.created first"),
    "no commitment": ("sealed", forget_the_commitment, "header.commitment", "expected the commitment"),
    "another deal under the seal": ("sealed", seal_another_deal, "header.commitment", "expected the commitment"),
    "a code that is none": ("called off", offer_no_deal, "entry 1.b", "unknown rule: expected E, C or S"),
    "an unknown kind": ("open", write_an_unknown_kind, ".b", "expected a kind of event"),
    "an unknown version": ("open", write_an_unknown_version, ".b", "found version 99"),
}


@pytest.mark.parametrize(("name", "forge", "place", "fault"), FORGERIES.values(), ids=FORGERIES.keys())
def test_forged_histories_do_not_fold(name: str, forge: Callable[[Document], None], place: str, fault: str) -> None:
    """With chain and checksum computed anew, what the rules of the game and of the log forbid is still found."""
    doctored = document(REPLAYS[name])
    forge(doctored)

    verdict = verify(signed(chained(doctored)))

    assert not verdict.ok
    assert verdict.place is not None
    assert place in verdict.place, verdict
    assert verdict.fault is not None
    assert fault in verdict.fault, verdict


@settings(max_examples=150)
@given(st.sampled_from(["open", "sealed"]), st.data())
def test_anything_in_a_chained_log_gives_a_verdict(name: str, draw: st.DataObject) -> None:
    """Whatever a forger who can chain writes into a body or the header, verifying ends in a verdict."""
    doctored = document(REPLAYS[name])
    anything = st.none() | st.integers(-(2**40), 2**40) | st.text(max_size=9) | st.lists(st.integers(0, 9), max_size=2)
    for path in draw.draw(st.lists(st.sampled_from(list(leaves(doctored))), min_size=1, max_size=3)):
        holder: Any = doctored
        for key in path[:-1]:
            holder = holder[key]
        if path[0] == "header" or path[2] == "b":
            holder[path[-1]] = draw.draw(anything)
    try:
        forged = signed(chained(doctored))
    except (ValueError, TypeError, AttributeError, OverflowError):
        return  # It cannot even be written.

    assert isinstance(verify(forged), Verdict)


def test_race_of_one_seat_and_of_many() -> None:
    """Files of other sizes hold as well: one seat, and forty seats with the entries of several blocks."""
    lonely = Course(seats=1).begin("ann")
    lonely.done("ann")
    lonely.tick()
    players = [f"{chr(97 + number % 26)}{number}" for number in range(40)]
    crowded = Course(seats=40).begin(*players)
    for player in players:
        crowded.play(player, "d", "d")
        crowded.done(player)
    crowded.tick()

    for course in (lonely, crowded, sealed_race()):
        assert verify(write_replay(replayed(course))).ok
