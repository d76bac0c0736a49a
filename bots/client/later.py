"""Things to do after a while, none of which outlives its owner."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

__all__ = ["Later"]


class Later:
    """Calls that are due at some time; `end` drops those that are not yet."""

    def __init__(self) -> None:
        self._due: set[asyncio.TimerHandle] = set()

    def call(self, wait_ms: int, call: Callable[[], None]) -> None:
        """Call something after `wait_ms`."""

        def due() -> None:
            self._due.discard(handle)
            call()

        handle = asyncio.get_running_loop().call_later(wait_ms / 1000, due)
        self._due.add(handle)

    def end(self) -> None:
        """Call nothing more."""
        for handle in self._due:
            handle.cancel()
        self._due.clear()
