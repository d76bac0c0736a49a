"""Programs that the tests start, and what is left of them."""

import os
import sys
import time
import uuid
from contextlib import suppress
from pathlib import Path

__all__ = ["HOSTILE", "command", "gone", "left_over"]

HOSTILE = Path(__file__).with_name("hostile.py")

# Other test runs on this machine have programs too: those of this one inherit its mark.
_RUN = uuid.uuid4().hex
os.environ["BOT_TEST_RUN"] = _RUN


def command(way: str) -> tuple[str, ...]:
    """The program that misbehaves in this way."""
    return (sys.executable, "-S", str(HOSTILE), way)


def left_over() -> list[str]:
    """The command lines of living processes that a program of this test run started, or is."""
    found = []
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            if process.name.isdecimal() and _RUN.encode() in (process / "environ").read_bytes():
                words = (process / "cmdline").read_bytes().decode()
                if HOSTILE.name in words or "time.sleep(600)" in words:
                    found.append(words)
    return found


def gone(within_s: float = 5) -> bool:
    """Whether they are all gone, or go within a while: a program whose input has closed needs a moment."""
    until = time.monotonic() + within_s
    while left_over():
        if time.monotonic() > until:
            return False
    return True
