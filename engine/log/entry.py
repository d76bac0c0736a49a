"""One entry of a race's log, and the body that it carries."""

from math import isfinite
from typing import Final, NewType

import msgpack
import msgspec
from msgspec import Struct

Hash = NewType("Hash", str)
"""A chain hash: 32 lower-case hex digits."""

GENESIS: Final = Hash("0" * 32)
"""The hash that stands before the first entry."""

SHARED_LANE: Final = "*"
"""The lane of whatever does not depend on one seat's board alone."""

MAX_DEPTH: Final = 16
"""How deep the data of a body may be nested."""

PACKER: Final = msgspec.msgpack.Encoder(order="sorted")
"""Packs bodies `[k, v, s, d]` with their keys sorted: equal ones have equal bytes, on any node."""


class LogError(Exception):
    """A log that cannot be read: the entry's seq, and what is wrong with it."""

    def __init__(self, seq: int, fault: str) -> None:
        super().__init__(f"entry {seq}: {fault}")
        self.seq = seq
        self.fault = fault


class Cursor(Struct, frozen=True, gc=False):
    """How far a log has been seen: the last seq, from 0, and the hash that it bears."""

    seq: int = 0
    h: Hash = GENESIS


START: Final = Cursor()
"""The cursor of one who has seen nothing."""


class Body(Struct, frozen=True, array_like=True, gc=False):
    """What an entry says: kind, schema version of that kind, seat or none, and data of plain values."""

    k: str
    v: int
    s: int | None
    d: dict[str, object]


class Entry(Struct, frozen=True, gc=False):
    """An entry as it is stored: seq from 1, chain hash, time in ms, lane (`*` or a seat's number) and packed body."""

    seq: int
    h: Hash
    at: int
    lane: str
    body: bytes

    @property
    def cursor(self) -> Cursor:
        """The cursor of one who has seen everything up to this entry."""
        return Cursor(self.seq, self.h)


def pack_body(body: Body) -> bytes:
    """Pack a body; events have a quicker way to the same bytes, `packed`."""
    return PACKER.encode(body)


def unpack_body(packed: bytes, seq: int = 0) -> Body:
    """Unpack a body, the exact inverse of `pack_body`; whatever that does not write is a `LogError` naming `seq`."""
    try:
        parts: object = msgpack.unpackb(packed)
    except (ValueError, TypeError, msgpack.UnpackException) as error:
        raise LogError(seq, f"expected a msgpack body, found {error or type(error).__name__}") from None
    match parts:
        case [str(k), int(v), None | int() as s, dict(d)] if not isinstance(v, bool) and not isinstance(s, bool):
            _check_plain(d, seq, MAX_DEPTH)
            body = Body(k, v, s, d)
        case _:
            raise LogError(seq, "expected a body of kind, version, seat and data, found something else")
    if pack_body(body) != packed:
        raise LogError(seq, "expected the shortest msgpack with sorted keys, found another writing of the same body")
    return body


def _check_plain(value: object, seq: int, depth: int) -> None:
    if depth == 0:
        raise LogError(seq, f"expected data at most {MAX_DEPTH} deep, found deeper")
    match value:
        case None | bool() | int() | str() | bytes():
            return
        case float() if isfinite(value):
            return
        case dict():
            for key, item in value.items():
                if not isinstance(key, str):
                    raise LogError(seq, f"expected text as key, found {key!r}")
                _check_plain(item, seq, depth - 1)
        case list():
            for item in value:
                _check_plain(item, seq, depth - 1)
        case _:
            raise LogError(seq, f"expected plain data, found {type(value).__name__}")
