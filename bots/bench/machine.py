"""What a run was measured on: times mean nothing without it."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from msgspec import Struct

__all__ = ["Machine", "cores", "this_machine"]


class Machine(Struct, frozen=True):
    """A machine in a line or two."""

    processor: str
    cores: int
    system: str
    python: str
    fairdeal: str


def this_machine() -> Machine:
    """Describe the machine that this process runs on."""
    return Machine(
        processor=_processor(),
        cores=cores(),
        system=f"{platform.system()} {platform.release()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        fairdeal=_version(),
    )


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _version() -> str:
    try:
        return version("fairdeal")
    except PackageNotFoundError:
        return "from source"
