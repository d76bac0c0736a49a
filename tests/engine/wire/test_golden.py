"""The bytes of every message in both codings, read and written; clients out there rely on them."""

from __future__ import annotations

import json
from typing import get_args

import msgpack
import pytest

from engine.wire.codec import Subprotocol, decode_inbound, decode_outbound, encode
from engine.wire.inbound import Inbound
from engine.wire.outbound import Outbound
from tests.engine.wire.golden import kept
from tests.engine.wire.messages import INBOUND, OUTBOUND

ALL = [
    pytest.param(message, kept(side)[name], decode, id=f"{side} {name}")
    for side, messages, decode in (("inbound", INBOUND, decode_inbound), ("outbound", OUTBOUND, decode_outbound))
    for name, message in messages.items()
]


@pytest.mark.parametrize(("message", "golden", "decode"), ALL)
def test_bytes_both_ways(message, golden, decode) -> None:
    """A message is written as the kept bytes, and these are read as the message, in both codings."""
    assert encode(message, Subprotocol.JSON) == golden.text
    assert encode(message, Subprotocol.MSGPACK) == golden.packed
    assert decode(golden.text, Subprotocol.JSON) == message
    assert decode(golden.packed, Subprotocol.MSGPACK) == message


@pytest.mark.parametrize(("message", "golden", "decode"), ALL)
def test_msgpack_and_json_say_the_same(message, golden, decode) -> None:
    """Read with libraries that know no types of ours, both codings hold the same; what those write is read."""
    plain = json.loads(golden.text)
    assert msgpack.unpackb(golden.packed) == plain
    assert plain["t"] == message.__struct_config__.tag
    assert decode(msgpack.packb(plain), Subprotocol.MSGPACK) == message
    assert decode(json.dumps(plain).encode(), Subprotocol.JSON) == message


@pytest.mark.parametrize(
    ("union", "side", "messages"), [(Inbound, "inbound", INBOUND), (Outbound, "outbound", OUTBOUND)]
)
def test_every_message_has_its_bytes(union, side, messages) -> None:
    """No message is without kept bytes, and none is kept that is no message any more."""
    assert {type(message) for message in messages.values()} == set(get_args(union))
    assert list(kept(side)) == list(messages)
