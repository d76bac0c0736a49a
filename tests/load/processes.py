"""The servers that are measured, each a process of its own: the product, a bare echo, a bare writer to many sockets."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

__all__ = ["Served", "bare", "product"]

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
STOP_S = 30
SETTINGS = {
    # What limits people is not what is measured.
    "FAIRDEAL_PLAY_BURST": "1000000",
    "FAIRDEAL_PLAY_RATE": "1000000",
    "FAIRDEAL_SOCKETS_PER_ADDRESS": "1000000",
    "FAIRDEAL_START_DELAY_MS": "0",
    # A client that opens a thousand sockets one by one answers no ping meanwhile.
    "FAIRDEAL_DEAD_AFTER_MS": "3600000",
    "FAIRDEAL_BOTS": "0",
    "FAIRDEAL_ANALYSTS": "0",
    "FAIRDEAL_LOG_LEVEL": "warning",
}


class Served:
    """A process that serves on loopback."""

    def __init__(self, pid: int, port: int, data: Path | None = None) -> None:
        self.pid, self.port, self.data = pid, port, data

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def redis_url(self) -> str:
        """The URL of its private Redis."""
        assert self.data is not None
        return f"unix://{(self.data / 'redis.lock').read_text().strip()}"

    def cpu_s(self) -> float:
        """The seconds of CPU that all its threads have used, to the ns (the kernel's scheduler statistics).

        With those of the processes that share its port, its Redis left out.
        """
        threads = [thread for pid in self._pids() for thread in Path(f"/proc/{pid}/task").glob("*/schedstat")]
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9

    def _pids(self) -> list[int]:
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return [self.pid, *(int(pid) for pid in children if b"--share" in Path(f"/proc/{pid}/cmdline").read_bytes())]

    def memory_bytes(self) -> int:
        """What it holds in memory (resident)."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * PAGE_BYTES


@contextmanager
def product(under: Sequence[str] = (), **settings: str) -> Iterator[Served]:
    """`fairdeal serve` in a fresh data directory, with no bots; its private Redis is another process.

    `under`: a program, and its words, that runs it.
    """
    with tempfile.TemporaryDirectory(prefix="fairdeal-load-") as data:
        command = [*under, sys.executable, "-m", "server", "serve", "--port", "0", "--data", data]
        with _running(command, {**SETTINGS, **settings}, "stderr") as (process, line):
            yield Served(process.pid, int(re.findall(r":(\d+),", line)[0]), Path(data))


@contextmanager
def bare(name: str, *words: str, under: Sequence[str] = ()) -> Iterator[Served]:
    """One of the yardsticks in `tests/load/bare.py`; `under` as of `product`."""
    command = [*under, sys.executable, "-m", "tests.load.bare", name, *words]
    with _running(command, {}, "stdout") as (process, line):
        yield Served(process.pid, int(line))


@contextmanager
def _running(command: list[str], environ: dict[str, str], says: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a command until the end of the block; with the line that says where it listens."""
    pipes = {says: subprocess.PIPE}
    process = subprocess.Popen(command, env={**os.environ, **environ}, text=True, **pipes)  # type: ignore[call-overload]
    stream = getattr(process, says)
    reader = Thread(target=stream.read, name="its log", daemon=True)
    try:
        line = next((line for line in stream if line.startswith("Serving ") or line.strip().isdigit()), "")
        if not line:
            raise RuntimeError(f"expected a line that says where it listens, found none: {' '.join(command)}")
        reader.start()
        yield process, line
    finally:
        process.terminate()
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if reader.ident is not None:
            reader.join()
        stream.close()
