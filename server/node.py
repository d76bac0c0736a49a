"""One node: a data directory, a Redis, the races, the application on a port, and an orderly end."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final, TypeVar

import structlog
from aiohttp import web
from msgspec import Struct

from server.app import make_app
from server.races.tables import Tables
from server.settings import Settings
from server.store.connect import StoreUnavailable, connect
from server.store.datadir import OwnedDir, StartRefused, owned
from server.store.keyring import KeyRing, KeyRingError, open_key_ring
from server.store.local import private_redis

__all__ = ["Address", "node", "run"]

KEYRING_NAME: Final = "keyring.json"
PORTS_TRIED: Final = 100
CLOSE_S: Final = 5.0
"""How long requests may take to end once the node goes away."""

T = TypeVar("T")

log = structlog.get_logger("node")


class Address(Struct, frozen=True):
    """Where a node answers people and clients, and what its bots' workers use: its URL on this machine, its Redis."""

    url: str
    local_url: str
    port: int
    redis_url: str


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end on the quickest event loop there is here."""
    if sys.platform == "win32":
        return asyncio.run(work)
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


@asynccontextmanager
async def node(settings: Settings, *, next_port: bool = False) -> AsyncIterator[Address]:
    """A node for the length of the block; leaving it drains its sockets and stops what it started.

    With `next_port` the next free port is taken where that of the settings is in use. Raises StartRefused, which says
    what to do.
    """
    async with AsyncExitStack() as stack:
        data = stack.enter_context(owned(settings.data))
        ring = _key_ring(settings, data)
        redis_url = settings.redis
        if redis_url is None:
            redis_url = await stack.enter_async_context(private_redis(data))
        client = await stack.enter_async_context(contextlib.aclosing(connect(redis_url)))
        try:
            tables = await stack.enter_async_context(Tables(settings, client, ring))
        except StoreUnavailable as fault:
            raise StartRefused(f"Redis does not answer ({fault.reason}): start it, or correct --redis URL.") from fault
        runner = web.AppRunner(
            make_app(settings, tables, client, ring), access_log=None, handle_signals=False, shutdown_timeout=CLOSE_S
        )
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        port = await _listen(runner, settings, next_port)
        local_url = f"http://{_host_in_url(settings.host)}:{port}"
        url = settings.public_url or local_url
        log.info("node answers", url=url)
        yield Address(url, local_url, port, redis_url)
        log.info("node stops", url=url)


def _key_ring(settings: Settings, data: OwnedDir) -> KeyRing:
    try:
        return open_key_ring(settings.keyring or data / KEYRING_NAME)
    except (KeyRingError, OSError) as fault:
        raise StartRefused(f"The key ring cannot be used: {fault}.") from fault


async def _listen(runner: web.AppRunner, settings: Settings, next_port: bool) -> int:
    """Listen on the port of the settings, or on the next free one where that is asked for; return it."""
    last = min(65535, settings.port + PORTS_TRIED) if next_port and settings.port else settings.port
    for port in range(settings.port, last + 1):
        site = web.TCPSite(runner, settings.host, port, backlog=1024)
        try:
            await site.start()
        except OSError as fault:
            await site.stop()
            if fault.errno == errno.EADDRINUSE and port < last:
                continue
            raise StartRefused(
                f"Port {port} of {settings.host} cannot be had ({fault.strerror}): choose another with --port."
            ) from fault
        return int(runner.addresses[0][1])
    raise AssertionError("unreachable: the last port either is taken or raises")


def _host_in_url(host: str) -> str:
    """Return what reaches an address that is listened on: for "any" that is this machine."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(host)  # noqa: S104 - never listened on here
    return shown or (f"[{host}]" if ":" in host else host)
