"""Reading what clients send: any bytes are a message or a BadFrame, and nothing else happens."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.wire import inbound
from engine.wire.codec import BadFrame, Subprotocol, decode_inbound, decode_outbound, encode

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
TAGS = st.sampled_from(["hello", "join", "play", "ping", "queue", "resume", "dance"])
KEYS = st.sampled_from(["v", "race", "id", "n", "m", "token", "name", "lang", "boards", "resume", "game", "c"])


def _read(frame: bytes, subprotocol: Subprotocol) -> inbound.Inbound | None:
    try:
        return decode_inbound(frame, subprotocol)
    except BadFrame:
        return None


@given(frame=st.binary(max_size=200), subprotocol=st.sampled_from(Subprotocol))
def test_any_bytes(frame: bytes, subprotocol: Subprotocol) -> None:
    """Any bytes are read, as a message or as none, on either side of the wire."""
    _read(frame, subprotocol)
    with suppress(BadFrame):
        decode_outbound(frame, subprotocol)


@given(tag=TAGS, fields=st.dictionaries(KEYS, PLAIN))
def test_any_map(tag: str, fields: dict[str, Any]) -> None:
    """A map is the same message, or none, in both codings; what is read can be written, and is then the same."""
    plain = {"t": tag, **fields}
    packed = _read(msgpack.packb(plain), Subprotocol.MSGPACK)
    text = _read(json.dumps(plain).encode(), Subprotocol.JSON)
    assert packed == text
    if packed is not None:
        for subprotocol in Subprotocol:
            assert decode_inbound(encode(packed, subprotocol), subprotocol) == packed


@pytest.mark.parametrize("subprotocol", list(Subprotocol))
@pytest.mark.parametrize(
    ("plain", "command_id"),
    [
        pytest.param({"t": "play", "id": "p1", "race": "r", "n": "1", "m": "d"}, "p1", id="n as text"),
        pytest.param({"t": "play", "id": "p1", "race": "r", "m": "d"}, "p1", id="no n"),
        pytest.param({"t": "play", "id": "p1", "race": "r", "n": 1, "m": "d" * 33}, "p1", id="m too long"),
        pytest.param({"t": "join", "id": "j", "race": ""}, "j", id="empty race"),
        pytest.param({"t": "join", "id": "j", "race": 7}, "j", id="race as a number"),
        pytest.param({"t": "dance", "id": "d"}, "d", id="unknown message"),
        pytest.param({"id": "x"}, "x", id="no t"),
        pytest.param({"t": "join", "id": "", "race": "r"}, None, id="empty id"),
        pytest.param({"t": "join", "id": "i" * 65, "race": "r"}, None, id="id too long"),
        pytest.param({"t": "join", "id": 7, "race": "r"}, None, id="id as a number"),
        pytest.param(["join"], None, id="no map"),
    ],
)
def test_bad_frames_name_their_command(plain: object, command_id: str | None, subprotocol: Subprotocol) -> None:
    """What is no message says what is wrong with it, and which command it was where that can be read."""
    frame = msgspec.json.encode(plain) if subprotocol is Subprotocol.JSON else msgpack.packb(plain)
    with pytest.raises(BadFrame) as fault:
        decode_inbound(frame, subprotocol)
    assert fault.value.command_id == command_id
    assert str(fault.value)


@pytest.mark.parametrize("subprotocol", list(Subprotocol))
def test_unknown_keys_are_ignored(subprotocol: Subprotocol) -> None:
    """A newer client may say more than is understood here."""
    plain = {"t": "ping", "c": 1, "mood": {"good": True}}
    frame = msgspec.json.encode(plain) if subprotocol is Subprotocol.JSON else msgpack.packb(plain)
    assert decode_inbound(frame, subprotocol) == inbound.Ping(1)


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param(b'{"t":"hello","v":1,"name":"\\ud800"}', id="half a surrogate pair"),
        pytest.param(b'{"t":"ping","c":1}{"t":"ping"}', id="two messages"),
        pytest.param(b'{"t":"ping","c":NaN}', id="no number"),
        pytest.param(b'{"t":"play","race":"r","n":1e400,"m":"d"}', id="a number out of range"),
        pytest.param(b"[" * 100_000, id="nested too deep"),
        pytest.param(b'{"t":"ping","c":"\xff"}', id="no UTF-8"),
    ],
)
def test_json_beyond_json(frame: bytes) -> None:
    """What only looks like JSON is refused."""
    with pytest.raises(BadFrame):
        decode_inbound(frame, Subprotocol.JSON)
