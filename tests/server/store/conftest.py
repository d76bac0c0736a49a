"""What the store's tests share: clients as the server makes them, and bodies to append."""

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from engine.log.chain import entry_mac
from engine.log.entry import Body, pack_body
from server.store.connect import connect
from server.store.log import Log

SALT = bytes(16)
RID = "abcdefghijklmnopqrstuvwxyz"


def sealed(*words: str, kind: str = "seat.played", seat: int | None = None) -> list[tuple[bytes, bytes]]:
    """(MAC, body) pairs that differ in their words."""
    packed = [pack_body(Body(kind, 1, seat, {"m": word})) for word in words]
    return [(entry_mac(SALT, body), body) for body in packed]


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
