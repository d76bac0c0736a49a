"""The two subprotocols: the same messages as msgpack in binary frames, or as JSON in text frames."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Protocol, TypeVar

import msgspec

from engine.misfit import UNREADABLE
from engine.wire.inbound import Inbound
from engine.wire.outbound import Outbound

__all__ = ["ENCODERS", "BadFrame", "Subprotocol", "decode_inbound", "decode_outbound", "encode"]


class Subprotocol(StrEnum):
    """What a WebSocket speaks, by the name offered in its handshake."""

    MSGPACK = "fairdeal.v1.msgpack"
    JSON = "fairdeal.v1.json"


class BadFrame(ValueError):
    """A frame that holds no message; `command_id` is there where it can be read, so that it is answered."""

    def __init__(self, message: str, command_id: str | None = None) -> None:
        self.command_id = command_id
        super().__init__(message)


T_co = TypeVar("T_co", covariant=True)


class _Decoder(Protocol[T_co]):
    def decode(self, frame: bytes, /) -> T_co: ...


class _Encoder(Protocol):
    def encode(self, message: object, /) -> bytes: ...


_INBOUND: Final[Mapping[Subprotocol, _Decoder[Inbound]]] = {
    Subprotocol.MSGPACK: msgspec.msgpack.Decoder(Inbound),
    Subprotocol.JSON: msgspec.json.Decoder(Inbound),
}
_OUTBOUND: Final[Mapping[Subprotocol, _Decoder[Outbound]]] = {
    Subprotocol.MSGPACK: msgspec.msgpack.Decoder(Outbound),
    Subprotocol.JSON: msgspec.json.Decoder(Outbound),
}
_ANYTHING: Final[Mapping[Subprotocol, _Decoder[object]]] = {
    Subprotocol.MSGPACK: msgspec.msgpack.Decoder(),
    Subprotocol.JSON: msgspec.json.Decoder(),
}
ENCODERS: Final[Mapping[Subprotocol, _Encoder]] = {
    Subprotocol.MSGPACK: msgspec.msgpack.Encoder(),
    Subprotocol.JSON: msgspec.json.Encoder(),
}
"""What `encode` uses, for who frames what it makes."""


def encode(message: Outbound | Inbound, subprotocol: Subprotocol) -> bytes:
    """Return the frame of a message; for JSON the UTF-8 of its text."""
    return ENCODERS[subprotocol].encode(message)


def decode_inbound(frame: bytes, subprotocol: Subprotocol) -> Inbound:
    """Read what a client said. Raises BadFrame for whatever is no message, whatever it is."""
    try:
        return _INBOUND[subprotocol].decode(frame)
    except UNREADABLE as error:
        raise BadFrame(_sentence(error), _id_in(frame, subprotocol)) from None


def decode_outbound(frame: bytes, subprotocol: Subprotocol) -> Outbound:
    """Read what the server said. Raises BadFrame."""
    try:
        return _OUTBOUND[subprotocol].decode(frame)
    except UNREADABLE as error:
        raise BadFrame(_sentence(error)) from None


def _sentence(error: Exception) -> str:
    return str(error) if isinstance(error, msgspec.DecodeError) else f"the frame cannot be read: {error}"


def _id_in(frame: bytes, subprotocol: Subprotocol) -> str | None:
    try:
        value = _ANYTHING[subprotocol].decode(frame)
    except UNREADABLE:
        return None
    command_id = value.get("id") if isinstance(value, dict) else None
    return command_id if isinstance(command_id, str) and 1 <= len(command_id) <= 64 else None
