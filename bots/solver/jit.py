"""Compile kernels with numba, cached on disk wherever the disk can be written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import numba

P = ParamSpec("P")
R = TypeVar("R")


def cache_folder() -> Path | None:
    """Find where compiled kernels go when numba's own choice, next to the source, cannot be written.

    None leaves the choice to numba: the source folder is writable, or `NUMBA_CACHE_DIR` is set.
    """
    if os.environ.get("NUMBA_CACHE_DIR") or os.access(Path(__file__).parent, os.W_OK):
        return None
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fairdeal" / "numba"
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.gettempdir()) / f"fairdeal-numba-{os.getuid()}"
    return home


def compiled(kernel: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel at its first call; with `NUMBA_DISABLE_JIT=1` it stays plain Python.

    numba's cache does not see a change in a kernel that lives in another file, and loads a kernel that calls itself as
    one that crashes: so kernels call only kernels of their own file, and never themselves.
    """
    wrapped: Callable[P, R] = numba.njit(nogil=True, cache=True, error_model="numpy")(kernel)
    return wrapped


def inlined(kernel: Callable[P, R]) -> Callable[P, R]:
    """Compile a part of kernels into each place that calls it: a call would hand over every array of a workspace."""
    wrapped: Callable[P, R] = numba.njit(nogil=True, cache=True, error_model="numpy", forceinline=True)(kernel)
    return wrapped


def compiled_sums(kernel: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that may add in any order, several lanes at once: for sums that are exact in every order."""
    wrapped: Callable[P, R] = numba.njit(
        nogil=True, cache=True, error_model="numpy", fastmath={"reassoc", "nsz", "contract"}
    )(kernel)
    return wrapped


_folder = cache_folder()
if _folder is not None:
    numba.config.CACHE_DIR = str(_folder)  # type: ignore[attr-defined]
