"""Fixtures of the worker's tests: a node on the tests' Redis, and workers that play on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from redis.asyncio import Redis

from bots.client import Client
from bots.process import stop
from bots.thinking import Thinking
from bots.wanted import Wanted
from bots.worker import SEATS, Worker
from server.node import node
from server.settings import Settings
from server.store.connect import connect

Working = Callable[..., AbstractAsyncContextManager[Worker]]


@pytest.fixture
async def address(redis: Redis, redis_url: str, tmp_path: Path) -> AsyncIterator[str]:
    """The address of a node where nobody waits: no countdown, no limit to a seat's rate."""
    settings = Settings(
        redis=redis_url, data=tmp_path, port=0, start_delay_ms=0, series_delay_ms=0, progress_ms=10, play_burst=10_000,
        play_rate=10_000,
    )  # fmt: skip
    async with node(settings) as address:
        yield address.url


@pytest.fixture
async def client(address: str) -> AsyncIterator[Client]:
    """A person on that node, who offers and watches races."""
    async with Client(address, name="Ann") as client:
        yield client


@pytest.fixture
def working(address: str, redis_url: str) -> Working:
    """Run a worker of some name for the length of a block."""

    @asynccontextmanager
    async def working(
        name: str, dead_after_ms: int = 30_000, seats: int = SEATS, server: str = address
    ) -> AsyncIterator[Worker]:
        elsewhere = connect(redis_url)
        with Thinking() as thinking:
            worker = Worker(Wanted(elsewhere, name, dead_after_ms), server, thinking, seats=seats)
            task = asyncio.create_task(worker.work(dead_after_ms), name=name)
            yield worker
            await stop([task])
        await elsewhere.aclose()

    return working
