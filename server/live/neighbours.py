"""Processes that share a port: a socket opened for a race is served where the others of that race are.

The system gives connections to processes by chance. With both seats in one process a move is folded once and nobody
has to be rung for; any process could serve it all the same, and does where its neighbour does not take it.
"""

from __future__ import annotations

import asyncio
import socket
import time
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Final
from zlib import crc32

import msgspec
import structlog
from aiohttp import web
from msgspec import Struct

__all__ = ["Neighbours"]

TAKEN_WITHIN_S: Final = 0.5
"""A neighbour that comes to what it was handed later than this leaves it: it may have been stopped, or be stuck."""
SERVED_HERE_AFTER_S: Final = 1.0
"""Longer: what a neighbour may still take must not be served here too."""
FULL_AGAIN_S: Final = 0.01
"""When to try again where a neighbour has not yet come to what it was handed before."""
MOST_BYTES: Final = 64 << 10
"""Of a request that is handed over; a longer one is served where it came."""
AROUND: Final = 64
"""Bytes that stand around it at most."""
CLOSED_IN_CHILDREN: Final = getattr(socket, "MSG_CMSG_CLOEXEC", 0)

log = structlog.get_logger("live")


class _Handed(Struct, frozen=True, array_like=True, tag=True):
    """A request, whose connection goes along: from which process, its number there, and when (s, the machine's)."""

    sender: int
    number: int
    at: float
    request: bytes


class _Taken(Struct, frozen=True, array_like=True, tag=True):
    """The answer: what was handed over under that number is served."""

    number: int


_PACKER: Final = msgspec.msgpack.Encoder()
_UNPACKER: Final = msgspec.msgpack.Decoder(_Handed | _Taken)


class Neighbours:
    """The processes of one server, numbered from 1 on; each hears at a unix socket of its number in their folder.

    A connection is handed over before its handshake, with the request as it came: its client notices nothing.
    """

    def __init__(self, folder: Path, number: int, processes: int) -> None:
        self._folder, self._number, self._processes = folder, number, processes
        self._door = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._door.setblocking(False)
        self._numbers = count(time.monotonic_ns())  # None that an answer to an earlier process may bear.
        self._handed: dict[int, asyncio.Future[None]] = {}
        self._coming: set[asyncio.Task[None]] = set()

    async def hand_over(self, request: web.Request) -> bool:
        """Hand a request that names a race over to where the sockets of that race meet.

        False where it names none, where that is here, or where that neighbour does not take it: then it is to be
        served here. After True nothing is to be written to its connection.
        """
        race, transport = request.query.get("race"), request.transport
        if race is None or transport is None:
            return False
        home = crc32(race.encode()) % self._processes + 1
        if home == self._number or len(asked := _as_it_came(request)) > MOST_BYTES:
            return False
        connection: socket.socket = transport.get_extra_info("socket")
        # What the client says after the handshake is the neighbour's to read.
        transport.pause_reading()
        if await self._taken(home, connection.fileno(), asked):
            transport.abort()
            return True
        if not transport.is_closing():
            transport.resume_reading()
        return False

    async def _taken(self, home: int, descriptor: int, request: bytes) -> bool:
        """Hand a connection to a neighbour; tells whether it is served there."""
        number, loop = next(self._numbers), asyncio.get_running_loop()
        self._handed[number] = taken = loop.create_future()
        try:
            async with asyncio.timeout(SERVED_HERE_AFTER_S):
                handed = _Handed(self._number, number, time.monotonic(), request)
                while not self._sent(home, handed, descriptor):  # noqa: ASYNC110 - nobody tells when there is room
                    await asyncio.sleep(FULL_AGAIN_S)
                await taken
        except (OSError, TimeoutError):  # It is not there, or it is stuck.
            return False
        finally:
            del self._handed[number]
        return True

    def _sent(self, neighbour: int, said: _Handed | _Taken, descriptor: int | None = None) -> bool:
        """Send something to a neighbour; False where it has too much before it. Raises OSError."""
        # Not by `send_fds`, which forgets the address (Python 3.11).
        rights = [] if descriptor is None else [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [descriptor]))]
        try:
            self._door.sendmsg([_PACKER.encode(said)], rights, 0, str(self._path(neighbour)))
        except BlockingIOError:
            return False
        return True

    @contextmanager
    def heard(self, server: web.Server) -> Iterator[None]:
        """Serve what is handed over to this process, for the length of the block."""
        path, loop = self._path(self._number), asyncio.get_running_loop()
        path.unlink(missing_ok=True)  # That of the process that had this number before.
        self._door.bind(str(path))
        loop.add_reader(self._door, self._hear, server)
        try:
            yield
        finally:
            loop.remove_reader(self._door)
            self._door.close()
            path.unlink(missing_ok=True)

    def _hear(self, server: web.Server) -> None:
        try:
            packed, descriptors, _, _ = socket.recv_fds(self._door, MOST_BYTES + AROUND, 1, CLOSED_IN_CHILDREN)
        except OSError:
            return  # Nothing has come after all, or there is no room for a connection more.
        match _UNPACKER.decode(packed), [socket.socket(fileno=descriptor) for descriptor in descriptors]:
            case _Taken(number), _:
                if number in self._handed:
                    self._handed[number].set_result(None)
            case _Handed() as handed, [connection]:
                self._take(server, handed, connection)

    def _take(self, server: web.Server, handed: _Handed, connection: socket.socket) -> None:
        if time.monotonic() - handed.at > TAKEN_WITHIN_S:
            connection.close()
            return
        connection.setblocking(False)
        task = asyncio.create_task(self._serve(server, connection, handed), name="socket handed over")
        self._coming.add(task)
        task.add_done_callback(self._coming.discard)

    async def _serve(self, server: web.Server, connection: socket.socket, handed: _Handed) -> None:
        try:
            if not self._sent(handed.sender, _Taken(handed.number)):
                connection.close()
                return
            _, protocol = await asyncio.get_running_loop().connect_accepted_socket(server, connection)
        except OSError as fault:
            log.info("a socket handed over is gone", why=str(fault))
            connection.close()
        else:
            protocol.data_received(handed.request)

    def _path(self, number: int) -> Path:
        return self._folder / str(number)


def _as_it_came(request: web.Request) -> bytes:
    """Return the bytes of a request without a body."""
    lines = [f"{request.method} {request.path_qs} HTTP/1.1".encode()]
    lines += [name + b": " + value for name, value in request.raw_headers]
    return b"\r\n".join([*lines, b"", b""])
