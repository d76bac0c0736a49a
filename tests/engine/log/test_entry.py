"""Bodies and entries: one writing for each body, and everything else refused by seq."""

from contextlib import suppress

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.log.entry import Body, LogError, pack_body, unpack_body

finite = st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | finite | st.text(max_size=8) | st.binary(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
data = st.dictionaries(st.text(max_size=4), values, max_size=4)
bodies = st.builds(
    Body,
    k=st.text(max_size=12),
    v=st.integers(0, 9),
    s=st.none() | st.integers(1, 100),
    d=data,
)


@given(bodies)
def test_unpack_is_the_inverse_of_pack(body: Body) -> None:
    """A body comes back from its bytes as it was."""
    assert unpack_body(pack_body(body)) == body


@given(bodies)
def test_order_of_keys_does_not_show(body: Body) -> None:
    """Equal bodies have equal bytes, in whatever order their data was put together."""
    turned = Body(body.k, body.v, body.s, dict(reversed(body.d.items())))

    assert pack_body(turned) == pack_body(body)


@given(st.binary(max_size=40))
def test_any_bytes_are_a_body_or_a_log_error(packed: bytes) -> None:
    """Reading is total: what is read writes the same bytes again, all else is a LogError."""
    with suppress(LogError):
        assert pack_body(unpack_body(packed)) == packed


@given(bodies, st.data())
def test_cut_or_changed_bytes_never_read_as_the_same_body(body: Body, draw: st.DataObject) -> None:
    """A body with one byte changed or missing is another body or none."""
    packed = pack_body(body)
    place = draw.draw(st.integers(0, len(packed) - 1))
    changed = packed[:place] + bytes([packed[place] ^ draw.draw(st.integers(1, 255))]) + packed[place + 1 :]

    for other in (changed, packed[:place]):
        with suppress(LogError):
            assert unpack_body(other) != body


def deep(levels: int) -> dict[str, object]:
    return {"d": deep(levels - 1)} if levels else {}


MALFORMED = {
    "nothing": b"",
    "no array": msgpack.packb({"k": "race.ready"}),
    "too short": msgpack.packb(["race.ready", 1, None]),
    "too long": msgpack.packb(["race.ready", 1, None, {}, 0]),
    "kind not text": msgpack.packb([b"race.ready", 1, None, {}]),
    "version a truth value": msgpack.packb(["race.ready", True, None, {}]),
    "seat a truth value": msgpack.packb(["race.ready", 1, True, {}]),
    "data no map": msgpack.packb(["race.ready", 1, None, []]),
    "no number": msgpack.packb(["race.ready", 1, None, {"x": float("nan")}]),
    "an infinite number": msgpack.packb(["race.ready", 1, None, {"x": float("inf")}]),
    "a key that is no text": msgpack.packb(["race.ready", 1, None, {b"x": 1}]),
    "an inner key that is a number": msgpack.packb(["race.ready", 1, None, {"x": {1: 1}}]),
    "a time stamp": msgpack.packb(["race.ready", 1, None, {"x": msgpack.Timestamp(1)}]),
    "an extension": msgpack.packb(["race.ready", 1, None, {"x": msgpack.ExtType(5, b"x")}]),
    "something after it": pack_body(Body("race.ready", 1, None, {})) + b"\x00",
    "a number written long": b"\x94\xaarace.ready\xcc\x01\xc0\x80",
    "keys out of order": b"\x94\xaarace.ready\x01\xc0\x82\xa1b\x01\xa1a\x01",
    "a key twice": b"\x94\xaarace.ready\x01\xc0\x82\xa1a\x01\xa1a\x01",
    "half a letter": b"\x94\xa1\xc3\x01\xc0\x80",
    "too deep": msgpack.packb(["race.ready", 1, None, deep(17)]),
    "deeper than a stack": b"\x94\xa1k\x01\xc0" + b"\x81\xa1d" * 900 + b"\x80",
}


@pytest.mark.parametrize("packed", MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_body_is_named_by_seq(packed: bytes) -> None:
    """What `pack_body` would not write is refused, and the error carries the entry's seq."""
    with pytest.raises(LogError, match="entry 12: expected ") as caught:
        unpack_body(packed, 12)

    assert caught.value.seq == 12


def test_golden_body() -> None:
    """The bytes of a body, which old logs depend on."""
    body = Body("seat.played", 1, 2, {"n": 3, "m": "c3r4"})

    assert pack_body(body) == bytes.fromhex("94ab736561742e706c617965640102 82a16da463337234a16e03")
