"""Things to do after a while, none of which outlives its owner."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

__all__ = ["Later"]


class Later:
    """Calls that are due at some time, one at a time for each thing; `end` drops those that are not yet."""

    def __init__(self) -> None:
        self._due: dict[str, asyncio.TimerHandle] = {}

    def call(self, what: str, wait_ms: int, call: Callable[[], None]) -> None:
        """Call something after `wait_ms`, unless a call for the same thing is due already."""
        if what in self._due:
            return

        def due() -> None:
            del self._due[what]
            call()

        self._due[what] = asyncio.get_running_loop().call_later(wait_ms / 1000, due)

    def end(self) -> None:
        """Call nothing more."""
        for handle in self._due.values():
            handle.cancel()
        self._due.clear()
