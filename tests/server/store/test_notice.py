"""What a ring tells: entries go along while they are few, and what cannot be read is left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.log.entry import Entry, Hash
from server.store.notice import MOST_BYTES, MOST_CARRIED, Notice, entries_in, joined, pack_notice, seq_in

BODIES = st.binary(max_size=MOST_BYTES // MOST_CARRIED)


def entries(first: int, bodies: list[bytes]) -> tuple[Entry, ...]:
    """Entries from a seq on, with these bodies."""
    return tuple(Entry(seq, Hash(f"{seq:032x}"), 1_000 + seq, "*", body) for seq, body in enumerate(bodies, first))


def notice(first: int, bodies: list[bytes]) -> Notice:
    """What is rung for entries from a seq on."""
    return Notice(first + len(bodies) - 1, entries(first, bodies))


@given(st.integers(1, 10**9), st.lists(BODIES, min_size=1, max_size=MOST_CARRIED))
def test_few_entries_go_along(first: int, bodies: list[bytes]) -> None:
    """Whoever hears them has them as they are, and up to where they go."""
    rung = notice(first, bodies)
    assert seq_in(pack_notice(rung)) == rung.seq
    assert entries_in(pack_notice(rung)) == rung.entries


@pytest.mark.parametrize(
    "bodies",
    [pytest.param([b"x"] * (MOST_CARRIED + 1), id="many"), pytest.param([b"x" * (MOST_BYTES + 1)], id="large")],
)
def test_too_much_does_not_go_along(bodies: list[bytes]) -> None:
    """Of what is too much only the seq is told."""
    assert pack_notice(notice(5, bodies)) == b"%d" % (4 + len(bodies))


@given(st.lists(st.tuples(st.integers(0, 3), st.lists(BODIES, max_size=3)), max_size=6))
def test_joined_notices_tell_no_more_than_was_rung(rings: list[tuple[int, list[bytes]]]) -> None:
    """Whatever is left out, the highest seq is told, and the entries that are told end there without a gap."""
    every, last, told = dict[int, Entry](), 0, None
    for gap, bodies in rings:
        rung = notice(last + 1 + gap, bodies) if bodies else Notice(last + gap)
        every |= {entry.seq: entry for entry in rung.entries}
        last, told = max(last, rung.seq), joined(told, rung)
    if told is not None:
        assert told.seq == last
        assert told.entries == tuple(every[seq] for seq in range(last - len(told.entries) + 1, last + 1))
        assert len(told.entries) <= MOST_CARRIED


def test_adjacent_notices_are_one_with_all_their_entries() -> None:
    """Two moves rung in one moment go together; one that is heard late adds nothing."""
    first, then = notice(3, [b"a"]), notice(4, [b"b", b"c"])
    assert joined(joined(None, first), then) == notice(3, [b"a", b"b", b"c"])
    assert joined(then, first) == then


@pytest.mark.parametrize(
    ("data", "seq"),
    [
        pytest.param(b"", None, id="nothing"),
        pytest.param(b"ring", None, id="no number"),
        pytest.param(b"-1", None, id="negative"),
        pytest.param(b"9" * 5_000, None, id="no seq has so many digits"),
        pytest.param(b"7", 7, id="seq alone"),
        pytest.param(b"7 ", 7, id="nothing after it"),
        pytest.param(b"7 \xc1", 7, id="no msgpack"),
        pytest.param(b"7 \x91\x01", 7, id="no entries"),
        pytest.param(pack_notice(notice(7, [b"x"]))[:-1], 7, id="cut off"),
    ],
)
def test_what_cannot_be_read(data: bytes, seq: int | None) -> None:
    """A notice that is none is passed over; of one with other entries than ours only the seq counts."""
    assert seq_in(data) == seq
    assert entries_in(data) == ()
