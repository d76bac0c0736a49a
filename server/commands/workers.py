"""The processes that work for a server as its children: bots' workers and analysts."""

from __future__ import annotations

import contextlib
import socket
import sys
from collections.abc import AsyncIterator
from typing import Final

from server.children import Child, kept
from server.node import Address
from server.settings import LogLevel, Settings

__all__ = ["bot_workers", "working_for"]

STOP_S: Final = 3.0
"""How long a worker may take to leave; what it was doing then is taken up by the next one, so it can be killed."""


def bot_workers(
    number: int, redis_url: str, server: str, log_level: LogLevel
) -> contextlib.AbstractAsyncContextManager[None]:
    """Run so many workers, which play at `server`, for the length of the block; none is waited for at its start."""
    # A URL may hold a password, and anybody may read a command line.
    environ = {"FAIRDEAL_REDIS": redis_url, "FAIRDEAL_LOG_LEVEL": log_level.value}
    command = (sys.executable, "-m", "server.commands.worker", "--while-stdin", "--server", server, "--name")
    names = [_name(server, index) for index in range(number)]
    return kept([Child(f"bot worker {name}", (*command, name), environ) for name in names], STOP_S)


@contextlib.asynccontextmanager
async def working_for(address: Address, settings: Settings, *, bots: int) -> AsyncIterator[None]:
    """Run so many bots' workers for a node, and the analysts of the settings, for the length of the block."""
    async with (
        bot_workers(bots, address.redis_url, address.local_url, settings.log_level),
        _analysts(settings, address),
    ):
        yield


def _analysts(settings: Settings, address: Address) -> contextlib.AbstractAsyncContextManager[None]:
    environ = {
        "FAIRDEAL_REDIS": address.redis_url,
        "FAIRDEAL_KEYRING": str(address.keyring),
        "FAIRDEAL_STOCK": str(settings.stock),
        "FAIRDEAL_LOG_LEVEL": settings.log_level.value,
    }
    command = (sys.executable, "-m", "server", "analyst", "--while-stdin", "--name")
    names = [_name(address.local_url, index) for index in range(settings.analysts)]
    return kept([Child(f"analyst {name}", (*command, name), environ) for name in names], STOP_S)


def _name(server: str, index: int) -> str:
    """Name a worker the same at each start of this server, so that it finds the seats that it had."""
    return f"{socket.gethostname()} {server} {index}"
