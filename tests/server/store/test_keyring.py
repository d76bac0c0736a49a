"""The key ring: created once, readable by its owner only, and never quoted."""

import re
from pathlib import Path

import pytest

from server.store.keyring import (
    KeyRingError,
    chosen,
    extended,
    new_key_ring,
    open_key_ring,
    read_key_ring,
    replace_key_ring,
    rotated,
    write_key_ring,
)


def test_ring_is_created_once(tmp_path: Path) -> None:
    """The first opening makes the file, mode 0600, and every later one reads the same keys."""
    path = tmp_path / "keys.json"

    ring = open_key_ring(path)

    assert path.stat().st_mode & 0o777 == 0o600
    assert open_key_ring(path) == ring
    assert [entry.name for entry in tmp_path.iterdir()] == ["keys.json"]
    assert len(ring.key(ring.current)) == len(ring.rid_key) == 32


def test_ring_of_whoever_was_quicker_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two that find no file and create one both use the first one's keys."""
    path = tmp_path / "keys.json"
    first = open_key_ring(path)
    monkeypatch.setattr(Path, "exists", lambda _: False)

    assert open_key_ring(path) == first


def test_writing_reads_back() -> None:
    """A ring comes back from its text as it was."""
    ring = rotated(new_key_ring())

    assert read_key_ring(write_key_ring(ring)) == ring


def test_rotation_keeps_what_old_races_need() -> None:
    """After a rotation there is a new current key; the old keys and the key of race ids are as before."""
    ring = new_key_ring()

    turned = rotated(ring)

    assert turned.current != ring.current
    assert turned.key(ring.current) == ring.key(ring.current)
    assert turned.rid_key == ring.rid_key


def test_rotation_in_two_steps(tmp_path: Path) -> None:
    """A key is first there, then used: a node that has the longer ring serves races of either; the file stays 0600."""
    path = tmp_path / "keys.json"
    ring = open_key_ring(path)

    replace_key_ring(path, extended(ring))
    longer = open_key_ring(path)
    replace_key_ring(path, chosen(longer, list(longer.keys)[-1]))
    turned = open_key_ring(path)

    assert longer.current == ring.current
    assert len(longer.keys) == 2
    assert turned.current == list(longer.keys)[-1]
    assert turned.keys == longer.keys
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["keys.json"]


def test_unknown_key_is_not_chosen() -> None:
    """A key that is not in the ring cannot be the one in use."""
    with pytest.raises(KeyRingError, match="expected key 0badf00d in the key ring"):
        chosen(new_key_ring(), "0badf00d")


def test_keys_do_not_show() -> None:
    """Printing a ring shows the names of its keys, never a key."""
    ring = new_key_ring()

    assert ring.current in repr(ring)
    assert not any(secret in repr(ring) + str(ring) for secret in [*ring.keys.values(), ring.rid])


def test_unknown_key_says_what_to_do() -> None:
    """A race of another ring is refused with the names of both sides."""
    with pytest.raises(KeyRingError, match=r"expected key 1234abcd in the key ring, found .*: give all nodes one ring"):
        new_key_ring().key("1234abcd")


@pytest.mark.parametrize("content", [b"\xff\xfe", b'{"current":"' + b"\xff", b'{"keys":' + b"[" * 100_000])
def test_a_file_that_is_no_ring_is_refused(tmp_path: Path, content: bytes) -> None:
    """Whatever stands in it, a file is said to be no key ring, and its name is told."""
    path = tmp_path / "keys.json"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(KeyRingError, match=r"expected a key ring as JSON in .*keys\.json, found"):
        open_key_ring(path)


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_ring_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    """A file with wider rights is not used, and the error has the line that mends it."""
    path = tmp_path / "keys.json"
    open_key_ring(path)
    path.chmod(mode)

    with pytest.raises(KeyRingError, match=f"found mode {mode:o}: chmod 600 {re.escape(str(path))}"):
        open_key_ring(path)


KEY = "ab" * 32
BAD = {
    "no JSON": "kid: 1",
    "unknown field": f'{{"current": "a", "keys": {{"a": "{KEY}"}}, "rid": "{KEY}", "more": 1}}',
    "short key": f'{{"current": "a", "keys": {{"a": "abcd"}}, "rid": "{KEY}"}}',
    "no hex": f'{{"current": "a", "keys": {{"a": "{"x" * 64}"}}, "rid": "{KEY}"}}',
    "spaces in the hex": f'{{"current": "a", "keys": {{"a": "{"ab " * 21}a"}}, "rid": "{KEY}"}}',
    "current missing": f'{{"current": "b", "keys": {{"a": "{KEY}"}}, "rid": "{KEY}"}}',
    "no key of race ids": f'{{"current": "a", "keys": {{"a": "{KEY}"}}}}',
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_bad_rings_are_refused_without_quoting_a_key(text: str) -> None:
    """What is no ring is refused, naming where it came from and quoting no key."""
    with pytest.raises(KeyRingError, match=r"expected .* in |expected .* of ") as caught:
        read_key_ring(text, "FAIRDEAL_KEYRING")

    assert "FAIRDEAL_KEYRING" in str(caught.value)
    assert KEY not in str(caught.value)
