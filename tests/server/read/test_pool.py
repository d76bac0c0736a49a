"""A pool of ratings: the same to the last byte, in whatever order its races come in."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from redis.asyncio import Redis

from engine.ratings import DAY_MS, RatedRace, Rating, changes
from server.read.pool import Pool
from server.store import keys
from server.store.connect import connect

pytestmark = pytest.mark.either_redis

POOL = "GO1-C-all"
PLAYERS = ("ann", "bob", "eve", "hal")


def season(count: int, seed: int = 1) -> list[RatedRace]:
    """Races of two or three players on ten days, some of them ending in the same millisecond."""
    dice = random.Random(seed)
    races = []
    for number in range(count):
        at = 20_000 * DAY_MS + number // 2 * (10 * DAY_MS // count)
        players = dice.sample(PLAYERS, dice.choice((2, 2, 3)))
        races.append(RatedRace(at, f"{number * 7919 % 1000:026}", {name: rank for rank, name in enumerate(players, 1)}))
    return races


async def dump(redis: Redis, name: str = POOL) -> dict[str, Any]:
    """All that the pool holds, as bytes, but for the count of its writes."""
    return {
        "players": await redis.hgetall(keys.ratings(name, "players")),
        "met": await redis.hgetall(keys.ratings(name, "met")),
        "rows": await redis.hgetall(keys.ratings(name, "rows")),
        "races": await redis.zrange(keys.ratings(name, "races"), 0, -1, withscores=True),
        "ladder": await redis.zrange(keys.ratings(name, "ladder"), 0, -1, withscores=True),
    }


def folded(races: list[RatedRace]) -> dict[str, Rating]:
    """The ratings after all races in their order, without a store."""
    ratings, met = {}, {}
    for race in sorted(races, key=lambda race: (race.at, race.rid)):
        made = changes(race, ratings, met)
        ratings |= made.ratings
        met |= made.met
    return ratings


@pytest.mark.parametrize("order", ["as they ended", "backwards", "shuffled", "twice"])
async def test_any_order_gives_the_same_bytes(redis: Redis, order: str) -> None:
    """Races that come in late, or again, take their place as if they had come in time."""
    races = season(50)
    pool = Pool(redis, POOL)
    for race in sorted(races, key=lambda race: (race.at, race.rid)):
        await pool.apply(race)
    expected = await dump(redis)
    await redis.flushall()
    match order:
        case "backwards":
            races.reverse()
        case "shuffled":
            random.Random(7).shuffle(races)
        case "twice":
            races += races[:20]
    for race in races:
        await pool.apply(race)
    assert await dump(redis) == expected
    assert {player: await pool.rating(player) for player in PLAYERS} == folded(races[:50])
    assert len(expected["ladder"]) == len(PLAYERS)


async def test_taken_out_as_if_it_had_never_been(redis: Redis) -> None:
    """A race that is taken out leaves the pool as the others alone make it; so do all of them."""
    races = season(24)
    pool = Pool(redis, POOL)
    kept = [race for number, race in enumerate(races) if number % 3]
    for race in kept:
        await pool.apply(race)
    expected = await dump(redis)
    await redis.flushall()
    for race in races:
        await pool.apply(race)
    for race in races[::3] * 2:
        await pool.take_out(race.rid)
    assert await dump(redis) == expected
    for race in races:
        await pool.take_out(race.rid)
    assert await dump(redis) == {"players": {}, "met": {}, "rows": {}, "races": [], "ladder": []}
    assert await pool.rating("ann") is None


async def test_nodes_side_by_side(redis: Redis, redis_url: str) -> None:
    """Nodes that apply races at the same time never lose or double one."""
    races = season(30)
    clients = [connect(redis_url) for _ in range(3)]
    await asyncio.gather(
        *(Pool(clients[number % 3], POOL).apply(race) for number, race in enumerate(races + races[::2]))
    )
    assert {player: await Pool(redis, POOL).rating(player) for player in PLAYERS} == folded(races)
    for client in clients:
        await client.aclose()


async def test_ladder(redis: Redis) -> None:
    """The ladder has those who are not provisional any more, the best first; equal ratings share a place."""
    pool = Pool(redis, POOL)
    for number in range(10):
        day = 20_000 * DAY_MS + number * DAY_MS
        await pool.apply(RatedRace(day, f"{number:026}", {"ann": 1, "bob": 2}))
        await pool.apply(RatedRace(day, f"{number + 50:026}", {"cat": 1, "dan": 2}))
        if number == 8:
            assert await pool.size() == 0
    await pool.apply(RatedRace(20_020 * DAY_MS, "x" * 26, {"eve": 1, "fay": 2}))
    ladder = await pool.ladder(0, 10)
    assert [player for player, _ in ladder] == ["cat", "ann", "dan", "bob"]
    assert [await pool.place(player) for player in ("ann", "cat", "bob", "dan", "eve")] == [1, 1, 3, 3, None]
    assert (await pool.ladder(1, 1), await pool.row_of("dan"), await pool.size()) == (ladder[1:2], 2, 4)
