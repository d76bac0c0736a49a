"""The bytes of a replay file: the document in one zstd frame, then the SHA-256 of that; nothing follows."""

from __future__ import annotations

import hashlib
from typing import Final

import zstandard
from msgspec import Struct

from engine.replay.document import Replay, ReplayError, packed_parts, read_parts

__all__ = ["CHECKSUM_BYTES", "MAX_DOCUMENT_BYTES", "Inflated", "inflate", "read_replay", "write_replay"]

BEGINNING: Final = zstandard.FRAME_HEADER
CHECKSUM_BYTES: Final = 32
MAX_DOCUMENT_BYTES: Final = 64 << 20
"""No race comes near it; a file that says it is longer is not read."""
MAX_SWELLING: Final = 8
"""Nor does a replay swell more than threefold: half of an entry is its hash, which nothing can compress."""
SPARE_BYTES: Final = 256 << 10
"""A header may swell more: it can say the same of each of a hundred seats."""
LEVEL: Final = 12
ENTRIES_IN_A_BLOCK: Final = 32
SLICE_BYTES: Final = 64
"""Fed at once to the decompressor: no slice of a small file can swell to more than a few MiB."""


class Inflated(Struct, frozen=True):
    """A document as far as it could be decompressed: where in the file that ended too early (None: it did not)."""

    document: bytes
    broken_at: int | None


def write_replay(replay: Replay) -> bytes:
    """Write a replay file: the same bytes for the same race, whichever node writes them (with the same zstd).

    Every 32 entries end a block of the frame, so that of a damaged file all before the damage can still be read.
    """
    head, *entries = packed_parts(replay)
    size = len(head) + sum(map(len, entries))
    frame = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compressobj(size=size)
    written = [frame.compress(head)]
    for start in range(0, len(entries), ENTRIES_IN_A_BLOCK):
        written.append(frame.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK))
        written.append(frame.compress(b"".join(entries[start : start + ENTRIES_IN_A_BLOCK])))
    written.append(frame.flush())
    compressed = b"".join(written)
    return compressed + hashlib.sha256(compressed).digest()


def read_replay(data: bytes) -> Replay:
    """Read a replay file, its checksum first. Raises ReplayError; what the file says is for `verify` to check."""
    if not data.startswith(BEGINNING):
        found = data[: len(BEGINNING)].hex() or "nothing"
        raise ReplayError("file", f"expected a replay file, whose first bytes are {BEGINNING.hex()}, found {found}")
    compressed, checksum = data[:-CHECKSUM_BYTES], data[-CHECKSUM_BYTES:]
    if len(data) <= CHECKSUM_BYTES or hashlib.sha256(compressed).digest() != checksum:
        raise ReplayError("checksum", "expected the SHA-256 of all before it in the last 32 bytes, found another")
    inflated = inflate(compressed)
    if inflated.broken_at is not None:
        raise ReplayError(f"byte {inflated.broken_at}", "expected one zstd frame and nothing after it, found no such")
    header, entries, _, fault = read_parts(inflated.document)
    if fault is not None:
        raise fault
    replay = Replay(header, tuple(entries))
    if b"".join(packed_parts(replay)) != inflated.document:
        raise ReplayError("file", "expected the shortest msgpack, keys in their order, found another writing")
    return replay


def inflate(compressed: bytes) -> Inflated:
    """Decompress one frame as far as that goes, and no further than a replay of that length can."""
    most = min(MAX_DOCUMENT_BYTES, SPARE_BYTES + MAX_SWELLING * len(compressed))
    document = bytearray()
    frame = zstandard.ZstdDecompressor(max_window_size=MAX_DOCUMENT_BYTES).decompressobj()
    for start in range(0, len(compressed), SLICE_BYTES):
        piece = compressed[start : start + SLICE_BYTES]
        try:
            document += frame.decompress(piece)
        except zstandard.ZstdError:
            return Inflated(bytes(document), start)
        if len(document) > most:
            return Inflated(bytes(document), start)
        if frame.eof:
            rest = len(frame.unused_data) + len(compressed) - start - len(piece)
            return Inflated(bytes(document), len(compressed) - rest if rest else None)
    return Inflated(bytes(document), len(compressed))
