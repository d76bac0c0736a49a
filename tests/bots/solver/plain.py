"""Load a module of kernels a second time as plain Python, not compiled."""

import importlib.util
import sys
from types import ModuleType

import numba


def plain(name: str) -> ModuleType:
    """Return a copy of a module in which every kernel is the function that was written."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.loader is not None
    copy = importlib.util.module_from_spec(spec)
    before = numba.config.DISABLE_JIT  # type: ignore[attr-defined]
    numba.config.DISABLE_JIT = True  # type: ignore[attr-defined]
    module = sys.modules[name]
    try:
        spec.loader.exec_module(copy)
    finally:
        numba.config.DISABLE_JIT = before  # type: ignore[attr-defined]
        sys.modules[name] = module
    return copy
