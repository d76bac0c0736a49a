"""HMAC-SHA-256 with keys that are used again and again: of each the hashing of the key is done once."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hashlib import _Hash

__all__ = ["mac"]

KEYS: Final = 4096
"""Keys whose hashing is remembered: one a race under way, and those of the ring."""
_BLOCK: Final = 64
_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))

# Two hashes a move ask for it: a call of `lru_cache` takes a fifth of what they take.
_begun: dict[bytes, tuple[_Hash, _Hash]] = {}


def mac(key: bytes, text: bytes) -> bytes:
    """Return HMAC-SHA-256 (RFC 2104), 32 bytes; half the time of the library's, which hashes the key each time."""
    inner, outer = _begun.get(key) or _begin(key)
    hashed = inner.copy()
    hashed.update(text)
    whole = outer.copy()
    whole.update(hashed.digest())
    return whole.digest()


def _begin(key: bytes) -> tuple[_Hash, _Hash]:
    block = (hashlib.sha256(key).digest() if len(key) > _BLOCK else key).ljust(_BLOCK, b"\0")
    if len(_begun) >= KEYS:
        _begun.clear()
    begun = _begun[key] = hashlib.sha256(block.translate(_INNER)), hashlib.sha256(block.translate(_OUTER))
    return begun
