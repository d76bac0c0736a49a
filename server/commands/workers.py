"""The bots' worker processes as children of a server."""

from __future__ import annotations

import contextlib
import socket
import sys
from typing import Final

from server.children import Child, kept
from server.settings import LogLevel

__all__ = ["bot_workers"]

STOP_S: Final = 3.0
"""How long a worker may take to leave; what it was doing then is taken up by the next one, so it can be killed."""


def bot_workers(
    number: int, redis_url: str, server: str, log_level: LogLevel
) -> contextlib.AbstractAsyncContextManager[None]:
    """Run so many workers, which play at `server`, for the length of the block; none is waited for at its start."""
    # A URL may hold a password, and anybody may read a command line.
    environ = {"FAIRDEAL_REDIS": redis_url, "FAIRDEAL_LOG_LEVEL": log_level.value}
    command = (sys.executable, "-m", "bots.worker", "--while-stdin", "--server", server, "--name")
    names = [_name(server, index) for index in range(number)]
    return kept([Child(f"bot worker {name}", (*command, name), environ) for name in names], STOP_S)


def _name(server: str, index: int) -> str:
    """Name a worker the same at each start of this server, so that it finds the seats that it had."""
    return f"{socket.gethostname()} {server} {index}"
