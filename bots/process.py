"""What processes that work beside a server have alike: their end, when told or with their parent, and their log."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from typing import Any, Final, NoReturn

import structlog

__all__ = ["log_to_stderr", "stop", "work_until_told"]

CANCEL_AGAIN_S: Final = 0.1

END_S: Final = 2.0
"""How long work may take to end when told to; what it was at is taken up by another worker, so it can be cut off."""


def work_until_told(work: Coroutine[Any, Any, None], while_stdin: bool) -> NoReturn:
    """Work until SIGINT or SIGTERM, or until standard input ends, and end this process at once."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(_until_told(work, while_stdin))
    # A search under way, or a kernel that is being compiled, cannot be stopped, and Python would wait for its thread.
    sys.stderr.flush()
    os._exit(0)


async def _until_told(work: Coroutine[Any, Any, None], while_stdin: bool) -> None:
    """Work until SIGINT or SIGTERM, or until standard input ends: then whoever started this has gone."""
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(work, name="work")

    def end() -> None:
        task.cancel()
        loop.call_later(END_S, os._exit, 0)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end)
    if while_stdin:
        stdin = sys.stdin.fileno()

        def read() -> None:
            if not os.read(stdin, 4096):
                loop.remove_reader(stdin)
                end()

        loop.add_reader(stdin, read)
    with suppress(asyncio.CancelledError):
        await task


async def stop(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel tasks until they have ended: before Python 3.12 one time can get lost while a client of Redis sends."""
    while unfinished := [task for task in tasks if not task.done()]:
        for task in unfinished:
            task.cancel()
        await asyncio.wait(unfinished, timeout=CANCEL_AGAIN_S)


def log_to_stderr(level: str) -> None:
    """Log one line of JSON an event; what a traceback's variables hold, tokens among it, is not for logs."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(level),
    )
