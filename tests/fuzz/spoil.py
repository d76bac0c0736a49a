"""How a good input is spoiled: bits turned, bytes cut, doubled, swapped, numbers at their edges, deep nesting."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

__all__ = ["spoiled"]

EDGES: Final = (
    b"-1", b"0", b"9223372036854775807", b"9223372036854775808", b"18446744073709551616", b"1e400", b"NaN", b"null",
    b"\xcf" + b"\xff" * 8, b"\xd3\x80" + b"\x00" * 7, b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff", b"\xff\xfe", b"\xed\xa0\x80", b"\x00", "\u202e".encode(), rb"\ud800",
    b'"', b"{", b"[", b"}", b"\x91" * 600, b"[" * 600, b'{"t":' * 300,
)  # fmt: skip
"""Numbers no machine integer holds, lengths no frame has, broken UTF-8, halves of surrogates, nesting."""
LONGEST: Final = 20_000


def spoiled(seeds: Sequence[bytes], chance: Random) -> bytes:
    """Return one of the inputs after one to six changes, at most 20,000 bytes."""
    data = bytearray(
        chance.choice(seeds) if seeds and chance.random() < 0.97 else chance.randbytes(chance.randrange(64))
    )
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data) + 1)
        other = chance.choice(seeds) if seeds else b""
        match chance.randrange(7):
            case 0 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
            case 1:
                del data[at : at + chance.randint(1, 16)]
            case 2:
                data[at:at] = chance.choice(EDGES)
            case 3:
                data[at:at] = data[at : at + chance.randint(1, 64)]
            case 4:
                end = at + chance.randint(1, 8)
                data[at:end] = chance.choice(EDGES)
            case 5:
                start = chance.randrange(len(other) + 1)
                data[at:at] = other[start : start + chance.randint(1, 64)]
            case _:
                del data[at:]
    return bytes(data[:LONGEST])
