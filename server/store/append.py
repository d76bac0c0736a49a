"""An append as Redis carries it out: the script, the command that calls it, and what came of it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib import resources
from itertools import chain
from typing import Final

from msgspec import Struct

from engine.log.entry import SHARED_LANE, Cursor, Entry, Hash
from server.store import keys
from server.store.batch import Command
from server.store.connect import StoreUnavailable
from server.store.pipe import Reply
from server.store.stored import entries_in

__all__ = [
    "SCRIPT",
    "Appended",
    "Archived",
    "Behind",
    "Forked",
    "Outcome",
    "TooEarly",
    "TooLate",
    "append_command",
    "found_in",
    "outcome_of",
    "unreadable",
]

SCRIPT: Final = resources.files("server.store").joinpath("append.lua").read_text(encoding="utf-8")
SHA: Final = hashlib.sha1(SCRIPT.encode(), usedforsecurity=False).hexdigest()


class Appended(Struct, frozen=True, tag=True):
    """The entries are in: after `seq_before`, after the missed ones of other lanes."""

    seq_before: int
    missed: tuple[Entry, ...]
    entries: tuple[Entry, ...]


class Behind(Struct, frozen=True, tag=True):
    """Nothing was written: these later entries may change the decision. Fold them, decide again."""

    missed: tuple[Entry, ...]


class Forked(Struct, frozen=True, tag=True):
    """What was seen is not in the log: drop the fold, read from 1."""


class TooEarly(Struct, frozen=True, tag=True):
    """Nothing was written: the entry would bear `now` (ms), before the window opens."""

    now: int


class TooLate(Struct, frozen=True, tag=True):
    """Nothing was written: the entry would bear `now` (ms), at the end of the window or after it."""

    now: int


class Archived(Struct, frozen=True, tag=True):
    """Nothing was written: the race is closed for good, its log is gone and its file in the archive is right."""


Outcome = Appended | Behind | Forked | TooEarly | TooLate | Archived


def append_command(
    rid: str,
    seen: Cursor,
    lane: str,
    bodies: Sequence[tuple[bytes, bytes]],
    start_ms: int | None,
    until_ms: int | None,
) -> Command:
    """Return the command that appends (MAC, body) pairs to a lane, within a time window (ms)."""
    return (
        "EVALSHA", SHA, "1", keys.race_log(rid), seen.seq, seen.h, lane,
        "" if start_ms is None else start_ms, "" if until_ms is None else until_ms,
        *chain.from_iterable(bodies),
    )  # fmt: skip


def outcome_of(reply: Reply, seen: Cursor, lane: str, bodies: Sequence[tuple[bytes, bytes]]) -> Outcome:
    """Return what a reply to that command says. Raises StoreUnavailable where it says none of that, LogError."""
    # A pattern such as int(seq) costs 1 µs, for Python looks in vain for what is to be matched within: 4 % of a move.
    match reply:
        case [b"appended", seq, missed, hashes, at] if (
            isinstance(seq, int) and isinstance(missed, list) and isinstance(hashes, list) and isinstance(at, int)
        ):
            entries: list[Entry] = []
            for h, (_, body) in zip(hashes, bodies, strict=True):
                entries.append(Entry(seq + len(entries) + 1, Hash(h.decode()), at, lane, body))
            return Appended(seq, entries_in(missed, seen.seq) if missed else (), tuple(entries))
        case [b"behind", list(missed)]:
            return Behind(entries_in(missed, seen.seq) if missed else ())
        case [b"forked"]:
            return Forked()
        case [b"early", int(now)]:
            return TooEarly(now)
        case [b"late", int(now)]:
            return TooLate(now)
        case _:
            raise unreadable(reply)


def found_in(behind: Behind, seen: Cursor, lane: str, bodies: Sequence[tuple[bytes, bytes]]) -> Appended | None:
    """The outcome of an append whose reply was lost, if it had gone in.

    If it had, its entries are together and are the first ones after `seen` that it conflicts with: had another of
    that lane or of `*` stood before them, the script would have refused them, and it writes all or none. Equal bodies
    of another node in that very place cannot be told apart, nor need they be: they are the same facts about the same
    lane, decided on the same state (a move names its number, a race its nonce, a connection its own number).
    """
    conflicts = (SHARED_LANE, lane)
    places = (place for place, entry in enumerate(behind.missed) if lane == SHARED_LANE or entry.lane in conflicts)
    first = next(places, 0)
    own = behind.missed[first : first + len(bodies)]
    if [(entry.lane, entry.body) for entry in own] != [(lane, body) for _, body in bodies]:
        return None
    return Appended(seen.seq + first, behind.missed[:first], own)


def unreadable(reply: object) -> StoreUnavailable:
    """Return the fault for a reply that is none of those there are."""
    return StoreUnavailable(f"a reply that no script of ours gives: {reply!r}"[:200])
