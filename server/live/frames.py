"""Whole WebSocket frames of what a server says."""

from __future__ import annotations

from typing import Final

from engine.wire.codec import ENCODERS, Subprotocol
from engine.wire.outbound import Outbound

__all__ = ["frame_of", "framed"]

PREPARED: Final = 1024
"""Payloads shorter than this get a head that was made before; nearly all are."""


def frame_of(message: Outbound, subprotocol: Subprotocol) -> bytes:
    """Return a message as one frame."""
    payload = ENCODERS[subprotocol].encode(message)
    length = len(payload)
    return _HEADS[subprotocol][length] + payload if length < PREPARED else framed(payload, subprotocol)


def framed(payload: bytes, subprotocol: Subprotocol) -> bytes:
    """Return a whole frame of a server: unmasked, uncompressed, final (RFC 6455, 5.2)."""
    return _head(len(payload), subprotocol) + payload


def _head(length: int, subprotocol: Subprotocol) -> bytes:
    final = 0x81 if subprotocol is Subprotocol.JSON else 0x82
    if length < 126:
        return bytes((final, length))
    if length < 1 << 16:
        return bytes((final, 126)) + length.to_bytes(2)
    return bytes((final, 127)) + length.to_bytes(8)


_HEADS: Final = {subprotocol: [_head(length, subprotocol) for length in range(PREPARED)] for subprotocol in Subprotocol}
