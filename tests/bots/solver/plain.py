"""Load kernels a second time as plain Python, not compiled."""

import importlib
import pkgutil
import sys
from types import ModuleType

import numba


def plain(name: str) -> ModuleType:
    """Return a copy of a module, or of a package with all its modules, in which every kernel is what was written.

    A module still takes what is compiled from other ones; in a package they take from each other what is not.
    """
    package = name if hasattr(importlib.import_module(name), "__path__") else None
    mine = [known for known in sys.modules if known == name or (package and known.startswith(f"{name}."))]
    before = {known: sys.modules.pop(known) for known in mine}
    jit = numba.config.DISABLE_JIT  # type: ignore[attr-defined]
    numba.config.DISABLE_JIT = True  # type: ignore[attr-defined]
    try:
        copy = importlib.import_module(name)
        for module in pkgutil.iter_modules(copy.__path__ if package else ()):
            importlib.import_module(f"{name}.{module.name}")
    finally:
        numba.config.DISABLE_JIT = jit  # type: ignore[attr-defined]
        parent, _, last = name.rpartition(".")
        sys.modules.update(before)
        setattr(sys.modules[parent], last, before[name])
    return copy
