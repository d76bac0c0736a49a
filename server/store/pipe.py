"""One connection to Redis taken over from the client library: packed commands out, replies in, with nothing between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import hiredis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as Disconnected

__all__ = ["Pipe", "Reply"]

Reply = object
"""What RESP2 carries: bytes, int, None, an error, or a list of these."""

_NO_MORE: Final = object()


class Pipe(asyncio.Protocol):
    """The stream of a connection that the library has opened (address, TLS, login) and will close.

    The library awaits each reply through four coroutines and packs commands in Python: six times what a reply costs
    here.
    """

    def __init__(self, connection: AbstractConnection, take: Callable[[Reply], None] | None = None) -> None:
        """Take a connection over; what comes beyond the replies that `exchange` waits for is given to `take`."""
        assert connection._writer is not None
        self._loop = asyncio.get_running_loop()
        self._transport = connection._writer.transport
        self._reader = hiredis.Reader(notEnoughData=_NO_MORE, replyError=connection._parser.parse_error)
        self._replies: list[Reply] = []
        self._expected = 0
        self._done: asyncio.Future[list[Reply]] | None = None
        self._take = take
        self.lost: asyncio.Future[Exception] = self._loop.create_future()
        self._transport.set_protocol(self)
        if self._transport.is_closing():
            self.connection_lost(None)

    def send(self, packed: bytes) -> None:
        """Send commands without waiting for their replies; where the connection is lost so are they."""
        if not self._transport.is_closing():
            self._transport.write(packed)

    def close(self) -> None:
        """Give the connection up; it is lost then."""
        self._transport.abort()

    async def exchange(self, packed: bytes, expected: int, timeout_s: float) -> list[Reply]:
        """Send commands and return their replies, one each, errors among them.

        Raises TimeoutError, and OSError or RedisError where the connection is lost; then it is to be used no more.
        """
        if self.lost.done() or self._transport.is_closing():
            raise Disconnected("the connection was closed")
        self._replies, self._expected = [], expected
        done: asyncio.Future[list[Reply]] = self._loop.create_future()
        self._done = done
        late = self._loop.call_later(timeout_s, self._late)
        try:
            self._transport.write(packed)
            return await done
        finally:
            late.cancel()
            self._done = None

    def data_received(self, data: bytes) -> None:
        """Take what has come of the replies."""
        self._reader.feed(data)
        while (reply := self._reader.gets(False)) is not _NO_MORE:
            if len(self._replies) < self._expected:
                self._replies.append(reply)
            elif self._take is not None:
                self._take(reply)
        if self._done is not None and len(self._replies) == self._expected and not self._done.done():
            self._done.set_result(self._replies)

    def connection_lost(self, exc: Exception | None) -> None:
        """Give up what is under way."""
        if not self.lost.done():
            if not isinstance(exc, OSError):
                # Bytes that are no reply end a connection, too.
                exc = Disconnected(str(exc) if exc else "Redis has closed the connection")
            self.lost.set_result(exc)
            self._fail(exc)

    def _late(self) -> None:
        self._fail(TimeoutError())

    def _fail(self, fault: Exception) -> None:
        if self._done is not None and not self._done.done():
            self._done.set_exception(fault)
