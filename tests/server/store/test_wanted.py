"""Seats that want a bot are asked for once a race, by whichever node comes first."""

import asyncio

import pytest
from redis.asyncio import Redis

from engine.wish import STREAM, WISH_FIELD, SeatWish, pack_wish
from server.store import keys
from server.store.wanted import ASKED_FOR_S, WantedBots

pytestmark = pytest.mark.either_redis

WISHES = [SeatWish("r", "GO", "solver", 2.5), SeatWish("r", "GO", "greedy")]


async def test_bots_of_a_race_are_asked_for_once(client: Redis) -> None:
    """Asked for again, also by another node at the same time, a race's bots are in the stream once, in their order."""
    one, other = WantedBots(client), WantedBots(client)
    await asyncio.gather(one.ask_once("r", WISHES), other.ask_once("r", WISHES), one.ask_once("r", WISHES))

    assert [fields for _, fields in await client.xrange(STREAM)] == [{WISH_FIELD: pack_wish(wish)} for wish in WISHES]
    assert 0 < await client.ttl(keys.bots_asked("r")) <= ASKED_FOR_S


async def test_races_are_asked_for_apart(client: Redis) -> None:
    """What one race has asked for keeps no other from asking."""
    wanted = WantedBots(client)
    for rid in ("r", "s"):
        await wanted.ask_once(rid, [SeatWish(rid, "GO", "greedy")])

    assert await client.xlen(STREAM) == 2


async def test_a_race_without_bots_asks_for_none(client: Redis) -> None:
    """Nothing is written for a race of people."""
    await WantedBots(client).ask_once("r", [])

    assert await client.dbsize() == 0
