"""A read that many ask for at about the same time: made once for all whom it is late enough for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

__all__ = ["SharedRead"]


class SharedRead:
    """Reads of one thing, one at a time."""

    __slots__ = ("_begun", "_fault", "_last", "_reading")

    def __init__(self) -> None:
        self._begun = self._last = 0
        """The numbers of the last read that has begun, and that went to its end."""
        self._fault: Exception | None = None
        """What that one raised."""
        self._reading = asyncio.Lock()

    async def after_now(self, read: Callable[[], Awaitable[None]]) -> None:
        """Return once a read that began after this call is done: made here, unless somebody else's was meanwhile.

        Raises what that read raised: were it tried again for each who waits, the last would wait for as many times as
        Redis may take. One that was cancelled counts for nobody.
        """
        begun = self._begun
        async with self._reading:
            if self._last <= begun:
                self._begun += 1
                this_read = self._begun
                try:
                    await read()
                except Exception as fault:
                    self._last, self._fault = this_read, fault
                    raise
                self._last, self._fault = this_read, None
            elif self._fault is not None:
                raise self._fault
