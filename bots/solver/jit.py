"""Compile kernels with numba, cached on disk wherever the disk can be written, until a file of the solvers changes."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

import numba
from numba.core.caching import InTreeCacheLocator, UserProvidedCacheLocator

P = ParamSpec("P")
R = TypeVar("R")

NUMBAS_OWN: Final = (
    "UserProvidedCacheLocator",
    "InTreeCacheLocator",
    "UserWideCacheLocator",
    "IPythonCacheLocator",
    "ZipCacheLocator",
)
"""Where numba caches what is no kernel of ours."""
KERNELS: Final = Path(__file__).parent
"""The folder of all kernels, and of all that they take from other files."""


@cache
def kernels_digest() -> str:
    """Return a digest of the sources of all kernels."""
    sources = hashlib.sha256()
    for path in sorted(KERNELS.rglob("*.py")):
        sources.update(path.relative_to(KERNELS).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return sources.hexdigest()


class _OfKernels:
    """Where a kernel is cached that is good for these sources of all kernels.

    Numba looks at a kernel's own file alone, and what it took from another one would be old when that has changed.
    """

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> Any:
        """Return a locator; None for what is no kernel of ours."""
        return super().from_function(function, file) if KERNELS in Path(file).parents else None  # type: ignore[misc]

    def get_source_stamp(self) -> str:
        """Return what tells whether a compiled kernel is up to date."""
        return kernels_digest()


class InCacheFolder(_OfKernels, UserProvidedCacheLocator):
    """In the folder that numba is told of."""


class BesideSource(_OfKernels, InTreeCacheLocator):
    """Next to the source."""


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

    What is cached is good until any file of this folder changes, so kernels may call kernels of other files. They never
    call themselves: numba's cache loads such a kernel as one that crashes.
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


numba.config.CACHE_LOCATOR_CLASSES = ",".join(  # type: ignore[attr-defined]
    (f"{__name__}.InCacheFolder", f"{__name__}.BesideSource", *NUMBAS_OWN)
)
_folder = cache_folder()
if _folder is not None:
    numba.config.CACHE_DIR = str(_folder)  # type: ignore[attr-defined]
