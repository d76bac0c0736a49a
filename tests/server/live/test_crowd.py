"""How many watch, on all nodes together, and which race is most worth watching."""

from __future__ import annotations

from typing import Any

import pytest
from redis.asyncio import Redis

from engine.wire import inbound
from engine.wire.outbound import Crowd
from server.races.clock import Clock
from server.races.crowds import KNOWN_MS, Crowds
from tests.server.conftest import Serve
from tests.server.served import Server

CODE = "GO1-E-AAAAAAB"


class Stopped(Clock):
    """A clock that goes when a test says so."""

    def __init__(self) -> None:
        self.at = 1_700_000_000_000

    def now(self) -> int:
        return self.at


async def test_all_nodes_are_one_crowd(serve: Serve) -> None:
    """Whoever watches on another node is counted, and counted no longer when gone."""
    first, second = await serve(), await serve()
    anna, here, there = await first.talker(), await first.talker(), await second.talker()
    race = await first.started(anna, code=CODE)
    await here.watch(race)
    await there.watch(race)
    assert (await anna.had(Crowd, lambda crowd: crowd.watching == 2)).race == race
    assert (await there.had(Crowd, lambda crowd: crowd.watching == 2)).race == race
    assert (await here.ask(inbound.Leave(race))).ok
    await anna.until(Crowd, lambda crowd: crowd.watching == 1)


@pytest.fixture
def clock() -> Stopped:
    return Stopped()


async def test_a_node_that_died_is_counted_no_longer(redis: Redis, clock: Stopped) -> None:
    """Nodes add up what each has said; what a node said counts for a while only; who is told hears of changes alone."""
    changed: list[str] = []
    one, other = Crowds(redis, 1, clock), Crowds(redis, 2, clock)
    one.on_change(changed.append)
    assert one.count("a", 3) == 3
    assert other.count("a", 4) == 4
    assert other.count("b", 1) == 1
    for crowds in (one, other, one):
        await crowds.exchange()
    assert [one.watching(race) for race in "ab"] == [7, 1]
    assert other.watching("a") == 7
    assert sorted(changed) == ["a", "b"]
    other.count("b", 0)
    await other.exchange()
    await one.exchange()
    assert [one.watching(race) for race in "ab"] == [7, 0]
    clock.at += KNOWN_MS + 1
    await one.exchange()
    assert one.watching("a") == 3
    assert sorted(changed) == ["a", "a", "b", "b"]


async def _featured(server: Server) -> dict[str, Any]:
    async with server.http.get("/api/races?featured") as answer:
        found: dict[str, Any] = await answer.json()
        return found


async def test_the_featured_race(server: Server) -> None:
    """The race that most watch is shown; without any that runs and may be watched there is none."""
    assert await _featured(server) == {"races": []}
    players = [await server.talker() for _ in range(4)]
    hidden = await server.started(players[0], code=CODE, watch="off")
    quiet = await server.started(players[1], players[2], code=CODE)
    watched = await server.started(players[3], code=CODE)
    spectator = await server.talker()
    await spectator.watch(watched)
    await players[3].had(Crowd, lambda crowd: crowd.watching == 1)
    shown = await _featured(server)
    assert [race["race"] for race in shown["races"]] == [watched]
    assert shown["watching"] == 1
    assert (await spectator.ask(inbound.Leave(watched))).ok
    await players[3].until(Crowd, lambda crowd: crowd.watching == 0)
    assert [race["race"] for race in (await _featured(server))["races"]] == [quiet]
    assert hidden not in str(await _featured(server))
