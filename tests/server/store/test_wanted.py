"""Seats that want a bot: each is taken by one worker, and by another when that one dies."""

import asyncio

import pytest
from redis.asyncio import Redis

from server.store.connect import connect
from server.store.wanted import SeatWish, Wanted, WantedBots

WISH = SeatWish("abcdefghijklmnopqrstuvwxyz", "solver", 2.5)


@pytest.fixture
def wanted(client: Redis) -> WantedBots:
    return WantedBots(client)


async def test_wish_is_taken_by_one(wanted: WantedBots, client: Redis) -> None:
    """Of two workers one gets the seat; when it is done nothing is left of it."""
    wish_id = await wanted.ask(WISH)

    first = await wanted.take("worker 1", 1)
    second = await wanted.take("worker 2", 1)

    assert (first, second) == ([Wanted(wish_id, WISH, again=False)], [])
    await wanted.done(wish_id)
    assert await client.xlen("wanted:bots") == 0
    assert (await client.xpending("wanted:bots", "workers"))["pending"] == 0


async def test_wishes_come_in_order_and_no_more_than_asked(wanted: WantedBots) -> None:
    """Seats are served in the order in which they were asked for."""
    for bot in ("random", "greedy", "solver"):
        await wanted.ask(SeatWish("race", bot))

    assert [taken.wish.bot for taken in await wanted.take("worker", 1, limit=2)] == ["random", "greedy"]
    assert [taken.wish for taken in await wanted.take("worker", 1, limit=2)] == [SeatWish("race", "solver")]


async def test_worker_waits_for_a_wish(wanted: WantedBots, redis_url: str) -> None:
    """A worker that waits is given the wish as soon as it is asked for."""
    elsewhere = connect(redis_url)
    assert await WantedBots(elsewhere).take("worker", 1) == []
    waiting = asyncio.create_task(WantedBots(elsewhere).take("worker", 2000))

    wish_id = await wanted.ask(WISH)

    assert await waiting == [Wanted(wish_id, WISH, again=False)]
    await elsewhere.aclose()


async def test_wish_of_a_dead_worker_is_taken_over(client: Redis) -> None:
    """A wish that its worker does not work on any more goes to another, who is told so."""
    wanted = WantedBots(client, dead_after_ms=0)
    wish_id = await wanted.ask(WISH)
    await wanted.take("worker 1", 1)

    assert await wanted.take("worker 2", 1) == [Wanted(wish_id, WISH, again=True)]
    assert not await wanted.working("worker 1", wish_id)
    assert await wanted.working("worker 2", wish_id)


async def test_wish_that_is_worked_on_is_left(wanted: WantedBots, client: Redis) -> None:
    """Working on a wish starts its time anew."""
    wish_id = await wanted.ask(WISH)
    await wanted.take("worker 1", 1)
    await client.xclaim("wanted:bots", "workers", "worker 1", 0, [wish_id], idle=29_000, justid=True)

    assert await wanted.working("worker 1", wish_id)

    (pending,) = await client.xpending_range("wanted:bots", "workers", "-", "+", 10)
    assert pending["time_since_delivered"] < 29_000
    assert await wanted.take("worker 2", 1) == []


async def test_wish_that_is_done_is_nobodys(wanted: WantedBots) -> None:
    """Done twice is harmless, and nobody works on it any more."""
    wish_id = await wanted.ask(WISH)
    await wanted.take("worker", 1)
    await wanted.done(wish_id)
    await wanted.done(wish_id)

    assert not await wanted.working("worker", wish_id)


async def test_wishes_asked_before_any_worker_came_are_kept(wanted: WantedBots) -> None:
    """A seat may be wanted before the first worker has ever started."""
    wish_id = await wanted.ask(WISH)

    assert [taken.id for taken in await wanted.take("worker", 1)] == [wish_id]
