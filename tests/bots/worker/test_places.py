"""Who gets a worker's places: many seats of one keep out nobody, and seats where nobody comes are given back."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from bots.client import Client, Refused
from bots.places import FEW, Place, Places
from bots.wanted import Taken
from engine.wish import STREAM, SeatWish
from tests.bots.worker.conftest import Working
from tests.journeys.proxy import proxy_to

CODE = "GO1-E-AAAAAAB"
BOT = {"bot": "greedy", "pace": 1000}


def wishes(*owners: str) -> list[Taken]:
    return [Taken(str(number), SeatWish("r", "GO", "greedy", owner=owner)) for number, owner in enumerate(owners)]


def held(owner: str, begun: int, waiting: int = 0) -> list[Place]:
    return [Place(owner, True)] * begun + [Place(owner, False)] * waiting


@pytest.mark.parametrize(
    ("hand", "seats", "seated"),
    [
        ("", [], None),
        ("aab", [], "0"),
        ("aab", held("a", 1), "2"),
        ("ba", held("a", 1, 1) + held("b", 1), "0"),
        ("aaa", held("a", 9, 19), "0"),
        ("aaa", held("a", 10), None),
        ("aaa", held("a", 0, 20), None),
        ("aab", held("a", 10), "2"),
        ("aab", held("a", 10, 20) + held("b", 3), "2"),
        ("aab", held("a", 10, 20) + held("b", FEW), None),
        ("aab", held("a", 60), None),
        ("", held("a", 10), None),
    ],
    ids=[
        "nothing wanted", "the oldest", "who has none", "who has fewer", "a place left", "all play", "all wait",
        "none yet", "a few", "no few any more", "twice as many as places", "full, nothing wanted",
    ],
)  # fmt: skip
def test_the_next_to_be_seated(hand: str, seats: list[Place], seated: str | None) -> None:
    """Whoever has fewest seats comes next; when all places are taken, only those who have few."""
    taken = Places(playing=10, waiting=20).next(wishes(*hand), seats)
    assert (None if taken is None else taken.id) == seated


async def test_a_guests_many_bots_keep_out_nobody(client: Client, address: str, working: Working) -> None:
    """A race that waits for its hundred bots and a guest takes no place of those who race meanwhile."""
    crowd = await client.watch(await client.create_race({"code": CODE, "seats": 100, "bots": [BOT] * 99}))
    async with working("one", seats=1), Client(address, name="Bob") as other:
        await crowd.until(lambda race: len(race.seats) > 1)
        race = await other.join(await other.create_race({"code": CODE, "bots": [BOT]}))
        await other.ready(race.race)
        await race.until(lambda race: race.playing)
        await other.resign(race.race)
        await race.until(lambda race: race.over)
        assert crowd.status == "open"
        with pytest.raises(Refused, match="100 seats for bots in all races of yours that are not over, found 99 and 2"):
            await client.create_race({"code": CODE, "bots": [BOT] * 2})


async def test_a_seat_where_nobody_comes_is_given_back(
    client: Client, working: Working, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot leaves a race that does not begin while no person sits there, and stays where one does."""
    monkeypatch.setattr("bots.worker.AGAIN_S", 0.05)
    monkeypatch.setattr("bots.worker.WAITS_S", 0.2)
    bots = {"code": CODE, "seats": 3, "bots": [BOT]}
    left, kept = await client.watch(await client.create_race(bots)), await client.join(await client.create_race(bots))
    async with working("one"):
        await kept.until(lambda race: len(race.seats) == 2)
        await left.until(lambda race: len(race.seats) == 1)
        await left.until(lambda race: not race.seats)
        while await redis.xlen(STREAM) > 1:  # noqa: ASYNC110 - nobody is told when a wish is dropped.
            await asyncio.sleep(0.01)
        assert len(kept.seats) == 2
        await client.cancel(kept.race)


async def test_a_seat_is_given_back_though_the_answer_comes_late(
    client: Client, address: str, working: Working, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the server has carried out after the worker had given it up is not asked for for ever."""
    monkeypatch.setattr("bots.worker.AGAIN_S", 0.05)
    monkeypatch.setattr("bots.worker.WAITS_S", 0.2)
    race = await client.watch(await client.create_race({"code": CODE, "seats": 3, "bots": [BOT]}))
    async with proxy_to(address) as line, working("one", server=f"http://127.0.0.1:{line.port}"):
        await race.until(lambda race: len(race.seats) == 1)
        line.delay_s = 0.1
        await race.until(lambda race: not race.seats)
        line.heal()
        while await redis.xlen(STREAM):  # noqa: ASYNC110 - nobody is told when a wish is dropped.
            await asyncio.sleep(0.01)
