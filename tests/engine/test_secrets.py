"""Derivations from keys: spelt out, distinct from one another, and a commitment that only its salt opens."""

import base64
import hashlib
import hmac

from hypothesis import given
from hypothesis import strategies as st

from engine import secrets
from engine.codes import parse_code

KEY = bytes(range(32))
NONCE = bytes(range(16))
RID = "abcdefghijklmnopqrstuvwxyz"


def mac(text: bytes) -> bytes:
    return hmac.new(KEY, text, hashlib.sha256).digest()


def test_derivations_are_as_the_spec_spells_them() -> None:
    """Salt, seeds, ids, receipt and commitment from their formulas in events.md."""
    salt = mac(b"salt:" + RID.encode() + NONCE)[:16]

    assert secrets.race_salt(KEY, RID, NONCE) == salt
    assert secrets.created_rid(KEY, "p1", "key 1") == base64.b32encode(mac(b"race:p1:key 1"))[:26].decode().lower()
    assert secrets.next_rid(KEY, RID) == base64.b32encode(mac(b"next:" + RID.encode()))[:26].decode().lower()
    assert secrets.receipt(KEY, RID, 2, 17, "f" * 32) == mac(f"sig:{RID}:2:17:{'f' * 32}".encode()).hex()
    assert (
        secrets.commitment(RID, "GO1-E-AAAAAAB", salt)
        == hashlib.sha256(f"fairdeal:commit:1:{RID}:GO1-E-AAAAAAB:{salt.hex()}".encode()).hexdigest()
    )


def test_sealed_numbers_are_128_bits_in_26_letters() -> None:
    """A sealed deal's number is the seed's 128 bits in base 32, big-endian."""
    seed = int.from_bytes(mac(b"deal:" + RID.encode() + NONCE)[:16])
    letters = secrets.sealed_number(KEY, RID, NONCE)

    assert len(letters) == 26
    assert sum("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".index(x) << 5 * i for i, x in enumerate(reversed(letters))) == seed


@given(st.binary(min_size=16, max_size=16), st.integers(0, 10**9))
def test_numbers_read_back_as_codes(nonce: bytes, j: int) -> None:
    """What is derived for a sealed race or the stock is always a number part that codes accept."""
    for number in (secrets.sealed_number(KEY, RID, nonce), secrets.stock_number(KEY, j)):
        assert parse_code(f"GO1-E-{number}").number == number


def test_race_ids_are_26_lower_case_letters_of_base_32() -> None:
    """A race's id has 26 letters and is another for another player, key or predecessor."""
    rids = {
        secrets.created_rid(KEY, "p1", "a"),
        secrets.created_rid(KEY, "p2", "a"),
        secrets.created_rid(KEY, "p1", "b"),
        secrets.next_rid(KEY, RID),
    }

    assert len(rids) == 4
    assert all(len(rid) == 26 and set(rid) <= set("abcdefghijklmnopqrstuvwxyz234567") for rid in rids)


@given(
    st.integers(0, 3), st.integers(1, 99), st.text("0123456789abcdef", min_size=32, max_size=32), st.text(max_size=64)
)
def test_receipt_holds_only_for_what_it_names(recoveries: int, seq: int, h: str, other: str) -> None:
    """A receipt proves its own race, recoveries, seq and hash, and no other."""
    sig = secrets.receipt(KEY, RID, recoveries, seq, h)

    assert secrets.receipt_holds(sig, KEY, RID, recoveries, seq, h)
    assert not secrets.receipt_holds(sig, KEY, RID, recoveries + 1, seq, h)
    assert not secrets.receipt_holds(sig, KEY, RID, recoveries, seq + 1, h)
    assert not secrets.receipt_holds(sig, bytes(32), RID, recoveries, seq, h)
    assert not secrets.receipt_holds(other, KEY, RID, recoveries, seq, h)
