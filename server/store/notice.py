"""What a ring of the doorbell tells: how far a race's log has come, and its last entries themselves where they are few.

A node that stands right before them has no need to read: the chain shows that they follow.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from engine.log.entry import Entry, Hash

__all__ = ["Notice", "entries_in", "joined", "pack_notice", "seq_in"]

MOST_CARRIED: Final = 8
MOST_BYTES: Final = 1_000
"""Entries, and bytes of their bodies, that go with a ring; every node that has the race open is sent them."""
MOST_DIGITS: Final = 18

_Packed = tuple[int, str, int, str, bytes]
_PACKER: Final = msgspec.msgpack.Encoder()
_UNPACKER: Final = msgspec.msgpack.Decoder(tuple[_Packed, ...])


class Notice(Struct, frozen=True):
    """There are durable entries up to `seq`; the last of them are `entries`, or none where they were too many."""

    seq: int
    entries: tuple[Entry, ...] = ()


def joined(first: Notice | None, then: Notice) -> Notice:
    """Return one notice for two of the same race, in the order in which they were rung."""
    if first is None:
        return then
    if then.seq <= first.seq:
        return first
    entries = first.entries + then.entries
    dense = bool(first.entries) and len(then.entries) == then.seq - first.seq
    return Notice(then.seq, entries if dense and _few(entries) else ())


def pack_notice(notice: Notice) -> bytes:
    """Return what is published: the seq in digits, then a space and the entries, if any go along."""
    if not notice.entries or not _few(notice.entries):
        return b"%d" % notice.seq
    entries = [(one.seq, one.h, one.at, one.lane, one.body) for one in notice.entries]
    return b"%d %b" % (notice.seq, _PACKER.encode(entries))


def seq_in(data: bytes) -> int | None:
    """Return up to where a notice that was published tells of entries; None where it is none."""
    digits, _, _ = data.partition(b" ")
    return int(digits) if digits.isdigit() and len(digits) <= MOST_DIGITS else None


def entries_in(data: bytes) -> tuple[Entry, ...]:
    """Return the entries that go along with a notice; none where they are not as `pack_notice` writes them."""
    _, _, packed = data.partition(b" ")
    try:
        found = _UNPACKER.decode(packed) if packed else ()
    except msgspec.DecodeError:
        return ()
    return tuple([Entry(seq, Hash(h), at, lane, body) for seq, h, at, lane, body in found])


def _few(entries: tuple[Entry, ...]) -> bool:
    return len(entries) <= MOST_CARRIED and sum(len(entry.body) for entry in entries) <= MOST_BYTES
