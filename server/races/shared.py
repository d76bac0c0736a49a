"""A read that many ask for at about the same time: made once for all whom it is late enough for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

__all__ = ["SharedRead"]


class SharedRead:
    """Reads of one thing, one at a time."""

    __slots__ = ("_begun", "_last", "_reading")

    def __init__(self) -> None:
        self._begun = self._last = 0
        """The numbers of the last read that has begun, and that went well."""
        self._reading = asyncio.Lock()

    async def after_now(self, read: Callable[[], Awaitable[None]]) -> None:
        """Return once a read that began after this call went well: made here, unless somebody else's did meanwhile.

        Raises what `read` raises; a read that failed counts for nobody.
        """
        begun = self._begun
        async with self._reading:
            if self._last > begun:
                return
            self._begun += 1
            this_read = self._begun
            await read()
            self._last = this_read
