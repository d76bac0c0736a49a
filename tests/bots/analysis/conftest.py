"""An analyst in this process, on the tests' Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from redis.asyncio import Redis

from bots.analysis.analyst import Analyst
from server.store.connect import connect

Analysing = Callable[[str], AbstractAsyncContextManager[None]]


@pytest.fixture
def analysing(kernels: None, redis: Redis, redis_url: str) -> Analysing:
    """Let an analyst of some name work for the length of a block."""

    @asynccontextmanager
    async def work(name: str) -> AsyncIterator[None]:
        client = connect(redis_url)
        task = asyncio.create_task(Analyst(client, name).work())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])
            await client.aclose()

    return work
