"""A whole server of its own: node, private Redis and a bot worker, started and stopped as a user would."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import IO

START_DELAY_MS = 500
"""Short enough for many races."""
STOP_S = 20


@contextmanager
def serving(start_delay_ms: int = START_DELAY_MS) -> Iterator[str]:
    """Run `fairdeal serve` in a fresh data directory; yields its address."""
    with tempfile.TemporaryDirectory(prefix="fairdeal-data-") as data:
        server = subprocess.Popen(
            [sys.executable, "-m", "server", "serve", "--port", "0", "--data", data, "--bots", "1"],
            env={**os.environ, "FAIRDEAL_START_DELAY_MS": str(start_delay_ms)},
            stderr=subprocess.PIPE,
            text=True,
        )
        assert server.stderr is not None
        lines: list[str] = []
        try:
            for line in server.stderr:
                lines.append(line)
                if line.startswith("Serving "):
                    break
            else:
                raise AssertionError("the server did not start:\n" + "".join(lines))
            # Somebody has to read what it logs from here on, or it would stop when the pipe is full.
            drain = Thread(target=_pass_on, args=(server.stderr,), name="server's log")
            drain.start()
            yield re.findall(r"http:[^\s,]+", lines[-1])[0]
            server.terminate()
            assert server.wait(STOP_S) == 0
            drain.join()
        finally:
            if server.poll() is None:
                server.kill()
                server.wait()
            server.stderr.close()


def _pass_on(said: IO[str]) -> None:
    """Show what a server says with the test that runs meanwhile, where that fails."""
    for line in said:
        sys.stderr.write(line)
