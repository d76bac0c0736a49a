"""One node: a data directory, a Redis, the races, the application on a port, and an orderly end."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import structlog
from aiohttp import web
from msgspec import Struct
from msgspec.structs import replace

from server.app import make_app
from server.live.neighbours import Neighbours
from server.live.socket import NEIGHBOURS
from server.races.tables import Tables
from server.settings import Settings
from server.store.archive import open_archive
from server.store.connect import StoreUnavailable, connect, what_to_do
from server.store.datadir import StartRefused, owned
from server.store.keyring import KeyRing, KeyRingError, open_key_ring
from server.store.local import private_redis
from server.store.url import UrlWrong

__all__ = [
    "KEYRING_NAME",
    "Address",
    "address_of",
    "base",
    "key_ring",
    "node",
    "port_refused",
    "run",
    "runner_of",
    "serving",
]

KEYRING_NAME: Final = "keyring.json"
PORTS_TRIED: Final = 100
CLOSE_S: Final = 5.0
"""How long requests may take to end once the node goes away."""

LINGER_S: Final = 1.0
"""How long what is left of a refused body is read and dropped, so that the refusal arrives, before the end."""

T = TypeVar("T")

log = structlog.get_logger("node")


class Address(Struct, frozen=True):
    """Where a node answers people and clients, and what those who work for it use.

    Bots' workers its URL on this machine and its Redis, analysts its Redis and its key ring.
    """

    url: str
    local_url: str
    port: int
    redis_url: str
    keyring: Path


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
    async with base(settings) as found, serving(found, next_port=next_port) as address:
        yield address


@asynccontextmanager
async def base(settings: Settings) -> AsyncIterator[Settings]:
    """What a node stands on: its data directory, a key ring, a Redis; yields the settings that name all of them.

    Raises StartRefused.
    """
    with owned(settings.data) as data:
        keyring = settings.keyring or data / KEYRING_NAME
        key_ring(keyring)
        async with AsyncExitStack() as stack:
            redis_url = settings.redis
            if redis_url is None:
                redis_url = await stack.enter_async_context(private_redis(data))
            yield replace(settings, data=data, keyring=keyring, redis=redis_url)


@asynccontextmanager
async def serving(
    settings: Settings, *, next_port: bool = False, neighbours: Neighbours | None = None
) -> AsyncIterator[Address]:
    """Serve for the length of the block, on the `base` that the settings name; `neighbours` share the port.

    Raises StartRefused.
    """
    assert settings.redis is not None
    assert settings.keyring is not None
    ring = key_ring(settings.keyring)
    archive = open_archive(settings.archive, settings.data)
    async with AsyncExitStack() as stack:
        try:
            client = await stack.enter_async_context(contextlib.aclosing(connect(settings.redis)))
            tables = await stack.enter_async_context(Tables(settings, client, ring, archive))
        except StoreUnavailable as fault:
            raise StartRefused(f"Redis does not answer ({fault.reason}): {what_to_do(fault.reason)}.") from fault
        except UrlWrong as wrong:
            raise StartRefused(f"The URL of Redis cannot be used: {wrong}: correct --redis URL.") from wrong
        app = make_app(settings, tables, client, ring)
        if neighbours is not None:
            app[NEIGHBOURS] = neighbours
        runner = runner_of(settings, app)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        if neighbours is not None:
            assert runner.server is not None
            stack.enter_context(neighbours.heard(runner.server))
        address = address_of(settings, await _listen(runner, settings, next_port, neighbours is not None))
        log.info("node answers", url=address.url)
        yield address
        log.info("node stops", url=address.url)


def runner_of(settings: Settings, app: web.Application) -> web.AppRunner:
    """Return what runs an application; a connection that brings no whole request in time is closed.

    Bodies are read as they come: what says that it is compressed and is not would be an error outside of our calls.
    """
    return web.AppRunner(
        app,
        auto_decompress=False,
        access_log=None,
        handle_signals=False,
        shutdown_timeout=CLOSE_S,
        keepalive_timeout=settings.idle_ms / 1000,
        lingering_time=LINGER_S,
    )


def address_of(settings: Settings, port: int) -> Address:
    """Return where what listens on this port answers; the settings name a Redis and a key ring."""
    assert settings.redis is not None
    assert settings.keyring is not None
    local_url = f"http://{_host_in_url(settings.host)}:{port}"
    return Address(settings.public_url or local_url, local_url, port, settings.redis, settings.keyring)


def port_refused(settings: Settings, port: int, fault: OSError) -> StartRefused:
    """Return what to say where a port cannot be had."""
    return StartRefused(f"Port {port} of {settings.host} cannot be had ({fault.strerror}): choose another with --port.")


def key_ring(path: Path) -> KeyRing:
    """Return the ring in a file, a new one where there is none. Raises StartRefused."""
    try:
        return open_key_ring(path)
    except (KeyRingError, OSError) as fault:
        raise StartRefused(f"The key ring cannot be used: {fault}.") from fault


async def _listen(runner: web.AppRunner, settings: Settings, next_port: bool, port_shared: bool) -> int:
    """Listen on the port of the settings, or on the next free one where that is asked for; return it."""
    last = min(65535, settings.port + PORTS_TRIED) if next_port and settings.port else settings.port
    for port in range(settings.port, last + 1):
        site = web.TCPSite(runner, settings.host, port, backlog=1024, reuse_port=port_shared or None)
        try:
            await site.start()
        except OSError as fault:
            await site.stop()
            if fault.errno == errno.EADDRINUSE and port < last:
                continue
            raise port_refused(settings, port, fault) from fault
        return int(runner.addresses[0][1])
    raise AssertionError("unreachable: the last port either is taken or raises")


def _host_in_url(host: str) -> str:
    """Return what reaches an address that is listened on: for "any" that is this machine."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(host)  # noqa: S104 - never listened on here
    return shown or (f"[{host}]" if ":" in host else host)
