"""A Redis and its replica on a line that can be held: what was written meanwhile is lost when the master dies."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Final

from redis.asyncio import Redis

from tests.journeys.proxy import Proxy, proxy_to
from tests.redis_on import free_port, patient, started

__all__ = ["Replicated", "replicated"]

AOF: Final = ("--appendonly", "yes", "--appendfsync", "always")
SYNC_S: Final = 30.0


class _Server:
    """One Redis."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.process: subprocess.Popen[bytes] = started(self.port, folder, *AOF)
        self.client: Redis = patient(self.port)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    async def end(self) -> None:
        self.process.kill()
        self.process.wait()
        await self.client.aclose()


class Replicated:
    """A master and one replica. `line` is what replication goes through; every failover brings a fresh replica.

    A stopped replica would prove nothing: what it has not read lies in its kernel's buffer and is read before it is
    promoted. What the held line has swallowed is in nobody's hands.
    """

    def __init__(self, folder: Path, line: Proxy) -> None:
        self.line = line
        self._folder = folder
        self._numbers = count(1)
        self.master = self._started()
        self.replica = self._started()

    def _started(self) -> _Server:
        return _Server(self._folder / f"redis-{next(self._numbers)}")

    async def replicate(self) -> None:
        """Let the replica follow the master, over the line, and wait until it has all there is."""
        self.line.heal()
        self.line.target = self.master.url
        await self.replica.client.replicaof("127.0.0.1", self.line.port)
        until = time.monotonic() + SYNC_S
        while not await self._in_step():
            assert time.monotonic() < until, "the replica does not follow"
            await asyncio.sleep(0.02)

    async def _in_step(self) -> bool:
        state = await self.replica.client.info("replication")
        return state.get("master_link_status") == "up"

    def hold(self) -> None:
        """Let nothing more reach the replica."""
        self.line.swallowing = True

    async def kill_master(self) -> None:
        """End the master as a power cut would, and whatever is on the line with it."""
        await self.master.end()
        self.line.refusing = True
        self.line.cut()

    async def promote(self) -> None:
        """Make the replica the master, and have a new one started."""
        await self.replica.client.execute_command("REPLICAOF", "NO", "ONE")
        self.master, self.replica = self.replica, self._started()

    async def end(self) -> None:
        """End both."""
        await self.replica.end()
        await self.master.end()


@asynccontextmanager
async def replicated(folder: Path) -> AsyncIterator[Replicated]:
    """A master and a replica that follows it, for the length of the block."""
    async with AsyncExitStack() as stack:
        line = await stack.enter_async_context(proxy_to("redis://127.0.0.1:0"))
        pair = Replicated(folder, line)
        stack.push_async_callback(pair.end)
        await pair.replicate()
        yield pair
