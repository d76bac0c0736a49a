"""What is kept of compiled kernels is good until any of their sources changes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.solver import jit

Run = Callable[[int, int], list[int]]

TAKEN = """
from kernels.jit import compiled
STEP = {step}

@compiled
def more(number: int) -> int:
    return number + {more}
"""
KERNEL = """
from kernels.jit import compiled
from kernels.taken import STEP, more

@compiled
def kernel(number: int) -> int:
    return more(number) * STEP

if __name__ == "__main__":
    print(kernel(1), sum(kernel.stats.cache_hits.values()))
"""


@pytest.fixture(params=["beside the source", "in a folder"])
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    """Runs a kernel that takes a constant and a kernel from another file; returns its value, and the cache's hits."""
    kernels = tmp_path / "kernels"
    kernels.mkdir()
    shutil.copy(jit.__file__, kernels / "jit.py")
    (kernels / "__init__.py").touch()
    (kernels / "own.py").write_text(KERNEL)
    environ = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    if request.param == "in a folder":
        environ["NUMBA_CACHE_DIR"] = str(tmp_path / "cache")

    def once(step: int, more: int) -> list[int]:
        (kernels / "taken.py").write_text(TAKEN.format(step=step, more=more))
        command = [sys.executable, "-c", "import runpy; runpy.run_module('kernels.own', run_name='__main__')"]
        done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=True)
        return [int(word) for word in done.stdout.split()]

    return once


def test_a_kernel_is_compiled_anew_when_what_it_takes_has_changed(run: Run) -> None:
    """Another constant or another kernel, in another file, is seen; without a change the kept one is loaded."""
    assert run(2, 10) == [22, 0]
    assert run(3, 10) == [33, 0]
    assert run(3, 20) == [63, 0]
    assert run(3, 20) == [63, 1]


def test_what_is_no_kernel_is_left_to_numba() -> None:
    """Others' functions are not bound to our sources."""
    assert jit.BesideSource.from_function(run, __file__) is None
    assert jit.BesideSource.from_function(jit.cache_folder, jit.__file__) is not None
