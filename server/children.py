"""Child processes of a server: started beside it, started again when they die, ended with it."""

from __future__ import annotations

import asyncio
import contextlib
import os
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Final

import structlog
from msgspec import Struct

__all__ = ["Child", "kept"]

AGAIN_S: Final = 0.25
LONGEST_AGAIN_S: Final = 30.0
SETTLED_S: Final = 30.0
"""A child that dies younger, and had not spoken, would die again at once: it is waited twice as long each time."""

log = structlog.get_logger("children")


def _nothing(status: int | None) -> None:
    """Take no note."""


class Child(Struct, frozen=True):
    """What runs: its name in logs, its command, and what its environment has beside this one's.

    `spoke` is told (None) when a process has printed its first line on stdout, or with which status it ended before;
    one that the system did not start has ended with `os.EX_OSERR`.
    """

    name: str
    command: tuple[str, ...]
    environ: Mapping[str, str]
    spoke: Callable[[int | None], None] = _nothing


@contextlib.asynccontextmanager
async def kept(children: Sequence[Child], stop_s: float) -> AsyncIterator[None]:
    """Run these children for the length of the block; none of them is waited for at its start.

    At the end each has `stop_s` to leave before it is killed. Should this process be killed, they see their standard
    input end, and are to end by themselves.
    """
    keepers = [asyncio.create_task(_keep(child, stop_s), name=child.name) for child in children]
    try:
        yield
    finally:
        for keeper in keepers:
            keeper.cancel()
        await asyncio.gather(*keepers, return_exceptions=True)


async def _keep(child: Child, stop_s: float) -> None:
    clock = asyncio.get_running_loop().time
    wait_s = AGAIN_S / 2
    while True:
        begun, spoke = clock(), False
        try:
            process = await _start(child)
        except OSError as refused:
            # As where no process more is to be had for a while.
            log.error("child cannot be started", child=child.name, why=str(refused))
            status = os.EX_OSERR
        else:
            try:
                spoke = bool(await _first_line(process))
                if spoke:
                    child.spoke(None)
                status = await process.wait()
            finally:
                await _end(process, stop_s)
        if not spoke:
            child.spoke(status)
        wait_s = AGAIN_S if spoke or clock() - begun > SETTLED_S else min(2 * wait_s, LONGEST_AGAIN_S)
        log.warning("child ended, starting it again", child=child.name, status=status, wait_s=wait_s)
        await asyncio.sleep(wait_s)


async def _start(child: Child) -> Process:
    return await asyncio.create_subprocess_exec(
        *child.command,
        stdin=PIPE,
        stdout=DEVNULL if child.spoke is _nothing else PIPE,
        env={**os.environ, **child.environ},
        # Ctrl-C goes to a terminal's whole process group, and a child ends when it is told to.
        start_new_session=True,
    )


async def _first_line(process: Process) -> bytes:
    """Wait for a process's first line; empty when it ended without one. A process that is not listened to has none."""
    return b"" if process.stdout is None else await process.stdout.readline()


async def _end(process: Process, stop_s: float) -> None:
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(stop_s):
            await process.wait()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
