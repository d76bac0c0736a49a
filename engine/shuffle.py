"""The published shuffle: from a key to an order of the pack (codes.md, "From number to cards")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from engine.cards import Card

__all__ = ["below", "shuffled"]

_WORDS = 2**32


def _words(key: bytes) -> Iterator[int]:
    """Yield 32-bit words: SHA-256(key ‖ counter as 4 bytes big-endian), eight big-endian words a digest."""
    for counter in range(_WORDS):
        digest = sha256(key + counter.to_bytes(4, "big")).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")


def below(n: int, words: Iterator[int]) -> int:
    """Return an unbiased number below n: words from the incomplete last span of n are rejected."""
    limit = _WORDS - _WORDS % n
    return next(word for word in words if word < limit) % n


def shuffled(key: bytes, pack: Sequence[Card]) -> tuple[Card, ...]:
    """Return the pack in the order that the key gives (Fisher–Yates, i from last down to 1)."""
    words = _words(key)
    order = list(pack)
    for i in range(len(order) - 1, 0, -1):
        j = below(i + 1, words)
        order[i], order[j] = order[j], order[i]
    return tuple(order)
