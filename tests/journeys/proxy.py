"""A line of TCP to a Redis or a node, which a test makes slow, cuts, lets swallow replies, or leads elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

__all__ = ["Proxy", "proxy_to"]


class Proxy:
    """Forwards connections of a port on loopback to a `target`: a URL with `unix://` and a path, or a host and a port.

    New connections go to the target of that moment, from the address `source` of this machine where it is given.
    `delay_s` is added to each chunk, both ways. While `swallowing`, replies go nowhere and connections stay open, and
    one that has lost a reply stays silent until it is closed, for no TCP loses what is in the middle. While `refusing`,
    new connections end at once. `swallowed` counts the chunks that went nowhere, `turned_away` those connections.
    """

    def __init__(self, target: str, source: str | None = None) -> None:
        self.target = target
        self.delay_s = 0.0
        self.swallowing = False
        self.refusing = False
        self.swallowed = 0
        self.turned_away = 0
        self.port = 0
        self._source = source
        self._lines: set[asyncio.StreamWriter] = set()
        self._serving: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """Where a node finds the near end."""
        return f"redis://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """End all connections that there are, with whatever is under way on them."""
        for line in self._lines:
            line.transport.abort()

    async def end(self) -> None:
        """Cut everything, and wait until nothing is forwarded any more."""
        self.refusing = True
        while self._serving:
            self.cut()
            await asyncio.wait(self._serving, timeout=0.1)

    def heal(self) -> None:
        """Be a good line again."""
        self.delay_s, self.swallowing, self.refusing = 0.0, False, False

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one connection until either end closes it."""
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)
        try:
            if self.refusing:
                self.turned_away += 1
                return
            from_redis, to_redis = await self._open()
        except OSError:
            return
        else:
            await self._both_ways((reader, to_redis), (from_redis, writer))
        finally:
            writer.transport.abort()

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        there = urlsplit(self.target)
        if there.scheme == "unix":
            return await asyncio.open_unix_connection(there.path)
        source = None if self._source is None else (self._source, 0)
        return await asyncio.open_connection(there.hostname, there.port, local_addr=source)

    async def _both_ways(
        self,
        there: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        back: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        lines = {there[1], back[1]}
        self._lines |= lines
        ways = [
            asyncio.create_task(self._carry(*there, replies=False), name="there"),
            asyncio.create_task(self._carry(*back, replies=True), name="back"),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.wait(ways)
            self._lines -= lines
            there[1].transport.abort()

    async def _carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, replies: bool) -> None:
        silent = False
        try:
            while chunk := await source.read(1 << 18):
                if self.delay_s:
                    await asyncio.sleep(self.delay_s)
                silent = silent or (replies and self.swallowing)
                if silent:
                    self.swallowed += 1
                    continue
                target.write(chunk)
                await target.drain()
        except OSError:
            return  # That end is gone.


@asynccontextmanager
async def proxy_to(target: str, source: str | None = None) -> AsyncIterator[Proxy]:
    """A proxy to what a URL names, for the length of the block."""
    proxy = Proxy(target, source)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        await proxy.end()
