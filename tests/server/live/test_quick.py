"""Quick races over sockets: one race for two who wait, on any nodes; bots offered; whoever goes is not waited for."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from redis.asyncio import Redis

from engine.roster import ROSTER, OfferedBot, pack_roster
from engine.wire import inbound
from engine.wire.outbound import Ev, Matched, Snap
from server.store import keys
from tests.server.conftest import Serve
from tests.server.served import Server, Talker

pytestmark = pytest.mark.either_redis

BOTS = (
    OfferedBot("greedy", "Plays at once.", ("GO",), ratings={"GO1-E": 1450}),
    OfferedBot("solver", "Thinks.", ("GO",), ratings={"GO1-E": 1900}),
    OfferedBot("oracle", "Knows.", ("GO",), "oracle", {"GO1-E": 1500}),
)


async def _queue(talker: Talker, game: str = "GO1-E", **more: Any) -> None:
    res = await talker.ask(inbound.Queue(game, **more))
    assert res.ok, res


async def _nobody_waits(redis: Redis) -> None:
    """Wait until the queue is empty: its node says so in its next round."""
    async with asyncio.timeout(10):
        while await redis.hlen(keys.QUEUE):  # noqa: ASYNC110 - nobody is told of an empty queue.
            await asyncio.sleep(0.02)


async def test_two_nodes_one_race(serve: Serve, redis: Redis) -> None:
    """Two who wait on two nodes are sent to one race, sit where it waits for them, and race."""
    first, second = await serve(), await serve()
    anna, bela = await first.talker(await first.guest("Anna")), await second.talker(await second.guest("Béla"))
    await _queue(anna)
    await _queue(anna)
    await _queue(bela, "go")
    race = (await anna.had(Matched)).race
    assert (await bela.had(Matched)).race == race
    for player in (anna, bela):
        snap = await player.join(race)
        assert (snap.creator, snap.card["rated"], snap.card["game"]) == ("", False, "GO1-E")
        assert (await player.ask(inbound.Ready(race))).ok
    start = await anna.had(Snap, lambda snap: snap.reason == "start")
    assert {seat.name for seat in start.seats} == {"Anna", "Béla"}
    assert await redis.hlen(keys.QUEUE) == 0


async def test_a_crowd_on_two_nodes(serve: Serve, redis: Redis) -> None:
    """Twelve at once on two nodes make six races of two, nobody in two of them."""
    nodes = [await serve(), await serve()]
    players = [await nodes[n % 2].talker() for n in range(12)]
    await asyncio.gather(*map(_queue, players))
    races = [matched.race for matched in await asyncio.gather(*(player.had(Matched) for player in players))]
    assert sorted(races.count(race) for race in set(races)) == [2] * 6
    assert await redis.hlen(keys.QUEUE) == 0


async def test_rated(serve: Serve) -> None:
    """A rated race is sealed and between two places: who is at one address waits on for somebody from another."""
    server = await serve()
    anna, bela = await server.talker(), await server.talker()
    for player in (anna, bela):
        await _queue(player, rated=True)
    await _queue(anna, goal="first")
    await _queue(bela, goal="first")
    first = (await anna.had(Matched)).race
    snap = await bela.watch(first)
    assert (snap.card["rated"], snap.card["goal"]) == (False, "first")


async def test_rated_to_the_end(serve: Serve) -> None:
    """Two accounts behind a proxy are paired from two addresses, race, and are rated for it at once; a guest is not."""
    server = await serve(proxy_hops=1)
    players, talkers = [await server.guest("Anna"), await server.guest("Béla")], list[Talker]()
    for number, guest in enumerate(players):
        async with server.http.post("/api/account", headers=guest.bearer) as answer:
            assert answer.status == 200
        talker = await server.connect(headers={"X-Forwarded-For": f"9.9.9.9, 10.0.0.{number}"})
        await talker.say(inbound.Hello(1, token=guest.token))
        await _queue(talker, "GO1-C", goal="strokes", rated=True)
        talkers.append(talker)
    races = {(await talker.had(Matched)).race for talker in talkers}
    race = races.pop()
    assert not races
    for talker in talkers:
        snap = await talker.join(race)
        assert (snap.card["rated"], snap.card["sealed"], snap.card["undo"]) == (True, True, "unrevealed")
        assert (await talker.ask(inbound.Ready(race))).ok
    anna, bela = talkers
    await anna.had(Snap, lambda snap: snap.reason == "start")
    assert (await bela.ask(inbound.Resign(race))).ok
    legal, lane = ("d",), 0
    while legal == ("d",):
        await anna.play(race, "d", lane := lane + 1)
        ev = await anna.had(Ev, lambda ev: ev.k == "seat.played" and ev.d["n"] == lane)
        legal = tuple(ev.d["legal"])
    await anna.play(race, next(word for word in legal if word != "d"), lane + 1)
    assert (await anna.ask(inbound.Done(race))).ok
    end = await bela.had(Snap, lambda snap: snap.reason == "end")
    assert [(one["name"], one["rank"]) for one in end.standings or ()] == [("Anna", 1), ("Béla", 2)]
    for guest, above in zip(players, (True, False), strict=True):
        while True:
            async with server.http.get(f"/api/players/{guest.player}") as answer:
                ratings = (await answer.json())["ratings"]
            if len(ratings) == 2:
                break
        assert ((ratings["GO1-C-people"]["rating"] > 1500), ratings["GO1-C-all"]["races"]) == (above, 1)
        async with server.http.get("/api/ladders/GO1-C-people?around=me", headers=guest.bearer) as answer:
            me = (await answer.json())["me"]
        assert (me["rating"], me["provisional"]) == (ratings["GO1-C-people"]["rating"], True)


async def test_declined(serve: Serve) -> None:
    """Who leaves a race that the server has paired calls it off for both; nobody else gets in."""
    server = await serve()
    anna, bela, stranger = [await server.talker() for _ in range(3)]
    for player in (anna, bela):
        await _queue(player)
    race = (await anna.had(Matched)).race
    assert (await stranger.ask(inbound.Join(race))).code == "full"
    async with server.http.get("/api/races?status=open") as answer:
        assert race not in await answer.text()
    await anna.join(race)
    await bela.had(Matched)
    assert (await bela.ask(inbound.Leave(race))).ok
    voided = await anna.until(Ev, lambda ev: ev.k == "race.voided")
    assert voided.d["reason"] == "cancelled"
    assert (await bela.ask(inbound.Join(race))).code == "over"


async def test_no_show(serve: Serve) -> None:
    """A pair of which one does not come is given up in its time, for whoever came too."""
    server = await serve(no_show_ms=300)
    anna, bela = await server.talker(), await server.talker()
    for player in (anna, bela):
        await _queue(player)
    race = (await anna.had(Matched)).race
    await anna.join(race)
    assert (await anna.ask(inbound.Ready(race))).ok
    assert (await anna.until(Ev, lambda ev: ev.k == "race.voided")).d["reason"] == "expired"
    assert (await bela.ask(inbound.Join(race))).code == "over"


async def test_waiting_ends(serve: Serve, redis: Redis) -> None:
    """Who says so, or whose connection goes, waits no longer; with two connections the last one counts."""
    server = await serve()
    guest = await server.guest()
    anna, again = await server.talker(guest), await server.talker(guest)
    await _queue(anna)
    await _queue(again)
    await _queue(anna, "DS1-D1N", goal="first")
    assert await redis.hlen(keys.QUEUE) == 2
    assert (await anna.ask(inbound.Unqueue("ds1-d1n"))).ok
    assert await redis.hlen(keys.QUEUE) == 1
    await anna.close()
    other = await server.talker()
    await _queue(other)
    race = (await other.had(Matched)).race
    assert (await again.had(Matched)).race == race
    await _queue(other)
    await other.close()
    await _nobody_waits(redis)
    await _queue(again)
    assert (await again.ask(inbound.Unqueue())).ok
    assert (await again.ask(inbound.Unqueue())).ok
    assert await redis.hlen(keys.QUEUE) == 0


async def test_bot_of_like_strength(serve: Serve, redis: Redis) -> None:
    """After a wait a fair bot is offered, the nearest in rating; joining its race ends the wait."""
    await redis.set(ROSTER, pack_roster(BOTS))
    server = await serve(match_bot_after_ms=100)
    anna = await server.talker()
    await _queue(anna)
    offer = await anna.had(Matched)
    assert offer.bot == "greedy"
    assert await redis.hlen(keys.QUEUE) == 1
    snap = await anna.join(offer.race)
    assert [wish["bot"] for wish in snap.card["bots"]] == ["greedy"]
    assert await redis.xlen(keys.WANTED) == 1
    await _nobody_waits(redis)


async def test_a_person_after_an_offer(serve: Serve, redis: Redis) -> None:
    """Who does not take the offer waits on, and may decline it."""
    await redis.set(ROSTER, pack_roster(BOTS))
    server = await serve(match_bot_after_ms=50)
    anna, bela = await server.talker(), await server.talker()
    await _queue(anna)
    offer = await anna.had(Matched)
    assert (await anna.ask(inbound.Leave(offer.race))).ok
    await _queue(bela)
    race = (await anna.had(Matched, lambda told: told.bot is None)).race
    assert (await bela.had(Matched, lambda told: told.bot is None)).race == race


@pytest.mark.parametrize(
    ("message", "code", "wrong"),
    [
        pytest.param(inbound.Queue("XX1"), "unknown_code", "'XX'", id="no such game"),
        pytest.param(inbound.Queue("GO0-E"), "bad_frame", "'GO0-E'", id="a literal deal"),
        pytest.param(inbound.Queue("GO", "fame"), "bad_frame", "fame", id="no such goal"),
        pytest.param(inbound.Unqueue("XX1"), "unknown_code", "'XX'", id="no game to cease to wait for"),
    ],
)
async def test_refused(server: Server, message: inbound.Queue | inbound.Unqueue, code: str, wrong: str) -> None:
    """What cannot be waited for is refused with its code, and the message says what was found, in any language."""
    for lang in ("en", "hu"):
        res = await (await server.talker(lang=lang)).ask(message)
        assert res.code == code
        assert wrong in (res.message or "")
        assert ("unknown game" in (res.message or "")) is (code == "unknown_code" and lang == "en")


async def test_full(serve: Serve) -> None:
    """A queue has room for so many; the others are told to come again."""
    server = await serve(queue_most=2, match_window=0)
    for goal in ("score", "first"):
        await _queue(await server.talker(), goal=goal)
    res = await (await server.talker()).ask(inbound.Queue("GO", "moves"))
    assert (res.code, res.retry_ms) == ("busy", 5_000)
