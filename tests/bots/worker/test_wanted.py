"""Seats that want a bot, as the workers see them: one worker each, another when that one dies."""

import asyncio

import pytest
from redis.asyncio import Redis

from bots.wanted import Taken, Wanted
from engine.wish import GROUP, STREAM, WISH_FIELD, SeatWish, pack_wish, seat_token, unpack_wish
from server.store.connect import connect
from server.store.wanted import WantedBots

pytestmark = pytest.mark.either_redis

WISH = SeatWish("abcdefghijklmnopqrstuvwxyz", "GO", "solver", 2.5)


async def ask(redis: Redis, wish: SeatWish = WISH) -> str:
    """Ask for a bot as the server does, for another race each time; returns the id of the wish."""
    await WantedBots(redis).ask_once(str(await redis.xlen(STREAM)), [wish])
    ((wish_id, _),) = await redis.xrevrange(STREAM, count=1)
    return wish_id.decode()


@pytest.mark.parametrize("wish", [WISH, SeatWish("r", "GO", "greedy")], ids=["paced", "at its own pace"])
def test_packed_wish_reads_back(wish: SeatWish) -> None:
    """Reading is the inverse of packing."""
    assert unpack_wish(pack_wish(wish)) == wish


async def test_wish_is_taken_by_one(redis: Redis) -> None:
    """Of two workers one gets the seat; when it is done nothing is left of it."""
    one, two = Wanted(redis, "one"), Wanted(redis, "two")
    wish_id = await ask(redis)

    assert await one.take(1, 1) == [Taken(wish_id, WISH)]
    assert await two.take(1, 1) == []

    await one.keep_token(wish_id, "token")
    await one.done(wish_id)
    assert await redis.xlen(STREAM) == 0
    assert (await redis.xpending(STREAM, GROUP))["pending"] == 0
    assert not await redis.exists(seat_token(wish_id))


async def test_wishes_come_in_order_and_no_more_than_asked(redis: Redis) -> None:
    """Seats are served in the order in which they were asked for."""
    wanted = Wanted(redis, "one")
    for bot in ("random", "greedy", "solver"):
        await ask(redis, SeatWish("race", "GO", bot))

    assert [taken.wish.bot for taken in await wanted.take(2, 1) if taken.wish] == ["random", "greedy"]
    assert [taken.wish.bot for taken in await wanted.take(2, 1) if taken.wish] == ["solver"]


async def test_worker_waits_for_a_wish(redis: Redis, redis_url: str) -> None:
    """A worker that waits is given the wish as soon as it is asked for."""
    elsewhere = connect(redis_url)
    waiting = asyncio.create_task(Wanted(elsewhere, "one").take(1))

    wish_id = await ask(redis)

    assert await waiting == [Taken(wish_id, WISH)]
    await elsewhere.aclose()


async def test_worker_that_comes_back_finds_what_it_had(redis: Redis) -> None:
    """Under its old name a worker has its seats at once; under another it has none."""
    wish_id = await ask(redis)
    await Wanted(redis, "one").take(1, 1)

    assert await Wanted(redis, "two").mine() == []
    assert await Wanted(redis, "one").mine() == [Taken(wish_id, WISH)]


async def test_wish_of_a_dead_worker_is_taken_over(redis: Redis) -> None:
    """A seat whose worker says nothing any more goes to another, and the first one learns so."""
    one, two = Wanted(redis, "one", dead_after_ms=0), Wanted(redis, "two", dead_after_ms=0)
    wish_id = await ask(redis)
    await one.take(1, 1)

    assert await two.take(1, 1) == [Taken(wish_id, WISH)]
    assert not await one.working(wish_id)
    assert await two.working(wish_id)


async def test_wish_that_is_worked_on_is_left(redis: Redis) -> None:
    """Working on a wish starts its time anew."""
    one, two = Wanted(redis, "one"), Wanted(redis, "two")
    wish_id = await ask(redis)
    await one.take(1, 1)
    await redis.xclaim(STREAM, GROUP, "one", 0, [wish_id], idle=29_000, justid=True)

    assert await one.working(wish_id)

    (pending,) = await redis.xpending_range(STREAM, GROUP, "-", "+", 10)
    assert int(pending["time_since_delivered"]) < 29_000
    assert await two.take(1, 1) == []


async def test_wish_that_is_done_is_nobodys(redis: Redis) -> None:
    """Done twice is harmless, and nobody works on it any more."""
    wanted = Wanted(redis, "one")
    wish_id = await ask(redis)
    await wanted.take(1, 1)
    await wanted.done(wish_id)
    await wanted.done(wish_id)

    assert not await wanted.working(wish_id)


async def test_first_token_of_a_seat_is_kept(redis: Redis) -> None:
    """Whoever takes a seat over plays as whoever had it: the second token is not kept."""
    one, two = Wanted(redis, "one"), Wanted(redis, "two")
    assert await one.token("1-0") is None

    assert await one.keep_token("1-0", "first") == "first"
    assert await two.keep_token("1-0", "second") == "first"
    assert await two.token("1-0") == "first"


async def test_wish_that_cannot_be_read_is_taken_as_none(redis: Redis) -> None:
    """What is no wish is taken too, so that it can be dropped and blocks nothing."""
    await redis.xadd(STREAM, {WISH_FIELD: b"\xc1"})

    (taken,) = await Wanted(redis, "one").take(1, 1)

    assert taken.wish is None
