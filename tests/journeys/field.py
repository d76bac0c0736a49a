"""What chaos has to strike at: two nodes, one of them of several processes, a bot worker, and a Redis behind lines."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from server.store.datadir import owned
from server.store.local import private_redis
from tests.journeys.processes import Fairdeal, fairdeal, found_children
from tests.journeys.proxy import Proxy, proxy_to
from tests.ports import free_port

__all__ = ["Field", "NodeUp", "field"]

QUICK: Final = {
    "FAIRDEAL_START_DELAY_MS": "50",
    "FAIRDEAL_PLAY_BURST": "100000",
    "FAIRDEAL_PLAY_RATE": "100000",
    "FAIRDEAL_LOG_LEVEL": "error",
}
AGAIN_S: Final = 0.05
SKEWED: Final = Path(__file__).parent / "skewed"


class NodeUp:
    """A node that is started again whenever it has ended, at the same port, over a line of its own to Redis."""

    def __init__(
        self, data: Path, line: Proxy, shared: Path, arguments: Sequence[str], environ: Mapping[str, str]
    ) -> None:
        self.port = free_port()
        self.line = line
        self.starts = 0
        self.pid = 0
        self._arguments = (
            "serve", "--redis", line.url, "--data", data, "--port", str(self.port), *arguments
        )  # fmt: skip
        common = {"FAIRDEAL_KEYRING": str(shared / "keyring.json"), "FAIRDEAL_ARCHIVE": str(shared / "archive")}
        self._environ = {**QUICK, **common, **environ}

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def keep(self) -> None:
        """Run the node for ever."""
        while True:
            async with fairdeal(*self._arguments, environ=self._environ) as run:
                self.pid = run.pid
                self.starts += 1
                await self._run(run)
            await asyncio.sleep(AGAIN_S)

    async def _run(self, run: Fairdeal) -> None:
        try:
            with suppress(AssertionError):  # It was killed before it served.
                await run.says("Serving ")
            await run.process.wait()
        except asyncio.CancelledError:
            await run.end()
            raise

    def processes(self, module: str = "server") -> list[int]:
        """The pids of its children that run a module, as there are now."""
        return found_children(self.pid, module)


class Field:
    """All that can be struck; `single` is a node of one process with a bot worker, `double` one of two processes."""

    def __init__(self, data: Path, single: NodeUp, double: NodeUp) -> None:
        self._data = data
        self.single = single
        self.double = double

    @property
    def redis(self) -> int:
        return int((self._data / "redis.pid").read_text())

    @property
    def lines(self) -> tuple[Proxy, Proxy]:
        return self.single.line, self.double.line

    def everything(self) -> list[int]:
        """The pids of all processes."""
        workers = self.single.processes("server.commands.worker")
        found = [*workers, *self.double.processes(), self.single.pid, self.double.pid]
        with suppress(OSError, ValueError):
            found.append(self.redis)
        return found


def kill(pids: Iterable[int]) -> int:
    """Kill processes as a power cut would; returns how many there were."""
    killed = 0
    for pid in pids:
        if pid > 0:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                killed += 1
    return killed


@asynccontextmanager
async def field(folder: Path, environ: Mapping[str, str] | None = None) -> AsyncIterator[Field]:
    """Everything running, for the length of the block; at its end it is stopped in order.

    The nodes' clocks are off by half a minute, one this way, one the other, and those of their workers with them.
    """
    async with AsyncExitStack() as stack:
        data = stack.enter_context(owned(folder / "redis"))
        url = await stack.enter_async_context(private_redis(data))
        nodes = []
        for name, skew_s, arguments in (
            ("single", "30", ("--bots", "1")),
            ("double", "-30", ("--workers", "2", "--bots", "0")),
        ):
            line = await stack.enter_async_context(proxy_to(url))
            skewed = {"PYTHONPATH": str(SKEWED), "SKEW_S": skew_s}
            nodes.append(NodeUp(folder / name, line, folder, arguments, skewed | dict(environ or {})))
        keepers = [asyncio.create_task(node.keep(), name=f"node at {node.port}") for node in nodes]
        try:
            yield Field(data, *nodes)
        finally:
            for keeper in keepers:
                keeper.cancel()
            ends = await asyncio.gather(*keepers, return_exceptions=True)
            faults = [end for end in ends if not isinstance(end, asyncio.CancelledError)]
            assert not faults, faults
