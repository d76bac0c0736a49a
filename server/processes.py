"""Several processes that serve as one node: one base, one port, and a parent that keeps them running."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from typing import Final

from msgspec.structs import replace

from server.children import Child, kept
from server.node import Address, address_of, base, port_refused
from server.settings import Settings, environment
from server.store.datadir import StartRefused
from server.store.socket_path import socket_folder

__all__ = ["processes"]

STOP_S: Final = 15.0
"""How long a process may take to say goodbye to its sockets and to answer what is under way."""
COMMAND: Final = (sys.executable, "-m", "server", "serve", "--share")


@asynccontextmanager
async def processes(settings: Settings) -> AsyncIterator[Address]:
    """As many processes as the settings say, on one port, for the length of the block; each is a node of its own.

    The system spreads connections over them, but for those that name a race (`neighbours`). One that dies is started
    again, and its clients find another meanwhile. Raises StartRefused, also where one of them ends before it has ever
    served.
    """
    count = str(settings.workers)
    async with base(settings) as found:
        with _reserved(found) as port, socket_folder(count) as folder:
            environ = environment(replace(found, port=port, workers=1, bots=0))
            began = [_Beginning() for _ in range(settings.workers)]
            children = [
                Child(f"server {number}", (*COMMAND, str(folder), str(number), count), environ, beginning.told)
                for number, beginning in enumerate(began, 1)
            ]
            async with kept(children, STOP_S):
                for beginning in began:
                    await beginning.served()
                yield address_of(found, port)


class _Beginning:
    """What is heard of a process when it starts for the first time."""

    def __init__(self) -> None:
        self._status: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()

    def told(self, status: int | None) -> None:
        if not self._status.done():
            self._status.set_result(status)

    async def served(self) -> None:
        """Wait until it serves. Raises StartRefused where it ended instead."""
        status = await self._status
        if status is not None:
            raise StartRefused(f"A process of this server ended with status {status} before it served; it said why.")


@contextmanager
def _reserved(settings: Settings) -> Iterator[int]:
    """Hold a port for processes that share it, without listening; yields its number."""
    with ExitStack() as stack:
        try:
            family, kind, protocol, _, (host, port, *_) = socket.getaddrinfo(
                settings.host, settings.port, type=socket.SOCK_STREAM
            )[0]
            # Whoever shares the port with strangers would get half of their connections: it has to be free.
            with socket.socket(family, kind, protocol) as alone:
                alone.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                alone.bind((host, port))
                port = alone.getsockname()[1]
            shared = stack.enter_context(socket.socket(family, kind, protocol))
            shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            shared.bind((host, port))
        except OSError as fault:
            raise port_refused(settings, settings.port, fault) from fault
        yield port
