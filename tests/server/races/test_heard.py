"""Entries that come along with a ring: folded where the chain shows that they follow, read from the log elsewhere."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from redis.asyncio import Redis
from structlog.testing import capture_logs

from engine.log.entry import START, Cursor, Entry, Hash, LogError
from engine.race.events import Event, Played, packed
from engine.race.evolve import fold
from engine.race.model import Race
from server.races.table import Table
from server.races.tables import Tables
from tests.server.races.conftest import WINNING, Heard, begun, play

Watched = tuple[Table, Table, Heard]


@pytest.fixture
async def watched(node: Tables, other: Tables) -> AsyncIterator[Watched]:
    """A race under way on one node, and as another one follows it, which has heard its first move."""
    one = await begun(node, "ann")
    two, heard = await other.table(one.rid), Heard()
    two.follow(heard)
    await play(node, one, "ann", WINNING[0])
    await heard.reached(one.race.seq)
    yield one, two, heard
    two.unfollow(heard)


async def test_moves_come_with_their_ring(
    node: Tables, other: Tables, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node that follows a race is told moves made on another without reading its log."""
    one, two, heard = watched
    reads: list[str] = []
    read = other.log.read

    async def counted(rid: str, cursor: Cursor = START) -> object:
        reads.append(rid)
        return await read(rid, cursor)

    monkeypatch.setattr(other.log, "read", counted)
    await play(node, one, "ann", *WINNING[1:12])
    await heard.reached(one.race.seq)
    assert two.race == one.race
    assert reads == []


class Faulty(Heard):
    """A listener that raises once."""

    raised = False

    def on_entry(self, before: Race, event: Event, after: Race) -> None:
        super().on_entry(before, event, after)
        if not self.raised:
            self.raised = True
            raise RuntimeError("a fault in a listener")


async def test_a_fault_of_a_listener_does_not_end_the_doorbell(node: Tables, redis: Redis, watched: Watched) -> None:
    """Where somebody who is told a move fails, that is logged, and the connection that hears of moves goes on."""
    one, two, heard = watched

    async def ears() -> set[str]:
        return {client["id"] for client in await redis.client_list(_type="pubsub")}

    before = await ears()
    faulty = Faulty()
    two.follow(faulty)
    with capture_logs() as lines:
        await play(node, one, "ann", *WINNING[1:6])
        await faulty.reached(one.race.seq)
    two.unfollow(faulty)
    assert [line["event"] for line in lines if line["log_level"] == "error"] == ["a race heard of could not be told"]
    assert await ears() == before
    assert two.race == one.race == heard.entries[-1][2]


async def log_of(node: Tables, one: Table) -> tuple[Entry, ...]:
    entries = await node.log.read(one.rid)
    assert isinstance(entries, tuple)
    return entries


@pytest.fixture
async def history(node: Tables) -> tuple[Table, tuple[Entry, ...]]:
    """A race with some moves, and its log."""
    one = await begun(node, "ann")
    await play(node, one, "ann", *WINNING[:8])
    return one, await log_of(node, one)


def late(node: Tables, one: Table, entries: tuple[Entry, ...]) -> Table:
    """The race on a node that has folded no more than these entries."""
    table = Table(one.rid, node)
    table.race = fold(Race(one.rid), entries, node.secrets)
    return table


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(data=st.data())
async def test_only_what_follows_is_folded(
    node: Tables, history: tuple[Table, tuple[Entry, ...]], data: st.DataObject
) -> None:
    """Whichever entries come, in whatever order: the fold is that of a beginning of the log, and never shrinks."""
    one, entries = history
    table = late(node, one, entries[: data.draw(st.integers(1, len(entries)))])
    for _ in range(data.draw(st.integers(1, 6))):
        first = data.draw(st.integers(0, len(entries)))
        slice_ = entries[first : first + data.draw(st.integers(0, 8))]
        before = table.race
        new = any(entry.seq > before.seq for entry in slice_)
        assert table.hear(slice_) is (new and slice_[0].seq <= before.seq + 1)
        assert table.race.seq == (max(before.seq, slice_[-1].seq) if table.race is not before else before.seq)
        assert table.race == fold(Race(one.rid), entries[: table.race.seq], node.secrets)


@pytest.mark.parametrize(
    "forge",
    [
        pytest.param(lambda entry: replace(entry, h=Hash("0" * 32)), id="hash"),
        pytest.param(lambda entry: replace(entry, at=entry.at + 1), id="time"),
        pytest.param(lambda entry: replace(entry, body=b"\x94\xa4seat\x01\x01\x80"), id="body"),
        pytest.param(lambda entry: replace(entry, seq=entry.seq + 1), id="seq"),
    ],
)
async def test_what_the_chain_does_not_bear_out_is_not_folded(
    node: Tables, history: tuple[Table, tuple[Entry, ...]], forge: Callable[[Entry], Entry]
) -> None:
    """An entry that is not the log's next one changes nothing; the log is to be read."""
    one, entries = history
    table = late(node, one, entries[:-1])
    before = table.race
    assert not table.hear([forge(entries[-1])])
    assert table.race is before
    assert table.hear(entries[-1:])


async def test_what_precedes_a_bad_entry_is_told(
    node: Tables, history: tuple[Table, tuple[Entry, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where folding stops half-way, the node takes note of what was folded until then: its alarm, lobby and seats."""
    one, entries = history
    table = late(node, one, entries[:-2])
    noted: list[tuple[int, int, bool]] = []

    def told(table: Table, before: Race, *, moves: bool) -> None:
        noted.append((before.seq, table.race.seq, moves))

    monkeypatch.setattr(node, "told", told)
    with pytest.raises(LogError):
        table.take([entries[-2], replace(entries[-1], body=b"\xc1")])
    assert noted == [(len(entries) - 2, len(entries) - 1, True)]


async def test_a_move_of_nobody_after_the_end_is_passed_over(node: Tables) -> None:
    """What comes after the end changes nothing, whosever it says it is; all the same it is taken note of."""
    table = await begun(node, "ann")
    await play(node, table, "ann", *WINNING)
    race = await table.fresh()
    entry = Entry(race.seq + 1, Hash("0" * 32), race.at, "9", packed(Played(9, 1, "d")))
    table.take([entry])
    assert table.race == replace(race, seq=entry.seq, h=entry.h)


async def test_a_fold_of_lost_history_goes_on_with_nothing(
    node: Tables, history: tuple[Table, tuple[Entry, ...]]
) -> None:
    """A node whose last entry is not in the log any more does not take the one that has come after it there."""
    one, entries = history
    table = late(node, one, entries[:-1])
    table.race = replace(table.race, h=Hash("f" * 32))
    assert not table.hear(entries[-1:])
    assert table.race.seq == len(entries) - 1
