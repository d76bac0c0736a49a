"""The key ring: the secrets from which salts, sealed deals, race ids and receipts are derived."""

import hashlib
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

KEY_BYTES: Final = 32


class KeyRingError(Exception):
    """A key ring that cannot be used: what was expected, what was found and what to do."""


class KeyRing(Struct, frozen=True, forbid_unknown_fields=True):
    """Keys by `kid`, the current one, and the key of race ids, which is never rotated; keys are 64 hex digits.

    A key stays in the ring as long as a race that names it can be asked for.
    """

    current: str
    keys: dict[str, str]
    rid: str

    def __repr__(self) -> str:
        return f"KeyRing(current={self.current!r}, keys of {', '.join(sorted(self.keys))})"

    @property
    def rid_key(self) -> bytes:
        """The key that race ids are derived from."""
        return bytes.fromhex(self.rid)

    def key(self, kid: str) -> bytes:
        """The key that a race's log names; raises KeyRingError for one that is not in the ring."""
        try:
            return bytes.fromhex(self.keys[kid])
        except KeyError:
            raise KeyRingError(
                f"expected key {kid} in the key ring, found {', '.join(sorted(self.keys))}: give all nodes one ring"
            ) from None


def new_key_ring() -> KeyRing:
    """Make a ring with one new key."""
    kid, key = _new_key()
    return KeyRing(kid, {kid: key}, secrets.token_hex(KEY_BYTES))


def extended(ring: KeyRing) -> KeyRing:
    """The ring with one more key, its last, not current yet: nodes must all have a key before one of them uses it."""
    kid, key = _new_key()
    return KeyRing(ring.current, {**ring.keys, kid: key}, ring.rid)


def chosen(ring: KeyRing, kid: str) -> KeyRing:
    """The ring with another current key; raises KeyRingError where it is not in the ring."""
    ring.key(kid)
    return KeyRing(kid, ring.keys, ring.rid)


def rotated(ring: KeyRing) -> KeyRing:
    """The ring with a new current key; the old ones and the key of race ids stay."""
    longer = extended(ring)
    return chosen(longer, next(reversed(longer.keys)))


def write_key_ring(ring: KeyRing) -> str:
    """Write a ring as JSON, the inverse of `read_key_ring`."""
    return msgspec.json.format(msgspec.json.encode(ring), indent=2).decode() + "\n"


def read_key_ring(text: str, source: str = "the setting") -> KeyRing:
    """Read a ring from JSON; raises KeyRingError, which never quotes a key, naming `source`."""
    try:
        ring = msgspec.json.decode(text, type=KeyRing)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise KeyRingError(f"expected a key ring as JSON in {source}, found another text: {error}") from None
    for name, key in [*ring.keys.items(), ("rid", ring.rid)]:
        if not _is_key(key):
            raise KeyRingError(f"expected {2 * KEY_BYTES} hex digits as key {name} in {source}, found something else")
    if ring.current not in ring.keys:
        raise KeyRingError(f"expected the current key {ring.current} among the keys of {source}, found it missing")
    return ring


def open_key_ring(path: Path) -> KeyRing:
    """Read the ring in a file that only its owner may read, creating it if there is none; once, whoever is first."""
    if not path.exists():
        _create(path, write_key_ring(new_key_ring()))
    mode = path.stat().st_mode & 0o777
    if mode & 0o077:
        raise KeyRingError(f"expected {path} to be readable by its owner only, found mode {mode:o}: chmod 600 {path}")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise KeyRingError(f"expected a key ring as JSON in {path}, found no text: {error.reason}") from None
    return read_key_ring(text, str(path))


def replace_key_ring(path: Path, ring: KeyRing) -> None:
    """Put a ring in the place of the one in a file, all at once; its mode stays 0600."""
    with _written(path, write_key_ring(ring)) as name:
        Path(name).replace(path)


def _new_key() -> tuple[str, str]:
    key = secrets.token_bytes(KEY_BYTES)
    return hashlib.sha256(b"fairdeal:kid:" + key).hexdigest()[:8], key.hex()


def _is_key(text: str) -> bool:
    try:
        return len(text) == 2 * KEY_BYTES and len(bytes.fromhex(text)) == KEY_BYTES
    except ValueError:
        return False


def _create(path: Path, text: str) -> None:
    # A link, unlike a rename, leaves the ring of whoever was quicker in place.
    with _written(path, text) as name, suppress(FileExistsError):
        os.link(name, path)


@contextmanager
def _written(path: Path, text: str) -> Iterator[str]:
    """A file beside the path that holds the text for good, gone after the block, which gives it its name; mode 0600."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        yield name
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    finally:
        Path(name).unlink(missing_ok=True)
