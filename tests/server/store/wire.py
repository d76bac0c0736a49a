"""A wire to Redis that can be cut, or held, just where it matters."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path


class Wire:
    """Forwards between a unix socket of its own and that of a Redis.

    `cut_reply` takes away the next reply after Redis has given it, `cut_request` the next request before Redis gets
    it; both end that connection. With `garble` the next reply is something that no Redis says. While `flowing` is
    clear, replies wait. `requests` are the chunks that went through.
    """

    def __init__(self, redis_path: str) -> None:
        self.requests: list[bytes] = []
        self.cut_request = False
        self.cut_reply = False
        self.garble = False
        self.before_cut: Callable[[], Awaitable[object]] | None = None
        self.cuts = 0
        self.flowing = asyncio.Event()
        self.flowing.set()
        self.got_reply = asyncio.Event()
        self._redis_path = redis_path

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one connection until either end closes it."""
        from_redis, to_redis = await asyncio.open_unix_connection(self._redis_path)
        there = asyncio.create_task(self._requests(reader, to_redis))
        back = asyncio.create_task(self._replies(from_redis, writer))
        try:
            await asyncio.wait((there, back), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (there, back):
                task.cancel()
            await asyncio.wait((there, back))
            to_redis.close()
            writer.close()

    async def _requests(self, reader: asyncio.StreamReader, to_redis: asyncio.StreamWriter) -> None:
        while chunk := await reader.read(1 << 20):
            if self.cut_request:
                self.cut_request, self.cuts = False, self.cuts + 1
                return
            self.requests.append(chunk)
            to_redis.write(chunk)

    async def _replies(self, from_redis: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while chunk := await from_redis.read(1 << 20):
            if self.cut_reply:
                self.cut_reply, self.cuts = False, self.cuts + 1
                if self.before_cut is not None:
                    await self.before_cut()
                return
            self.got_reply.set()
            await self.flowing.wait()
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n" if self.garble else chunk)
            self.garble = False


@asynccontextmanager
async def wire_to(redis_url: str) -> AsyncIterator[tuple[Wire, str]]:
    """A wire to the Redis of a `unix://` URL, and the URL of its near end."""
    wire = Wire(redis_url.removeprefix("unix://"))
    with tempfile.TemporaryDirectory(prefix="fairdeal-") as folder:
        near = Path(folder) / "wire.sock"
        server = await asyncio.start_unix_server(wire.serve, near)
        yield wire, f"unix://{near}"
        server.close()
