"""`fairdeal` as a user starts it: whole processes, that are watched, killed, and looked after."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

WAIT_S = 60
"""Longer than anything takes that works, on a machine with much else to do."""


class Fairdeal:
    """One run of the command."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self._said: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int:
        return self.process.pid

    async def line(self) -> str:
        """The next line that it prints, on stdout."""
        assert self.process.stdout is not None
        async with asyncio.timeout(WAIT_S):
            return (await self.process.stdout.readline()).decode().rstrip("\n")

    async def says(self, beginning: str) -> str:
        """Wait for a line on stderr that begins so; whatever comes after it is shown where the test fails."""
        assert self.process.stderr is not None
        heard = []
        async with asyncio.timeout(WAIT_S):
            async for raw in self.process.stderr:
                heard.append(raw.decode())
                if heard[-1].startswith(beginning):
                    self._said = asyncio.create_task(_passed_on(self.process.stderr), name="stderr")
                    return heard[-1]
        raise AssertionError(f"expected a line {beginning!r}, found: {''.join(heard)}")

    async def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and return the exit status."""
        with suppress(ProcessLookupError):
            self.process.send_signal(number)
        async with asyncio.timeout(WAIT_S):
            status = await self.process.wait()
        if self._said is not None:
            await self._said
        return status


async def _passed_on(said: asyncio.StreamReader) -> None:
    async for line in said:
        sys.stderr.write(line.decode())


@asynccontextmanager
async def fairdeal(*arguments: str | Path, environ: Mapping[str, str] | None = None) -> AsyncIterator[Fairdeal]:
    """Run the command with these arguments; killed at the end of the block if it still runs."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "server", *map(str, arguments),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=1 << 22,
        # Analysts take a core for the first seconds; the journey that needs one says so.
        env={**os.environ, "FAIRDEAL_ANALYSTS": "0", **(environ or {})},
    )  # fmt: skip
    run = Fairdeal(process)
    try:
        yield run
    finally:
        if process.returncode is None:
            await run.end(signal.SIGKILL)


async def children(pid: int, module: str, number: int, but: Sequence[int] = ()) -> list[int]:
    """Wait until a process has so many children that run a Python module, and none of those in `but`; returns them."""
    async with asyncio.timeout(WAIT_S):
        while len(found := found_children(pid, module)) != number or set(found) & set(but):  # noqa: ASYNC110 - as in `gone`.
            await asyncio.sleep(0.02)
    return found


def found_children(pid: int, module: str) -> list[int]:
    """The children of a process that run a Python module, as there are now."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            status = (entry / "stat").read_text().rpartition(") ")[2].split()
            if int(status[1]) == pid and module in (entry / "cmdline").read_text().split("\0"):
                found.append(int(entry.name))
    return found


async def gone(*pids: int) -> None:
    """Wait until none of these processes lives any more; a zombie does not."""
    async with asyncio.timeout(WAIT_S):
        while any(_lives(pid) for pid in pids):  # noqa: ASYNC110 - nobody tells of another's child.
            await asyncio.sleep(0.02)


def _lives(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False
