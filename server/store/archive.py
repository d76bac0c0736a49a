"""The archive: one replay file for each race that is over; a file once there stays as it is."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from server.store.connect import StoreUnavailable
from server.store.datadir import StartRefused

__all__ = [
    "ARCHIVE_NAME",
    "MAX_FILE_BYTES",
    "SUFFIX",
    "Archive",
    "FolderArchive",
    "is_rid",
    "open_archive",
    "open_folder",
]

ARCHIVE_NAME: Final = "archive"
"""The folder in the data directory, unless the settings name another place."""
SUFFIX: Final = ".fairdeal"
INCOMING: Final = ".incoming"
"""Where a file is until it is whole. It is on the same file system, so that a rename puts it into its place."""
LEFT_S: Final = 3600
"""A file that has been incoming for so long was left by a process that died."""
MAX_FILE_BYTES: Final = 64 << 20
_RID: Final = re.compile(r"[a-z2-7]{26}")
_FOLDER: Final = re.compile(r"[a-z2-7]{2}")


class Archive(Protocol):
    """Where replay files are kept by the ids of their races. Every call may raise StoreUnavailable."""

    async def read(self, rid: str) -> bytes | None:
        """Return a race's file as it was written; None where there is none."""

    async def write(self, rid: str, data: bytes) -> None:
        """Put a whole file into its place, durably; one that is there is replaced."""

    def races(self) -> AsyncIterator[str]:
        """Yield the ids of all races that have a file, in order."""


class FolderArchive:
    """Files `ab/abcd….fairdeal` in a folder: a thousand folders at most, so that none grows too long to be listed."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def open(self) -> None:
        """Make the folder if need be, and drop what processes that died have left. Raises OSError."""
        incoming = self.root / INCOMING
        incoming.mkdir(parents=True, exist_ok=True)
        for left in incoming.iterdir():
            # Another node may be putting it into its place just now.
            with suppress(FileNotFoundError):
                if left.stat().st_mtime < time.time() - LEFT_S:
                    left.unlink()

    async def read(self, rid: str) -> bytes | None:
        """Return a race's file; None where there is none, as for what is no race's id. Raises StoreUnavailable."""
        if not is_rid(rid):
            return None
        return await asyncio.to_thread(self._read, rid)

    async def write(self, rid: str, data: bytes) -> None:
        """Write a file beside its place, let it reach the disk, then rename it. Raises StoreUnavailable."""
        if not is_rid(rid):
            raise ValueError(f"expected the id of a race, found {rid!r}")
        await asyncio.to_thread(self._write, rid, data)

    async def races(self) -> AsyncIterator[str]:
        """Yield the ids of all races that have a file, in order. Raises StoreUnavailable."""
        for folder in await asyncio.to_thread(_names, self.root):
            # A disk of its own has a `lost+found` that not everybody may look into.
            if _FOLDER.fullmatch(folder) is None:
                continue
            for name in await asyncio.to_thread(_names, self.root / folder):
                rid = name.removesuffix(SUFFIX)
                if rid != name and is_rid(rid):
                    yield rid

    def _path(self, rid: str) -> Path:
        return self.root / rid[:2] / f"{rid}{SUFFIX}"

    def _read(self, rid: str) -> bytes | None:
        try:
            with self._path(rid).open("rb") as file:
                return file.read(MAX_FILE_BYTES)
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise _unavailable(fault) from fault

    def _write(self, rid: str, data: bytes) -> None:
        path = self._path(rid)
        try:
            handle, incoming = tempfile.mkstemp(dir=self.root / INCOMING, prefix=f"{rid}.")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                if not path.parent.is_dir():
                    path.parent.mkdir(exist_ok=True)
                    _sync(self.root)
                Path(incoming).replace(path)
            except BaseException:
                Path(incoming).unlink(missing_ok=True)
                raise
            _sync(path.parent)
        except OSError as fault:
            raise _unavailable(fault) from fault


def is_rid(text: str) -> bool:
    """Tell whether a text is the id of a race; nothing else names a file."""
    return _RID.fullmatch(text) is not None


def open_archive(place: str | None, data: Path, *, make: bool = True) -> Archive:
    """Return the archive of the settings: a bucket (`s3://…`) or a folder, by default in the data directory.

    A folder is made if need be, unless it is to be there: then it is only read, and may be one that nobody can write.
    Raises StartRefused.
    """
    if place is not None and place.startswith("s3://"):
        from server.store.bucket import open_bucket

        return open_bucket(place)
    if place is not None and "://" in place:
        raise StartRefused(f"The archive {place} is neither a folder nor s3://BUCKET/PREFIX: correct --archive.")
    root = data / ARCHIVE_NAME if place is None else Path(place).expanduser().absolute()
    if make:
        return open_folder(root)
    if not root.is_dir():
        raise StartRefused(f"There is no archive {root}: name a server's --data DIR, or its --archive DIR.")
    return FolderArchive(root)


def open_folder(root: Path) -> FolderArchive:
    """Return the archive in a folder, which is made if need be. Raises StartRefused."""
    archive = FolderArchive(root)
    try:
        archive.open()
    except OSError as fault:
        raise StartRefused(
            f"The archive {archive.root} cannot be used ({fault.strerror}): choose another with --archive DIR."
        ) from fault
    return archive


def _names(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in folder.iterdir())
    except OSError as fault:
        raise _unavailable(fault) from fault


def _sync(folder: Path) -> None:
    """Let the names in a folder reach the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _unavailable(fault: OSError) -> StoreUnavailable:
    return StoreUnavailable(f"the archive: {fault}")
