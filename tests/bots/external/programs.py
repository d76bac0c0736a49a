"""Programs that the tests start, and what is left of them."""

import sys
from contextlib import suppress
from pathlib import Path

from bots.external.family import MARK

__all__ = ["HOSTILE", "command", "left_over"]

HOSTILE = Path(__file__).with_name("hostile.py")


def command(way: str) -> tuple[str, ...]:
    """The program that misbehaves in this way."""
    return (sys.executable, "-S", str(HOSTILE), way)


def left_over() -> list[str]:
    """The command lines of living processes that a program of these tests started, or is."""
    found = []
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            if process.name.isdecimal() and f"{MARK}=".encode() in (process / "environ").read_bytes():
                words = (process / "cmdline").read_bytes().decode()
                if HOSTILE.name in words or "time.sleep(600)" in words:
                    found.append(words)
    return found
