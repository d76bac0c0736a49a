"""Fixtures of the server's tests: a whole node on the tests' Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from redis.asyncio import Redis

from bots.analysis.analyst import Analyst, answer_to
from engine.question import PositionQuestion
from server.app import make_app
from server.node import runner_of
from server.races.tables import Tables
from server.settings import Settings
from server.store.archive import Archive, FolderArchive, open_folder
from server.store.connect import connect
from server.store.keyring import KeyRing, new_key_ring
from tests.server.served import Server

Serve = Callable[..., Awaitable[Server]]


@pytest.fixture
def ring() -> KeyRing:
    return new_key_ring()


@pytest.fixture
async def serve(redis: Redis, redis_url: str, ring: KeyRing) -> AsyncIterator[Serve]:
    """Start a node with some settings; several may share the Redis and the keys."""
    async with AsyncExitStack() as stack:

        async def start(
            url: str = redis_url, give_up_ms: int | None = None, archive: Archive | None = None, **chosen: Any
        ) -> Server:
            settings = Settings(**{"start_delay_ms": 0, "progress_ms": 20} | chosen)
            client = connect(url)
            stack.push_async_callback(client.aclose)
            tables = await stack.enter_async_context(Tables(settings, client, ring, archive, give_up_ms=give_up_ms))
            # Not aiohttp's own TestServer: that cancels handlers whose client has gone, which no node does.
            runner = runner_of(settings, make_app(settings, tables, client, ring))
            await runner.setup()
            stack.push_async_callback(runner.cleanup)
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            address = f"http://127.0.0.1:{runner.addresses[0][1]}"
            return await stack.enter_async_context(Server(address, runner.cleanup))

        yield start


@pytest.fixture
async def server(serve: Serve) -> Server:
    return await serve()


@pytest.fixture
async def analyst(kernels: None, redis: Redis, redis_url: str) -> AsyncIterator[None]:
    """An analyst at work, who answers what the node asks the solvers; kernels are loaded before any wait begins."""
    for code in ("GO1-E-AAAAAAB", "DS1-D1N-AAAAAAB"):
        await asyncio.to_thread(answer_to, PositionQuestion(code))
    client = connect(redis_url)
    task = asyncio.create_task(Analyst(client, "one").work())
    yield
    task.cancel()
    await asyncio.wait([task])
    await client.aclose()


@pytest.fixture
def archived_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Timers are looked at more often, races go into the archive and logs away sooner, than on a server."""
    monkeypatch.setattr("server.races.due.TIMERS_EVERY_S", 0.02)
    monkeypatch.setattr("server.races.due.CLOSED_WITHIN_MS", 1)
    monkeypatch.setattr("server.races.keeping.STREAM_KEPT_MS", 30)
    monkeypatch.setattr("server.races.keeping.LOOK_AGAIN_MS", 1)


@pytest.fixture
def archive(tmp_path: Path) -> FolderArchive:
    return open_folder(tmp_path / "archive")
