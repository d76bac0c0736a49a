"""Events and what the log keeps of them."""

from typing import Any, get_type_hints

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.log.entry import Body, Entry, LogError, pack_body, unpack_body
from engine.log.upcast import VERSIONS
from engine.race.card import BotWish, Goal, RaceCard, StartRule, Watch
from engine.race.events import RULES_VERSION, Chain, Created, Event, Kept, Ran, event_of, packed
from engine.race.evolve import event_in, step
from engine.race.model import Race
from engine.solo import UndoPolicy
from tests.engine.race.course import SECRETS, Course

texts = st.text(max_size=20)
cards = st.builds(
    RaceCard,
    game=st.sampled_from(["GO1-E", "GO1-CJ2X"]),
    code=st.none() | st.just("GO1-E-AAAAAAB"),
    seats=st.integers(1, 100),
    goal=st.sampled_from(Goal),
    undo=st.sampled_from(UndoPolicy),
    sealed=st.booleans(),
    bots=st.lists(
        st.builds(BotWish, bot=st.sampled_from(["solver", "greedy"]), pace=st.none() | st.sampled_from([0.5, 4.0])),
        max_size=3,
    ).map(tuple),
    start=st.sampled_from(StartRule),
    watch=st.sampled_from(Watch),
    name=st.none() | texts,
)
numbers = st.integers(0, 2**53)
OF_TYPE: dict[Any, st.SearchStrategy[Any]] = {int: numbers, int | None: st.none() | numbers, RaceCard: cards}


def of_kind(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Events of a kind; numbers are those that every coding holds exactly."""
    hints = {field.name: get_type_hints(kind)[field.name] for field in msgspec.structs.fields(kind)}
    return st.builds(kind, **{name: OF_TYPE.get(hint, st.from_type(hint)) for name, hint in hints.items()})


for part in (Kept, Ran):
    OF_TYPE[tuple[part, ...]] = st.lists(of_kind(part), max_size=3).map(tuple)
OF_TYPE[Chain | None] = st.none() | of_kind(Chain)


events = st.one_of([of_kind(kind) for kind in Event.__args__])


@given(events)
def test_round_trip(event: Event) -> None:
    """An event is what its packed body says, its seat too, and equal events have equal bytes."""
    body = unpack_body(packed(event))
    assert body.s == event.seat
    assert event_of(body) == event
    assert packed(event) == pack_body(body)


@given(events)
def test_plain(event: Event) -> None:
    """A packed body holds the plain values of its event."""
    data: dict[str, Any] = msgspec.to_builtins(event)
    assert packed(event) == pack_body(Body(event.KIND, event.VERSION, data.pop("seat", None), data))


def test_kinds() -> None:
    """Every kind of the log has its event, of the version that is written."""
    assert {kind.KIND: kind.VERSION for kind in Event.__args__} == dict(VERSIONS)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(Body("seat.played", 1, 1, {"n": "1", "m": "d"}), id="a number as text"),
        pytest.param(Body("seat.played", 1, 1, {"n": 1}), id="no word"),
        pytest.param(Body("seat.played", 1, None, {"n": 1, "m": "d"}), id="no seat"),
        pytest.param(Body("race.finished", 1, None, {"reason": "tired", "code": "", "salt": ""}), id="no such reason"),
        pytest.param(Body("race.created", 3, None, {}), id="nothing at all"),
    ],
)
def test_wrong_data(body: Body) -> None:
    """Data that is not of its kind is an error that says where and what."""
    with pytest.raises(ValueError, match=f"^expected the data of {body.k} version {body.v}, found "):
        event_of(body)


def test_errors_name_the_entry() -> None:
    """A log that cannot be folded is an error with the seq of the entry at fault."""
    course = Course().begin("ann", "bob")
    course.play("ann", "d")
    *before, last = course.log
    race = Race(course.race.id)
    for entry in before:
        assert event_in(entry).KIND in VERSIONS
        _, race = step(race, entry, SECRETS)
    _, after = step(race, last, SECRETS)
    with pytest.raises(LogError, match=f"^entry {last.seq}: expected operation 2 of a seat in play, found 1"):
        step(after, last, SECRETS)


@pytest.mark.parametrize("rules", [0, RULES_VERSION + 1])
def test_other_rules_are_not_folded(rules: int) -> None:
    """A log of other rules is an error at its first entry: by today's the same moves would come to something else."""
    first, *_ = Course().log
    created = event_in(first)
    assert isinstance(created, Created)
    other = Entry(first.seq, first.h, first.at, first.lane, packed(msgspec.structs.replace(created, rules=rules)))
    with pytest.raises(LogError, match=f"^entry 1: expected rules of version {RULES_VERSION}, found version {rules}"):
        step(Race(created.race), other, SECRETS)
