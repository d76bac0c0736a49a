"""Slots: which one a command is for, and what `CLUSTER SLOTS` tells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.store import keys
from server.store.slots import Served, key_in, key_of, served, slot_of, slot_of_key


@pytest.mark.parametrize(
    ("command", "key"),
    [
        pytest.param(("HGET", "a", "b"), "a", id="the first word"),
        pytest.param(("XGROUP CREATE", b"a", "g", "0"), b"a", id="a command of two words"),
        pytest.param(("EVALSHA", "0" * 40, 2, "a", "b", "c"), "a", id="a script"),
        pytest.param(("EVAL", "return 1", 1, "a"), "a", id="the text of a script"),
        pytest.param(("XREADGROUP", "GROUP", "g", "c", b"COUNT", 1, b"STREAMS", "a", ">"), "a", id="a group's stream"),
        pytest.param(("TIME",), None, id="no key"),
        pytest.param(("INFO", "server"), None, id="a section is no key"),
        pytest.param(("GET", 7), "7", id="a number"),
    ],
)
def test_key_of(command: tuple[object, ...], key: str | bytes | None) -> None:
    """The key of a command is found wherever it stands."""
    assert key_of(command) == key


def test_all_of_a_race_is_in_one_slot() -> None:
    """A race's log and bell are told by the same master."""
    assert (
        slot_of(("XRANGE", keys.race_log("abc"), "-", "+")) == slot_of_key(keys.race_bell("abc")) == slot_of_key("abc")
    )


def test_a_race_is_known_by_its_channel() -> None:
    """The race that a channel is of is told by the channel's name."""
    assert keys.race_rung(keys.race_bell("abc").encode()) == "abc"


@given(st.sets(st.integers(0, 16383), min_size=1, max_size=3))
def test_key_in(slots: set[int]) -> None:
    """There is a key for any slots."""
    assert slot_of_key(key_in(slots, "mark")) in slots


def test_served() -> None:
    """Runs of slots, each with its master; who does not say where it is is where it was asked."""
    told = [
        [0, 5460, [b"10.0.0.1", 6379, b"id", []], [b"10.0.0.2", 6379, b"id"]],
        [5461, 5461, [b"", 6380, b"id"]],
        [5462, 5462, [b"?", 6380, b"id"]],
        [5463, 16383, [None, 6381, b"id"]],
    ]

    assert list(served(told, "asked")) == [
        Served(0, 5460, ("10.0.0.1", 6379)),
        Served(5461, 5461, ("asked", 6380)),
        Served(5462, 5462, ("asked", 6380)),
        Served(5463, 16383, ("asked", 6381)),
    ]
