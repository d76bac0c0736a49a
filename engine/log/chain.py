"""The chain: each hash binds its entry and all the entries before it."""

import hashlib
from collections.abc import Iterable
from typing import Final

from engine.keyed import mac
from engine.log.entry import GENESIS, Cursor, Entry, Hash, LogError


class BrokenChain(LogError):
    """The chain does not hold at this seq."""


entry_mac: Final = mac
"""`e` of events.md: HMAC-SHA-256, with the race's salt, of a packed body, so that a public hash tells nothing."""


def next_hash(last: Hash, at: int, mac: bytes) -> Hash:
    """The hash of an entry at time `at` (ms) after one that bears `last`, as server/store/append.lua computes it."""
    return Hash(hashlib.sha1(b"%b%d%b" % (last.encode(), at, mac), usedforsecurity=False).hexdigest()[:32])


def check_chain(entries: Iterable[Entry], salt: bytes, seen: Cursor | None = None) -> Cursor:
    """Follow the chain from `seen` (default: the start) and return the last cursor.

    The first entry whose seq is not dense, whose time goes back or whose hash does not recompute is a `BrokenChain`.
    """
    seq, h = (0, GENESIS) if seen is None else (seen.seq, seen.h)
    at = 0
    for entry in entries:
        seq += 1
        if entry.seq != seq:
            raise BrokenChain(seq, f"expected seq {seq}, found {entry.seq}")
        if entry.at < at:
            raise BrokenChain(seq, f"expected a time not before {at}, found {entry.at}")
        h = next_hash(h, entry.at, entry_mac(salt, entry.body))
        if entry.h != h:
            raise BrokenChain(seq, f"expected hash {h}, found {entry.h}")
        at = entry.at
    return Cursor(seq, h)
