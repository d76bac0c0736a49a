"""Everything that a client hears, in order, for whoever wants to read along."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from engine.wire.outbound import Outbound

__all__ = ["Messages"]


class Messages:
    """An iterator over the messages that arrive from its making on; it ends with the client.

    It keeps what is not read yet, so read it or `close` it. Raises Closed when the connection ended for good.
    """

    def __init__(self) -> None:
        self._heard: asyncio.Queue[Outbound | Exception | None] = asyncio.Queue()

    def __aiter__(self) -> AsyncIterator[Outbound]:
        return self

    async def __anext__(self) -> Outbound:
        heard = await self._heard.get()
        if heard is None:
            raise StopAsyncIteration
        if isinstance(heard, Exception):
            raise heard
        return heard

    def hear(self, message: Outbound) -> None:
        """Add a message."""
        self._heard.put_nowait(message)

    def end(self, fault: Exception | None = None) -> None:
        """End the iteration after what has been heard, with a fault if there is one."""
        self._heard.put_nowait(fault)
