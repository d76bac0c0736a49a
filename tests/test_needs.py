"""Tests that need a tool: skipped and summed up without it, failed where all tools are demanded."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.needs import found

ROOT = Path(__file__).parents[1]

SUITE = """
import pytest
from tests.needs import needs

@needs("no-such-tool")
def test_one():
    raise AssertionError("ran without its tool")

@needs("no-such-tool", "sh", "nor-this")
@pytest.mark.parametrize("n", [1, 2])
def test_two(n, a_fixture):
    raise AssertionError("ran without its tool")

@pytest.fixture
def a_fixture():
    raise AssertionError("set up without its tool")

@needs("sh")
def test_here():
    pass
"""


@pytest.mark.parametrize(
    ("all_needed", "processes", "status", "closing"),
    [
        pytest.param("", "0", 0, "1 passed, 3 skipped", id="skipped"),
        pytest.param("", "2", 0, "1 passed, 3 skipped", id="skipped by two processes"),
        pytest.param("1", "0", 1, "1 passed, 3 errors", id="all demanded"),
    ],
)
def test_missing(tmp_path: Path, all_needed: str, processes: str, status: int, closing: str) -> None:
    """Without its tool a test is skipped, or fails where all are demanded; one line sums up what was missing."""
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n")
    (tmp_path / "test_suite.py").write_text(SUITE)
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path)]
    run = subprocess.run(
        [*command, "-p", "no:cacheprovider", "-n", processes, str(tmp_path)],
        env={**os.environ, "TESTS_NEED_ALL": all_needed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = run.stdout.splitlines()
    assert [li for li in lines if li.startswith("Missing")] == ["Missing: no-such-tool (3 tests), nor-this (2 tests)"]
    assert closing in lines[-1]
    assert status == run.returncode


def test_found() -> None:
    """A tool that has no entry of its own is looked for on PATH."""
    assert found("sh")
    assert not found("no-such-tool")
