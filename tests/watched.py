"""A master, its replicas and the sentinels that watch them, on ports of this machine."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from redis.asyncio import Redis

from server.store.binary import find_redis
from tests.authority import Authority
from tests.redis_on import free_port, patient, started

__all__ = ["MASTER", "Watched", "watched"]

MASTER: Final = "mymaster"
SERVERS: Final = 3
DOWN_AFTER_MS: Final = 2_000
"""Less than is advised, since nobody should have to wait for a test; with 500 a busy machine is taken for dead."""
AOF: Final = ("--appendonly", "yes", "--appendfsync", "always", "--min-replicas-to-write", "1")


class Watched:
    """Three Redis servers of which one is the master, and three sentinels that agree by two."""

    def __init__(self, folder: Path, tls: Authority | None) -> None:
        self._folder, self._tls = folder, tls
        self._running: dict[int, subprocess.Popen[bytes]] = {}
        self.ports = [self._server(free_port()) for _ in range(SERVERS)]
        self.sentinels = [free_port() for _ in range(SERVERS)]

    @property
    def url(self) -> str:
        """What a node is given."""
        scheme, options = ("rediss", self._tls.options) if self._tls else ("redis", "")
        return f"{scheme}+sentinel://{','.join(f'127.0.0.1:{port}' for port in self.sentinels)}/{MASTER}/0{options}"

    def patient(self, port: int) -> Redis:
        """A client of a server or a sentinel that waits for it."""
        return patient(port, self._tls)

    async def begin(self) -> None:
        """Let the first server be the master, and wait until the sentinels know all there is to know."""
        first, *others = self.ports
        for port in others:
            async with self.patient(port) as replica:
                await replica.replicaof("127.0.0.1", first)
        for port in self.sentinels:
            self._sentinel(port, first)
        for port in self.sentinels:
            async with self.patient(port) as sentinel:
                while not await self._knows_all(sentinel):
                    pass

    async def _knows_all(self, sentinel: Redis) -> bool:
        state = await sentinel.sentinel_master(MASTER)
        return (state["num-slaves"], state["num-other-sentinels"]) == (SERVERS - 1, SERVERS - 1)

    async def master(self) -> int:
        """The port of the master, as a sentinel has it."""
        async with self.patient(self.sentinels[0]) as sentinel:
            state = await sentinel.sentinel_master(MASTER)
        return int(state["port"])

    def kill(self, port: int) -> None:
        """End a server or a sentinel as a power cut would."""
        process = self._running.pop(port)
        process.kill()
        process.wait()

    def revive(self, port: int) -> None:
        """Start a server again that was killed; it takes itself for what it was started as."""
        self._server(port)

    def end(self) -> None:
        """End everything."""
        for port in tuple(self._running):
            self.kill(port)

    def _server(self, port: int) -> int:
        words = (str(word) for name, value in self._settings(port).items() for word in (f"--{name}", value))
        self._running[port] = started(port, self._folder / f"{port}", *AOF, *words)
        return port

    def _sentinel(self, port: int, master: int) -> None:
        folder = self._folder / f"sentinel-{port}"
        folder.mkdir()
        conf = folder / "sentinel.conf"
        conf.write_text(
            "".join(f"{name} {value}\n" for name, value in self._settings(port).items())
            + f"bind 127.0.0.1\ndir {folder}\nlogfile sentinel.log\n"
            f"sentinel monitor {MASTER} 127.0.0.1 {master} 2\n"
            f"sentinel down-after-milliseconds {MASTER} {DOWN_AFTER_MS}\n"
            f"sentinel failover-timeout {MASTER} 3000\n"
        )
        self._running[port] = subprocess.Popen([str(find_redis()), str(conf), "--sentinel"])

    def _settings(self, port: int) -> dict[str, object]:
        return self._tls.settings(port) if self._tls else {"port": port}


@asynccontextmanager
async def watched(folder: Path, tls: Authority | None = None) -> AsyncIterator[Watched]:
    """Servers and sentinels that know each other, for the length of the block; over TLS where there is an authority."""
    found = Watched(folder, tls)
    try:
        await found.begin()
        yield found
    finally:
        found.end()
