"""What is derived from the keys of a ring, and the commitment that binds a sealed deal before the race."""

import hashlib
import hmac
from base64 import b32encode
from typing import Final

from engine.codes import SEALED_LETTERS, number_letters
from engine.keyed import mac

SECRET_BYTES: Final = 16
"""Length of a salt and of a deal's seed: 128 bits."""

RID_LETTERS: Final = 26


def race_salt(key: bytes, rid: str, nonce: bytes) -> bytes:
    """The 16-byte salt of a race; told at its end, not before."""
    return mac(key, b"salt:" + rid.encode() + nonce)[:SECRET_BYTES]


def sealed_number(key: bytes, rid: str, nonce: bytes) -> str:
    """The 26-letter number part of a sealed race's code."""
    return _number(mac(key, b"deal:" + rid.encode() + nonce))


def stock_number(key: bytes, j: int) -> str:
    """The 26-letter number part of the deal `j` in the stock of deals proved winnable; each is used once."""
    return _number(mac(key, b"stock:%d" % j))


def daily_number(rid_key: bytes, day: int, game: str, ranked: bool = True) -> str:
    """The 26-letter number part of a game's deal of the day (in days of UTC since 1970), one for all who are ranked.

    Those who are not have another one in common: a guest costs nothing, and would show the deal before it counts.
    From the key that is never rotated, so that the deal stays the same all day.
    """
    return _number(mac(rid_key, f"daily:{day}:{game}{'' if ranked else ':unranked'}".encode()))


def daily_rid(rid_key: bytes, player: str, day: int, game: str, ranked: bool = True) -> str:
    """The id of the one race that a player has on a deal of the day; it says on which of the two."""
    return _rid(mac(rid_key, f"try:{player}:{day}:{game}{'' if ranked else ':unranked'}".encode()))


def created_rid(rid_key: bytes, player: str, idempotency_key: str) -> str:
    """The id of the race that this player creates with this idempotency key: 26 lower-case base-32 letters."""
    return _rid(mac(rid_key, f"race:{player}:{idempotency_key}".encode()))


def next_rid(rid_key: bytes, rid: str) -> str:
    """The id of the one successor of a race: its rematch, or the next of its series."""
    return _rid(mac(rid_key, f"next:{rid}".encode()))


def receipt(key: bytes, rid: str, recoveries: int, seq: int, h: str) -> str:
    """`sig`: proof, in 64 hex digits, that an entry had been confirmed after so many recoveries."""
    return mac(key, f"sig:{rid}:{recoveries}:{seq}:{h}".encode()).hex()


def receipt_holds(sig: str, key: bytes, rid: str, recoveries: int, seq: int, h: str) -> bool:
    """True when `sig` is that receipt; the time taken tells nothing about where it differs."""
    return hmac.compare_digest(sig.encode(), receipt(key, rid, recoveries, seq, h).encode())


def commitment(rid: str, code: str, salt: bytes) -> str:
    """What is public of a sealed deal until the end: SHA-256 of race, canonical code and salt, in 64 hex digits."""
    return hashlib.sha256(f"fairdeal:commit:1:{rid}:{code}:{salt.hex()}".encode()).hexdigest()


def _number(mac: bytes) -> str:
    return number_letters(int.from_bytes(mac[:SECRET_BYTES]), SEALED_LETTERS)


def _rid(mac: bytes) -> str:
    return b32encode(mac)[:RID_LETTERS].decode().lower()
