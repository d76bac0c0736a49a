"""The data directory: where it is, and the lock by which one process owns it."""

import fcntl
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NewType

import msgspec

__all__ = ["DataDirTaken", "LockFile", "OwnedDir", "Owner", "StartRefused", "default_data_dir", "owned"]

OwnedDir = NewType("OwnedDir", Path)
"""A data directory that this process owns; only `owned` gives one."""

LOCK_NAME = "lock"


class StartRefused(Exception):
    """The surroundings do not let the server start; the message says why and what to do."""


class Owner(msgspec.Struct, frozen=True):
    """Who holds a lock: process id, command line, and since when (ISO 8601, UTC)."""

    pid: int
    command: str
    since: str


class DataDirTaken(StartRefused):
    """Another process owns the data directory."""

    def __init__(self, data: Path, owner: Owner | None) -> None:
        self.data = data
        self.owner = owner
        who = f"process {owner.pid} ({owner.command}, since {owner.since})" if owner else "another process"
        super().__init__(
            f"The data directory {data} is for one process at a time, and {who} has it: "
            "stop that one, or choose another with --data DIR."
        )


class LockFile:
    """An advisory lock (flock) on a file whose text names the holder.

    The lock belongs to the open file, not to the process: a child that inherits `fd` holds it too, and it is free
    as soon as the last of them is gone, however they went. So a lock is never stale, only its text may be.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd: int | None = None

    @property
    def fd(self) -> int:
        """The descriptor that holds the lock; ValueError unless it is taken."""
        if self._fd is None:
            raise ValueError(f"{self.path} is not locked")
        return self._fd

    def take(self) -> bool:
        """Lock the file without waiting; False when another open file holds the lock."""
        fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            return False
        except OSError:
            os.close(fd)
            raise
        self._fd = fd
        return True

    def write(self, text: str) -> None:
        """Replace the text of the file; the lock must be held."""
        os.ftruncate(self.fd, 0)
        os.pwrite(self.fd, text.encode(), 0)

    def read(self) -> str:
        """The text of the file, by whomever it was written; empty when there is none."""
        try:
            return self.path.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return ""

    def release(self) -> None:
        """Give the lock up in this process; a child that inherited it goes on holding it."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def default_data_dir(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder `fairdeal` in the user's data home (XDG Base Directory Specification)."""
    home = environ.get("XDG_DATA_HOME", "")
    # The specification: a relative path is invalid and to be ignored.
    parent = Path(home) if Path(home).is_absolute() else Path(environ.get("HOME") or Path.home()) / ".local" / "share"
    return parent / "fairdeal"


def _made(data: Path) -> Path:
    """Make the directory, for its owner's eyes only, and return its absolute path; StartRefused when it cannot be."""
    data = data.expanduser().absolute()
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StartRefused(
            f"The data directory {data} cannot be made ({error.strerror}): choose another with --data DIR."
        ) from error
    if not os.access(data, os.R_OK | os.W_OK | os.X_OK):
        raise StartRefused(f"The data directory {data} cannot be written: choose another with --data DIR.")
    return data


@contextmanager
def owned(data: Path) -> Iterator[OwnedDir]:
    """Own the data directory (made if need be) for the length of the block; yields its absolute path.

    Raises DataDirTaken, which names the other owner, and StartRefused when the directory cannot be made or written.
    """
    data = _made(data)
    lock = LockFile(data / LOCK_NAME)
    if not lock.take():
        raise DataDirTaken(data, _owner(lock.read()))
    try:
        lock.write(msgspec.json.encode(_myself()).decode() + "\n")
        yield OwnedDir(data)
    finally:
        lock.release()


def _owner(text: str) -> Owner | None:
    """The owner that the lock's text names; None while it is being written or when it is not ours."""
    try:
        return msgspec.json.decode(text, type=Owner)
    except msgspec.DecodeError:
        return None


def _myself() -> Owner:
    return Owner(os.getpid(), " ".join(sys.argv), datetime.now(UTC).isoformat(timespec="seconds"))
