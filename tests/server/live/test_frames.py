"""What goes over the wire around a message."""

from __future__ import annotations

import pytest

from engine.wire.codec import Subprotocol, encode
from engine.wire.outbound import Error
from server.live.frames import PREPARED, frame_of, framed


@pytest.mark.parametrize("length", [0, 125, 126, 65_535, 65_536])
def test_frames_are_those_of_the_standard(length: int) -> None:
    """A frame's head is that of RFC 6455, 5.2: final, unmasked, the length in one, three or nine bytes."""
    frame = framed(b"x" * length, Subprotocol.JSON)
    short = length if length < 126 else 126 if length < 1 << 16 else 127
    assert frame[:2] == bytes((0x81, short))
    size = {126: 2, 127: 8}.get(short, 0)
    assert size == 0 or int.from_bytes(frame[2 : 2 + size]) == length
    assert len(frame) == 2 + size + length
    assert framed(b"", Subprotocol.MSGPACK) == b"\x82\x00"


@pytest.mark.parametrize("subprotocol", Subprotocol)
def test_a_message_is_framed_as_its_payload_is(subprotocol: Subprotocol) -> None:
    """Whether its head was made before or not: the frame is that of the encoded message."""
    for length in (0, 80, 125, 126, *range(PREPARED - 60, PREPARED + 2), 70_000):
        message = Error("code", "x" * length)
        assert frame_of(message, subprotocol) == framed(encode(message, subprotocol), subprotocol)
