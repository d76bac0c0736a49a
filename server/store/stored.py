"""The entries of a log as its stream holds them, read: four fields under a dense id, and no other."""

from __future__ import annotations

from typing import Final

from engine.log.entry import Cursor, Entry, Hash, LogError

__all__ = ["Stored", "entries_after", "entries_in"]

FIELDS: Final = (b"h", b"a", b"l", b"b")

Stored = tuple[bytes, list[bytes]]
"""An entry as the stream has it: id, then names and values, unless another hand has written it."""


def entries_in(raw: list[Stored], after: int) -> tuple[Entry, ...]:
    """Return the entries that follow upon number `after`, densely numbered. Raises LogError where they are not so."""
    return _dense(tuple(map(_entry, raw)), after)


def entries_after(raw: list[Stored], cursor: Cursor) -> tuple[Entry, ...] | None:
    """Return the entries after the cursor's own, which leads them; None if that one is gone or bears another hash.

    Raises LogError where an entry is not as it is to be, or the numbers are not dense.
    """
    entries = tuple(map(_entry, raw))
    if cursor.seq > 0:
        if not entries or entries[0].seq != cursor.seq or entries[0].h != cursor.h:
            return None
        entries = entries[1:]
    return _dense(entries, cursor.seq)


def _dense(entries: tuple[Entry, ...], after: int) -> tuple[Entry, ...]:
    for seq, entry in enumerate(entries, after + 1):
        if entry.seq != seq:
            raise LogError(seq, f"expected seq {seq}, found {entry.seq}")
    return entries


def _entry(raw: Stored) -> Entry:
    try:
        seq_id, (h_is, h, a_is, at, l_is, lane, b_is, body) = raw
        if (h_is, a_is, l_is, b_is) == FIELDS and seq_id.endswith(b"-0"):
            return Entry(int(seq_id[:-2]), Hash(h.decode()), int(at), lane.decode(), body)
    except (TypeError, ValueError, AttributeError):
        pass  # It is told below what was found.
    raise LogError(0, f"expected an entry h, a, l, b under a dense id, found {raw!r}")
