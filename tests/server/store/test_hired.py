"""Bots asked for are counted by who offers their races, for all nodes, until the races are over."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from server.store import keys
from server.store.hired import Hired, HiredBots, TooMany

pytestmark = pytest.mark.either_redis


async def test_no_more_than_one_may_have(client: Redis) -> None:
    """Of races offered at the same time those that fit are counted; who has too many is named, with how many."""
    bots = HiredBots(client)
    most = {"ann": 100, "address:1": 150}
    first, second = [await bots.hire(rid, 60, 60_000, most) for rid in "ab"]
    assert (isinstance(first, Hired), second) == (True, TooMany("ann", 60))
    assert isinstance(await bots.hire("c", 40, 60_000, most), Hired)
    both = await asyncio.gather(*(bots.hire(rid, 30, 60_000, {"bob": 100, "address:1": 150}) for rid in "de"))
    assert [one for one in both if not isinstance(one, Hired)] == [TooMany("address:1", 130)]


@pytest.mark.parametrize("last", [0, 1], ids=["the first gives up last", "the second gives up last"])
async def test_two_who_offer_the_same_race(client: Redis, last: int) -> None:
    """Its bots count for as long as one of them may yet make it, and no longer."""
    bots, most = HiredBots(client), {"ann": 100, "address:1": 100}
    tries = [await bots.hire("a", 60, 60_000, {"ann": 100, f"address:{n}": 100}) for n in (1, 2)]
    for _ in range(2):  # Again, as where the answer was lost.
        await _give_back(bots, tries[1 - last])
    assert await bots.hire("b", 60, 60_000, most) == TooMany("ann", 60)
    await _give_back(bots, tries[last])
    assert isinstance(await bots.hire("b", 60, 60_000, most), Hired)


async def test_a_race_counts_once_until_it_is_over(client: Redis) -> None:
    """Offered again a race counts no more than before; freed, as often as one likes, it counts no longer."""
    bots = HiredBots(client)
    for _ in range(3):
        assert isinstance(await bots.hire("a", 100, 60_000, {"ann": 100}), Hired)
    for _ in range(2):
        await bots.free("a", 100)
    assert isinstance(await bots.hire("b", 100, 60_000, {"ann": 100}), Hired)
    assert [key async for key in client.scan_iter("*hired*")] == [keys.bots_hired("b").encode()]


async def test_what_nobody_frees_ends_by_itself(client: Redis) -> None:
    """A race of which no node says that it is over counts until it must be."""
    bots = HiredBots(client)
    assert isinstance(await bots.hire("a", 100, 1, {"ann": 100}), Hired)
    while await client.exists(keys.bots_hired("a")):
        pass
    assert isinstance(await bots.hire("b", 100, 60_000, {"ann": 100}), Hired)


async def _give_back(bots: HiredBots, counted: Hired | TooMany) -> None:
    assert isinstance(counted, Hired)
    await bots.give_back(counted)
