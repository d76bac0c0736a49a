"""The chain: it holds for what was written, and names the first seq where anything differs."""

import hashlib
import hmac

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.log.chain import BrokenChain, check_chain, entry_mac, next_hash
from engine.log.entry import GENESIS, START, Cursor, Entry, Hash

SALT = bytes(range(16))


def chained(bodies: list[bytes], salt: bytes = SALT, at: int = 1_795_000_000_000) -> list[Entry]:
    entries: list[Entry] = []
    h = GENESIS
    for seq, body in enumerate(bodies, 1):
        h = next_hash(h, at + seq, entry_mac(salt, body))
        entries.append(Entry(seq, h, at + seq, "*", body))
    return entries


def test_golden_hashes() -> None:
    """A MAC and a hash spelt out, as another implementation would compute them."""
    mac = hmac.new(SALT, b"body", hashlib.sha256).digest()
    h = hashlib.sha1(b"0" * 32 + b"1795000000000" + mac).hexdigest()[:32]

    assert entry_mac(SALT, b"body") == mac
    assert next_hash(GENESIS, 1_795_000_000_000, mac) == h == "b204bc8afd4533279d5bc314f2aee339"


@given(st.lists(st.binary(max_size=20), max_size=8), st.data())
def test_chain_holds_from_any_cursor(bodies: list[bytes], data: st.DataObject) -> None:
    """What was written checks to its last cursor, from the start and from wherever one has got to."""
    entries = chained(bodies)
    cursors = [START, *(entry.cursor for entry in entries)]
    seen = data.draw(st.sampled_from(cursors))

    assert check_chain(entries, SALT) == cursors[-1]
    assert check_chain(entries[seen.seq :], SALT, seen) == cursors[-1]


@given(st.lists(st.binary(min_size=1, max_size=20), min_size=1, max_size=6), st.data())
def test_any_changed_byte_is_found_at_its_entry(bodies: list[bytes], data: st.DataObject) -> None:
    """One changed byte of a body, a hash or a time breaks the chain at that entry."""
    entries = chained(bodies)
    place = data.draw(st.integers(0, len(entries) - 1))
    entry = entries[place]
    byte, flip = data.draw(st.integers(0, len(entry.body) - 1)), data.draw(st.integers(1, 255))
    body = entry.body[:byte] + bytes([entry.body[byte] ^ flip]) + entry.body[byte + 1 :]
    digit = data.draw(st.integers(0, 31))
    h = Hash(entry.h[:digit] + ("0" if entry.h[digit] != "0" else "1") + entry.h[digit + 1 :])
    at = entry.at ^ 1 << data.draw(st.integers(0, 40))

    for changed in (Entry(entry.seq, entry.h, entry.at, entry.lane, body), msgspec.structs.replace(entry, h=h)):
        with pytest.raises(BrokenChain) as caught:
            check_chain([*entries[:place], changed, *entries[place + 1 :]], SALT)
        assert caught.value.seq == place + 1
    with pytest.raises(BrokenChain) as caught:
        check_chain([*entries[:place], msgspec.structs.replace(entry, at=at), *entries[place + 1 :]], SALT)
    assert caught.value.seq == place + 1


def swapped(entries: list[Entry]) -> list[Entry]:
    return [entries[0], entries[2], entries[1], *entries[3:]]


def set_back(entries: list[Entry]) -> list[Entry]:
    return [*entries[:3], msgspec.structs.replace(entries[3], at=5)]


FAULTS = {
    "one left out": (lambda entries: entries[:1] + entries[2:], SALT, 2, "expected seq 2, found 3"),
    "two swapped": (swapped, SALT, 2, "expected seq 2, found 3"),
    "another salt": (lambda entries: entries, bytes(16), 1, "expected hash"),
    "time going back": (set_back, SALT, 4, "not before"),
}


@pytest.mark.parametrize(("change", "salt", "seq", "fault"), FAULTS.values(), ids=FAULTS.keys())
def test_faults_are_named(change: object, salt: bytes, seq: int, fault: str) -> None:
    """Each way of breaking a chain is named with the first seq that shows it."""
    assert callable(change)
    entries = change(chained([b"a", b"b", b"c", b"d"]))

    with pytest.raises(BrokenChain, match=fault) as caught:
        check_chain(entries, salt)

    assert caught.value.seq == seq


def test_wrong_cursor_is_a_broken_chain() -> None:
    """A log that goes on from another hash than the one seen is broken at the first entry after it."""
    entries = chained([b"a", b"b", b"c"])

    with pytest.raises(BrokenChain) as caught:
        check_chain(entries[1:], SALT, Cursor(1, Hash("f" * 32)))

    assert caught.value.seq == 2
