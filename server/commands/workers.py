"""The bots' worker processes as children of a server: started beside it, started again when they die, ended with it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from typing import Final

import structlog

from server.settings import LogLevel

__all__ = ["bot_workers"]

STOP_S: Final = 3.0
"""How long a worker may take to leave; what it was doing then is taken up by the next one, so it can be killed."""
AGAIN_S: Final = 1.0
LONGEST_AGAIN_S: Final = 30.0
SETTLED_S: Final = 30.0
"""A worker that dies younger than this would die again at once: each time it is waited twice as long as before."""

log = structlog.get_logger("workers")


@contextlib.asynccontextmanager
async def bot_workers(number: int, redis_url: str, server: str, log_level: LogLevel) -> AsyncIterator[None]:
    """Run so many workers for the length of the block; none of them is waited for at its start.

    `server` is where they play. Should this process be killed, its workers see their standard input end, and end.
    """
    keepers = [
        asyncio.create_task(_keep(_name(server, index), redis_url, server, log_level), name=f"bot worker {index}")
        for index in range(number)
    ]
    try:
        yield
    finally:
        for keeper in keepers:
            keeper.cancel()
        await asyncio.gather(*keepers, return_exceptions=True)


def _name(server: str, index: int) -> str:
    """Name a worker the same at each start of this server, so that it finds the seats that it had."""
    return f"{socket.gethostname()} {server} {index}"


async def _keep(name: str, redis_url: str, server: str, log_level: LogLevel) -> None:
    clock = asyncio.get_running_loop().time
    wait_s = AGAIN_S / 2
    while True:
        begun = clock()
        process = await _start(name, redis_url, server, log_level)
        try:
            status = await process.wait()
        finally:
            await _end(process)
        wait_s = AGAIN_S if clock() - begun > SETTLED_S else min(2 * wait_s, LONGEST_AGAIN_S)
        log.warning("bot worker ended, starting it again", worker=name, status=status, wait_s=wait_s)
        await asyncio.sleep(wait_s)


async def _start(name: str, redis_url: str, server: str, log_level: LogLevel) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bots.worker", "--server", server, "--name", name, "--while-stdin",
        stdin=PIPE,
        stdout=DEVNULL,
        # A URL may hold a password, and anybody may read a command line.
        env={**os.environ, "FAIRDEAL_REDIS": redis_url, "FAIRDEAL_LOG_LEVEL": log_level.value},
        # Ctrl-C goes to a terminal's whole process group, and a worker ends when it is told to.
        start_new_session=True,
    )  # fmt: skip


async def _end(process: Process) -> None:
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(STOP_S):
            await process.wait()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
