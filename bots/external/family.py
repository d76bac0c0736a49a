"""A program and all that it started: what they hold, what they have used, and their end (Linux: from /proc)."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

__all__ = ["MARK", "Family", "Usage", "end_marked"]

MARK: Final = "BOT_FAMILY"
"""The environment variable that a program's children inherit, by which they are found wherever they went.
No setting of the server's begins so: a program may well run `fairdeal` itself."""
_PROC: Final = Path("/proc")
_PAGE_MB: Final = os.sysconf("SC_PAGE_SIZE") / 2**20
_TICK_MS: Final = 1000 / os.sysconf("SC_CLK_TCK")
_ROUNDS: Final = 20
"""How often those who were born while others were ended are looked for."""


class Usage(Struct, frozen=True):
    """CPU time used since the start, and memory held now, of all processes together."""

    cpu_ms: float
    memory_mb: float


class Family:
    """The processes that come from one, found by descent and by the mark in their environment."""

    def __init__(self, root: int, mark: str) -> None:
        self.root = root
        self._mark = mark

    def usage(self) -> Usage:
        """Add up what the living use; zeros where the system has no /proc."""
        cpu_ms = memory_mb = 0.0
        for pid in self._descent(self.root):
            with suppress(OSError, ValueError, IndexError):
                cpu_ms += _cpu_ms(pid)
                memory_mb += int((_PROC / str(pid) / "statm").read_text().split()[1]) * _PAGE_MB
        return Usage(cpu_ms, memory_mb)

    def end(self, *, root: bool) -> None:
        """Kill them all, also those that left the session or lost their parents.

        `root` tells whether the first of them has not been waited for: its number may be another process's since.
        """
        if root:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.root, signal.SIGKILL)  # It leads a session, and so a group, of its own.
            for pid in (*self._descent(self.root), self.root):
                _kill(pid)
        end_marked(MARK, self._mark, but=self.root)

    def _descent(self, pid: int) -> Iterator[int]:
        yield pid
        # A process's children are listed with the thread that started them.
        with suppress(OSError):
            for thread in (_PROC / str(pid) / "task").iterdir():
                for child in (thread / "children").read_text().split():
                    yield from self._descent(int(child))


def end_marked(variable: str, value: str, *, but: int = 0) -> None:
    """Kill every process that was started with this in its environment, until none is left that runs."""
    for _ in range(_ROUNDS):
        found = [pid for pid in _marked(f"{variable}={value}".encode()) if pid != but]
        if not found:
            return
        for pid in found:
            _kill(pid)


def _marked(mark: bytes) -> Iterator[int]:
    with suppress(OSError):
        for process in _PROC.iterdir():
            if process.name.isdecimal():
                with suppress(OSError):
                    if mark in (process / "environ").read_bytes():
                        yield int(process.name)


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def _cpu_ms(pid: int) -> float:
    """Return what a process and the children it has waited for have used."""
    fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    waited_ms = (int(fields[13]) + int(fields[14])) * _TICK_MS
    try:
        # The clock of another process, as clock_getcpuclockid(3) makes it: exact, where stat counts ticks of 10 ms.
        return time.clock_gettime(~pid << 3 | 2) * 1000 + waited_ms
    except OSError:
        return (int(fields[11]) + int(fields[12])) * _TICK_MS + waited_ms
