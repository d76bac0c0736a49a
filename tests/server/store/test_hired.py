"""Bots asked for are counted by who offers their races, for all nodes, until the races are over."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from server.store import keys
from server.store.hired import HiredBots

pytestmark = pytest.mark.either_redis


async def test_no_more_than_one_may_have(client: Redis) -> None:
    """Of races offered at the same time those that fit are counted; who has too many is named, with how many."""
    bots = HiredBots(client)
    most = {"ann": 100, "address:1": 150}
    assert [await bots.hire(rid, 60, 60_000, most) for rid in "ab"] == [None, ("ann", 60)]
    assert await bots.hire("c", 40, 60_000, most) is None
    refused = await asyncio.gather(*(bots.hire(rid, 30, 60_000, {"bob": 100, "address:1": 150}) for rid in "de"))
    assert set(refused) == {None, ("address:1", 130)}


async def test_a_race_counts_once_until_it_is_over(client: Redis) -> None:
    """Offered again a race counts no more than before; freed, as often as one likes, it counts no longer."""
    bots = HiredBots(client)
    for _ in range(3):
        assert await bots.hire("a", 100, 60_000, {"ann": 100}) is None
    for _ in range(2):
        await bots.free("a", 100)
    assert await bots.hire("b", 100, 60_000, {"ann": 100}) is None
    assert [key async for key in client.scan_iter("*hired*")] == [keys.bots_hired("b").encode()]


async def test_what_nobody_frees_ends_by_itself(client: Redis) -> None:
    """A race of which no node says that it is over counts until it must be."""
    bots = HiredBots(client)
    assert await bots.hire("a", 100, 1, {"ann": 100}) is None
    while await client.exists(keys.bots_hired("a")):
        pass
    assert await bots.hire("b", 100, 60_000, {"ann": 100}) is None
