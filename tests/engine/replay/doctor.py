"""Replay files put together by hand: races run to their end, and documents doctored and signed again."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import msgpack
import zstandard

from engine.log.chain import entry_mac, next_hash
from engine.log.entry import GENESIS, Body, pack_body
from engine.race import commands as ask
from engine.race.events import Chain, DeclineReason, Kept, Ran
from engine.race.model import DAY_MS
from engine.replay.document import Replay, replay_of, to_json
from tests.engine.race.course import BEGUN, CREATOR, NUMBER, WINNING, Course

Document = dict[str, Any]


def play_on(course: Course, player: str, words: list[str]) -> None:
    """Play words, one after the other, at times that differ."""
    for word in words:
        course.now += 20
        course.play(player, word)


def open_race() -> Course:
    """Two seats on the published deal: one wins, one resigns; somebody was away for a while."""
    course = Course(seats=2, name="An open race").begin("ann", "bob")
    play_on(course, "ann", WINNING[:3])
    course.now += 700
    course.leave_play("bob")
    course.now += 1500
    course.come_back("bob", 9)
    play_on(course, "bob", ["d", "5", "u"])
    play_on(course, "ann", WINNING[3:])
    course.resign("bob")
    course.tick()
    return course


def sealed_race() -> Course:
    """Two seats on a sealed deal, ended by the time limit."""
    course = Course(game="GO1-C", sealed=True, seats=2, time_limit_s=60).begin("ann", "bob")
    play_on(course, "ann", ["d"] * 9)
    play_on(course, "bob", ["d"] * 2)
    course.now += 60_000
    course.tick()
    return course


def called_off() -> Course:
    """A race that never began."""
    course = Course(seats=2)
    course.join("ann")
    course.now += 3_600_000
    course.tick()
    return course


def second_of_a_series() -> Course:
    """The second of three races by strokes, which begins by itself; one player comes late, the other never."""
    kept = (Kept(1, "ann", "Ann", "person"), Kept(2, "bob", "Bob", "bot", "Bobby 1"))
    chain = Chain("q" * 26, 2, (Ran(1, 4, 270), Ran(2, 0, 350, 41, 1, 1)))
    course = Course(game="GO1-C", goal="strokes", series=3, terms={"kept": kept, "chain": chain, "number": NUMBER})
    course.now += 3_500
    course.come_back("ann")
    play_on(course, "ann", ["d"] * 4)
    course.done("ann")
    course.now += 120_000
    course.tick()
    return course


def practice() -> Course:
    """One seat, and two hints."""
    course = Course(seats=1, terms={"no_show_ms": 60_000}).begin("ann")
    course.hint("ann")
    play_on(course, "ann", WINNING[:2])
    course.hint("ann")
    course.done("ann")
    course.tick()
    return course


def not_all_came() -> Course:
    """Three seats kept; one comes and is ready, one declines, and the last is freed when its time is over."""
    kept = tuple(Kept(seat, name, name.title(), "person") for seat, name in enumerate(("ann", "bob", "eve"), 1))
    course = Course(seats=3, terms={"no_show_ms": 60_000, "kept": kept, "chain": Chain("q" * 26)})
    course.join("eve")
    course.ready("eve")
    course.ask(ask.Leave("bob"))
    course.now += 60_000
    course.tick()
    course.ask(ask.Cancel(CREATOR))
    return course


def declined() -> Course:
    """A challenge: whoever made it comes, the other says why not."""
    kept = (Kept(1, CREATOR, "Ann", "person"), Kept(2, "bob", "Bob", "person"))
    course = Course(terms={"no_show_ms": 60_000, "kept": kept})
    course.join(CREATOR)
    course.ask(ask.Leave("bob", DeclineReason.LATER))
    return course


def of_the_day() -> Course:
    """A race on the deal of the day: played to its end, and opened when the day is over."""
    day = BEGUN // DAY_MS
    course = Course(game="GO1-C", sealed=True, seats=1, watch="off", terms={"daily": day}).begin(CREATOR)
    play_on(course, CREATOR, ["d"] * 5)
    course.done(CREATOR)
    course.now = (day + 1) * DAY_MS
    course.tick()
    return course


RACES = {
    "open": open_race,
    "sealed": sealed_race,
    "called off": called_off,
    "second of a series": second_of_a_series,
    "practice": practice,
    "not all came": not_all_came,
    "declined": declined,
    "of the day": of_the_day,
}


def replayed(course: Course) -> Replay:
    return replay_of(course.race, course.log)


def document(replay: Replay) -> Document:
    """The JSON form as plain values, to be doctored."""
    read: Document = json.loads(to_json(replay))
    return read


def signed(doctored: Document) -> bytes:
    """The replay file of a document, whatever it says, with a checksum that holds."""
    entries = [{**entry, "b": packed(entry["b"])} for entry in doctored["entries"]]
    content = msgpack.packb({"header": doctored["header"], "entries": entries})
    return sealed_up(zstandard.compress(content))


def sealed_up(compressed: bytes) -> bytes:
    return compressed + hashlib.sha256(compressed).digest()


def packed(body: list[Any] | str) -> bytes | str:
    return body if isinstance(body, str) else pack_body(Body(*body))


def chained(doctored: Document) -> Document:
    """The document with all seqs and hashes computed anew: what a forger who knows the salt can do."""
    salt = bytes.fromhex(doctored["header"]["salt"])
    h = GENESIS
    for seq, entry in enumerate(doctored["entries"], 1):
        h = next_hash(h, entry["a"], entry_mac(salt, packed(entry["b"])))  # type: ignore[arg-type]
        entry["seq"], entry["h"] = seq, h
    return doctored


def leaves(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of all values that hold no others."""
    match value:
        case dict() if value:
            for key, item in value.items():
                yield from leaves(item, (*path, key))
        case list() if value:
            for place, item in enumerate(value):
                yield from leaves(item, (*path, place))
        case _:
            yield path


def changed(value: object) -> object:
    """Another value, of the same kind where there is one."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return value[:-1] + ("A" if value[-1:] != "A" else "B")
        case None:
            return "x"
        case _:
            return [1]


def change_at(doctored: Document, path: tuple[str | int, ...]) -> None:
    """Change one leaf in place."""
    holder: Any = doctored
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = changed(holder[path[-1]])
