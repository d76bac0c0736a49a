"""A wire to Redis on which appends get lost: before Redis has them, or after it has answered."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from server.store.append import SHA

__all__ = ["AppendWire", "append_wire"]


class AppendWire:
    """Forwards between a unix socket of its own and that of a Redis; whatever is lost ends its connection.

    So many requests, or replies to appends, are lost as are set here. While `flowing` is not set, the replies to
    appends wait; `appends` counts pipelines with appends that Redis was given.
    """

    def __init__(self, redis_path: str) -> None:
        self.requests_to_lose = 0
        self.replies_to_lose = 0
        self.appends = 0
        self.flowing = asyncio.Event()
        self.flowing.set()
        self.arrived = asyncio.Event()
        self._redis_path = redis_path

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one connection until either end closes it."""
        from_redis, to_redis = await asyncio.open_unix_connection(self._redis_path)
        answering = asyncio.Event()

        async def there() -> None:
            while chunk := await reader.read(1 << 20):
                if SHA.encode() in chunk:
                    if self.requests_to_lose:
                        self.requests_to_lose -= 1
                        return
                    self.appends += 1
                    answering.set()
                to_redis.write(chunk)

        async def back() -> None:
            while chunk := await from_redis.read(1 << 20):
                if answering.is_set():
                    answering.clear()
                    self.arrived.set()
                    if self.replies_to_lose:
                        self.replies_to_lose -= 1
                        return
                    await self.flowing.wait()
                writer.write(chunk)

        ways = (asyncio.create_task(there()), asyncio.create_task(back()))
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.wait(ways)
            to_redis.close()
            writer.close()


@asynccontextmanager
async def append_wire(redis_url: str) -> AsyncIterator[tuple[AppendWire, str]]:
    """A wire to the Redis of a `unix://` URL, and the URL of its near end."""
    wire = AppendWire(redis_url.removeprefix("unix://"))
    with tempfile.TemporaryDirectory(prefix="fairdeal-") as folder:
        near = Path(folder) / "wire.sock"
        server = await asyncio.start_unix_server(wire.serve, near)
        yield wire, f"unix://{near}"
        server.close()
