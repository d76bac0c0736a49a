"""Challenges: told on every node and to whoever comes back, accepted or declined with a reason, within bounds."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from redis.asyncio import Redis

from engine.race.events import DeclineReason
from engine.wire import inbound
from engine.wire.outbound import Answered, Challenged, Ev, Pong, Res, Snap
from server.store import keys
from tests.server.conftest import Serve
from tests.server.served import Guest, Server, Talker

pytestmark = pytest.mark.either_redis

GOLF = {"game": "GO1-E"}


async def _account(server: Server, name: str) -> Guest:
    """A player of whom others have heard."""
    guest = await server.guest(name)
    async with server.http.post("/api/account", headers=guest.bearer) as answer:
        assert answer.status == 200
        return Guest(guest.player, name, (await answer.json())["token"])


async def _challenge(
    server: Server, by: Guest, rival: str, card: object = GOLF, key: str | None = None
) -> tuple[int, dict[str, Any]]:
    headers = by.bearer if key is None else {**by.bearer, "Idempotency-Key": key}
    async with server.http.post(f"/api/players/{rival}/challenge", json=card, headers=headers) as answer:
        return answer.status, msgspec.json.decode(await answer.read())


async def _made(server: Server, by: Guest, rival: Guest, **card: Any) -> str:
    status, links = await _challenge(server, by, rival.player, {**GOLF, **card})
    assert status == 201, links
    return str(links["race"])


async def _told(talker: Talker) -> list[str]:
    """The races to which a socket has been challenged until now, in order."""
    await talker.say(inbound.Ping("now"))
    await talker.until(Pong)
    return [one.race for one in talker.heard if isinstance(one, Challenged)]


async def test_accepted_on_another_node(serve: Serve) -> None:
    """Who is challenged is told over all sockets on any node; the two race, and nobody else gets in or sees it open."""
    first, second = await serve(), await serve()
    anna, bela = await _account(first, "Anna"), await _account(first, "Béla")
    here, there = await second.talker(bela), await first.talker(bela)
    race = await _made(first, anna, bela, goal="first")
    for talker in (here, there):
        told = await talker.had(Challenged)
        assert (told.race, told.by.player, told.by.name, told.by.kind) == (race, anna.player, "Anna", "person")
        assert (told.card["game"], told.card["goal"]) == ("GO1-E", "first")
    async with first.http.get("/api/races?status=open") as answer:
        assert race not in await answer.text()
    stranger = await second.talker()
    assert (await stranger.ask(inbound.Join(race))).code == "full"
    challenger = await first.talker(anna)
    assert [kept["name"] for kept in (await challenger.join(race)).kept] == ["Béla"]
    assert (await here.join(race)).my is not None
    for talker in (challenger, here):
        assert (await talker.ask(inbound.Ready(race))).ok
    start = await challenger.had(Snap, lambda snap: snap.reason == "start")
    assert {seat.name for seat in start.seats} == {"Anna", "Béla"}


async def test_told_to_who_comes_back(serve: Serve) -> None:
    """Who was away is told when he comes, on any node, as long as an answer is waited for, and no longer."""
    first, second = await serve(), await serve()
    anna, bela = await _account(first, "Anna"), await _account(first, "Béla")
    races = [await _made(first, anna, bela) for _ in range(2)]
    async with first.http.get(f"/api/races/{races[0]}") as answer:
        assert [kept["name"] for kept in (await answer.json())["kept"]] == ["Anna", "Béla"]
    there = await first.talker(bela)
    await there.until(Challenged, lambda told: told.race == races[1])
    assert await _told(there) == races
    assert (await there.ask(inbound.Leave(races[0]))).ok
    await there.close()
    again = await second.talker(bela)
    await again.until(Challenged)
    assert await _told(again) == races[1:]


@pytest.mark.parametrize("reason", DeclineReason)
async def test_declined(server: Server, reason: DeclineReason) -> None:
    """Whoever made a challenge is told by its race that it was declined, and why; that is its end."""
    anna, bela = await _account(server, "Anna"), await _account(server, "Béla")
    talker, challenger = await server.talker(bela), await server.talker(anna)
    race = await _made(server, anna, bela)
    await challenger.join(race)
    assert (await talker.ask(inbound.Leave(race, reason=reason))).ok
    left = await challenger.until(Ev, lambda ev: ev.k == "race.left")
    assert (left.s, left.d) == (2, {"reason": reason.value})
    voided = await challenger.until(Ev, lambda ev: ev.k == "race.voided")
    assert voided.d["reason"] == "cancelled"
    assert (await talker.ask(inbound.Join(race))).code == "over"


async def test_not_answered(serve: Serve) -> None:
    """A challenge that nobody answers is over in its own time, and nobody is told of it after that."""
    server = await serve(challenge_ms=500, no_show_ms=600_000)
    anna, bela = await _account(server, "Anna"), await _account(server, "Béla")
    challenger = await server.talker(anna)
    race = await _made(server, anna, bela)
    await challenger.join(race)
    voided = await challenger.until(Ev, lambda ev: ev.k == "race.voided")
    assert voided.d["reason"] == "expired"
    late = await server.talker(bela)
    assert (await late.ask(inbound.Leave(race))).code == "over"
    assert not await _told(late)


async def test_the_same_for_the_same_key(server: Server) -> None:
    """A repeat with a key gives the same race and tells nothing anew; another rival, or key, gets another race."""
    anna, bela, cili = [await _account(server, name) for name in ("Anna", "Béla", "Cili")]
    talker = await server.talker(bela)
    races = {(await _challenge(server, anna, bela.player, key="k"))[1]["race"] for _ in range(3)}
    assert len(races) == 1
    races.add((await _challenge(server, anna, cili.player, key="k"))[1]["race"])
    other = (await _challenge(server, anna, bela.player, key="other"))[1]["race"]
    assert len({*races, other}) == 3
    await talker.until(Challenged, lambda told: told.race == other)
    told = await _told(talker)
    assert len(told) == len(set(told)) == 2


async def test_bounds(serve: Serve) -> None:
    """Nobody makes more challenges, nor is sent more, than the settings allow; a repeat is none of them."""
    server = await serve(challenges_by_player=2, challenges_to_player=3)
    anna, bela, cili = [await _account(server, name) for name in ("Anna", "Béla", "Cili")]
    for key in ("1", "2"):
        assert (await _challenge(server, anna, bela.player, key=key))[0] == 201
    status, told = await _challenge(server, anna, cili.player)
    assert (status, told["code"], told["reason"]) == (503, "busy", "challenges")
    assert "at most 2 challenges of yours" in told["message"]
    assert (await _challenge(server, anna, bela.player, key="2"))[0] == 201
    assert (await _challenge(server, cili, bela.player))[0] == 201
    status, told = await _challenge(server, cili, bela.player)
    assert (status, told["reason"]) == (503, "challenges")
    assert "at most 3 challenges to this player" in told["message"]
    assert (await _challenge(server, cili, anna.player))[0] == 201


async def test_an_address_has_its_bound(serve: Serve, redis: Redis) -> None:
    """However many players somebody is, no more challenges than allowed come from one address, which is not kept."""
    server = await serve(challenges_by_address=2, proxy_hops=1)
    bela = await _account(server, "Béla")
    answers = []
    for number, address in enumerate(("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2")):
        by = await _account(server, f"Guest number {number}")
        headers = {**by.bearer, "X-Forwarded-For": address}
        async with server.http.post(f"/api/players/{bela.player}/challenge", json=GOLF, headers=headers) as answer:
            answers.append((answer.status, (await answer.json()).get("message", "")))
    assert [status for status, _ in answers] == [201, 201, 503, 201]
    assert "at most 2 challenges from your address" in answers[2][1]
    assert b"192.0.2" not in b"".join(fields[b"c"] for _, fields in await redis.xrange(keys.CHALLENGES))


async def test_bounds_hold_for_what_is_asked_at_once(serve: Serve) -> None:
    """Many challenges that are asked for at the same moment are no more than the same one after another."""
    server = await serve(challenges_by_player=2, challenges_to_player=3)
    players = [await _account(server, name) for name in ("Anna", "Béla", "Cili")]
    bela = players.pop(1)
    asked = [_challenge(server, by, bela.player, key=str(number)) for number in range(8) for by in players]
    answers = await asyncio.gather(*asked)
    assert sorted(status for status, _ in answers) == [201] * 3 + [503] * 13


async def test_a_repeat_leaves_room_for_others(serve: Serve, redis: Redis) -> None:
    """However often a challenge is repeated, by then answered or not, it is kept for the nodes once."""
    server = await serve(challenge_ms=500)
    anna, bela = await _account(server, "Anna"), await _account(server, "Béla")
    talker = await server.talker(anna)
    _, links = await _challenge(server, anna, bela.player, key="k")
    await talker.join(links["race"])
    for _ in range(2):
        assert (await _challenge(server, anna, bela.player, key="k"))[1]["race"] == links["race"]
        assert await redis.xlen(keys.CHALLENGES) == 1
        await talker.had(Ev, lambda ev: ev.k == "race.voided")


@pytest.mark.parametrize(
    ("card", "reason"),
    [
        pytest.param({**GOLF, "seats": 3}, "challenge", id="a seat for anybody"),
        pytest.param({**GOLF, "seats": 1}, "challenge", id="no seat for the other"),
        pytest.param({**GOLF, "rated": True}, "rated", id="rated"),
        pytest.param({"game": "XX"}, "game", id="no game"),
        pytest.param([], "body", id="no card"),
    ],
)
async def test_bad_cards(server: Server, card: object, reason: str) -> None:
    """A card that cannot be raced by two is refused with what was expected, and nobody is told of it."""
    anna, bela = await _account(server, "Anna"), await _account(server, "Béla")
    talker = await server.talker(bela)
    found, told = await _challenge(server, anna, bela.player, card)
    assert (found, told["reason"]) == (400, reason), told
    assert not await _told(talker)


async def test_who_cannot_be_challenged(server: Server) -> None:
    """Neither oneself, nor somebody of whom nobody has heard; and nobody challenges without a token."""
    anna, guest = await _account(server, "Anna"), await server.guest("Nobody")
    for rival, status, reason in ((anna.player, 400, "yourself"), (guest.player, 404, "player"), ("x", 404, "player")):
        found, told = await _challenge(server, anna, rival)
        assert (found, told["reason"]) == (status, reason)
    async with server.http.post(f"/api/players/{anna.player}/challenge", json=GOLF) as answer:
        assert answer.status == 401


async def test_a_reason_that_is_none(server: Server) -> None:
    """A decline in words of one's own is a bad frame, and declines nothing."""
    anna, bela = await _account(server, "Anna"), await _account(server, "Béla")
    talker = await server.talker(bela)
    race = await _made(server, anna, bela)
    await talker.raw(msgspec.msgpack.encode({"t": "leave", "race": race, "id": "1", "reason": "you cheat"}))
    assert (await talker.until(Res)).code == "bad_frame"
    assert (await talker.join(race)).my is not None


@pytest.mark.parametrize("how", ["accepted", "declined", "called off", "left by who made it"])
async def test_other_connections_are_told_of_the_answer(serve: Serve, how: str) -> None:
    """Wherever the challenged player is connected it is known at once that nothing waits for an answer any more."""
    first, second = await serve(), await serve()
    anna, bela = await _account(first, "Anna"), await _account(first, "Béla")
    here, there, challenger = await second.talker(bela), await first.talker(bela), await first.talker(anna)
    race = await _made(first, anna, bela)
    for talker in (here, there):
        await talker.had(Challenged)
    await challenger.join(race)
    match how:
        case "accepted":
            await here.join(race)
        case "declined":
            assert (await here.ask(inbound.Leave(race, reason=DeclineReason.LATER))).ok
        case "called off":
            assert (await challenger.ask(inbound.Cancel(race))).ok
        case _:
            assert (await challenger.ask(inbound.Leave(race))).ok
    for talker in (here, there):
        assert (await talker.had(Answered)).race == race
    later = await second.talker(bela)
    assert not await _told(later)
    for talker in (here, there):
        await _told(talker)
        assert [one.race for one in talker.heard if isinstance(one, Answered)] == [race]
