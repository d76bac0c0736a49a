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

__all__ = ["MARK", "Family", "Usage"]

MARK: Final = "FAIRDEAL_FAMILY"
"""The environment variable that a program's children inherit, by which they are found wherever they went."""
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
        self._mark = f"{MARK}={mark}".encode()

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
        for _ in range(_ROUNDS):
            others = {*self._marked(), *(self._descent(self.root) if root else ())} - {self.root}
            for pid in (*others, self.root) if root else others:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if not others:
                return

    def _descent(self, pid: int) -> Iterator[int]:
        yield pid
        # A process's children are listed with the thread that started them.
        with suppress(OSError):
            for thread in (_PROC / str(pid) / "task").iterdir():
                for child in (thread / "children").read_text().split():
                    yield from self._descent(int(child))

    def _marked(self) -> Iterator[int]:
        with suppress(OSError):
            for process in _PROC.iterdir():
                if process.name.isdecimal() and int(process.name) != os.getpid():
                    with suppress(OSError):
                        if self._mark in (process / "environ").read_bytes():
                            yield int(process.name)


def _cpu_ms(pid: int) -> float:
    """Return what a process and the children it has waited for have used."""
    fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    waited_ms = (int(fields[13]) + int(fields[14])) * _TICK_MS
    try:
        # The clock of another process, as clock_getcpuclockid(3) makes it: exact, where stat counts ticks of 10 ms.
        return time.clock_gettime(~pid << 3 | 2) * 1000 + waited_ms
    except OSError:
        return (int(fields[11]) + int(fields[12])) * _TICK_MS + waited_ms
