"""What the store's tests share: clients as the server makes them, bodies to append, and what a bell has heard."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from engine.log.chain import entry_mac
from engine.log.entry import Body, pack_body
from server.store.bell import Bell, Rung
from server.store.connect import connect
from server.store.log import Log

SALT = bytes(16)
RID = "abcdefghijklmnopqrstuvwxyz"


def sealed(*words: str, kind: str = "seat.played", seat: int | None = None) -> list[tuple[bytes, bytes]]:
    """(MAC, body) pairs that differ in their words."""
    packed = [pack_body(Body(kind, 1, seat, {"m": word})) for word in words]
    return [(entry_mac(SALT, body), body) for body in packed]


async def heard(bell: Bell, count: int) -> set[Rung]:
    """The next `count` races that are rung."""
    rung: set[Rung] = set()
    async with asyncio.timeout(20):
        async for one in bell.rung():
            rung.add(one)
            if len(rung) == count:
                break
    return rung


@pytest.fixture
async def client(redis_url: str, redis: Redis) -> AsyncIterator[Redis]:
    """A client of the private Redis, made as the server makes it, on an emptied database."""
    client = connect(redis_url)
    yield client
    await client.aclose()


@pytest.fixture
async def log(client: Redis) -> AsyncIterator[Log]:
    """One node's log."""
    async with Log(client) as log:
        yield log


@pytest.fixture
async def other(redis_url: str, redis: Redis) -> AsyncIterator[Log]:
    """Another node's log on the same Redis, with connections of its own."""
    client = connect(redis_url)
    async with Log(client) as log:
        yield log
    await client.aclose()
