"""Where unix sockets are put: in a fresh directory that only this user can enter, short enough for the system."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from server.store.datadir import StartRefused

__all__ = ["new_socket_path", "remove_socket", "socket_folder"]

# sockaddr_un holds 108 bytes on Linux, the last of them a NUL, and 104 on macOS.
SOCKET_PATH_BYTES: Final = 107 if os.uname().sysname == "Linux" else 103


def new_socket_path(name: str) -> Path:
    """Return a path of that name in a directory made for it. Raises StartRefused."""
    for parent in (None, "/tmp"):  # noqa: S108 (mkdtemp makes its own directory there)
        path = Path(tempfile.mkdtemp(prefix="fairdeal-", dir=parent)) / name
        if len(os.fsencode(path)) <= SOCKET_PATH_BYTES:
            return path
        path.parent.rmdir()
    raise StartRefused("The path of a temporary directory is too long for a socket: set TMPDIR to a shorter one.")


def remove_socket(path: Path) -> None:
    """Remove a socket and the directory made for it; nothing else in it is touched."""
    with suppress(OSError):
        path.unlink(missing_ok=True)
        path.parent.rmdir()


@contextmanager
def socket_folder(longest_name: str) -> Iterator[Path]:
    """Make such a directory for the length of the block. Raises StartRefused."""
    folder = new_socket_path(longest_name).parent
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
