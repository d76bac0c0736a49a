"""What solvers say of finished races and of codes, with an analyst at work."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from redis.asyncio import Redis

from engine.wire import inbound
from engine.wire.outbound import Snap
from server.players import Scope, Tokens, new_player
from server.store.keyring import KeyRing
from tests.server.conftest import Serve
from tests.server.served import Server

CODE = "GO1-E-AAAAAAB"


async def get(server: Server, path: str) -> tuple[int, Any]:
    async with server.http.get(path) as answer:
        return answer.status, msgspec.json.decode(await answer.read())


async def finished(server: Server, words: str, **card: Any) -> str:
    anna, bela = await server.talker(), await server.talker()
    race = await server.started(anna, bela, **card)
    await anna.play(race, words)
    assert (await bela.ask(inbound.Resign(race))).ok
    assert (await get(server, f"/api/races/{race}/analysis"))[0] == 409
    assert (await anna.ask(inbound.Done(race))).ok
    await anna.until(Snap, lambda snap: snap.reason == "end")
    return race


async def until_known(server: Server, path: str) -> Any:
    """Ask as a client does, until it is known."""
    while True:
        status, body = await get(server, path)
        if status == 200 and "verdict_retry_ms" not in body:
            return body
        assert status in (200, 202), body
        assert body.get("retry_ms", body.get("verdict_retry_ms")) > 0
        await asyncio.sleep(0.05)


@pytest.mark.usefixtures("analyst")
@pytest.mark.parametrize("sealed", [False, True], ids=["open", "sealed"])
async def test_every_seats_best_is_known_after_the_end(server: Server, sealed: bool) -> None:
    """Before the end it is refused; then each seat learns its best, where it went, and no line that wins."""
    deal = {"game": "GO1-E", "sealed": True} if sealed else {"code": CODE}
    race = await finished(server, "d d d d d d", **deal)
    body = await until_known(server, f"/api/races/{race}/analysis")
    assert [seat["seat"] for seat in body["seats"]] == [1, 2]
    anna, bela = body["seats"]
    assert anna["start"] == bela["start"]
    assert anna["start"]["exact"] is True
    assert anna["regret"] == anna["start"]["best"]["score"] == bela["regret"]
    assert {change["m"] for change in anna["changes"]} <= {"d"}
    assert "line" not in str(body)


async def test_no_analyst_is_no_fault(server: Server) -> None:
    """As long as nobody answers, one is told to come again."""
    race = await finished(server, "d", code=CODE)
    status, body = await get(server, f"/api/races/{race}/analysis")
    assert (status, body) == (202, {"race": race, "retry_ms": 1_000, "ready": 0, "of": 2})
    _, body = await get(server, f"/api/codes/{CODE}")
    assert (body["verdict"], body["verdict_retry_ms"]) == (None, 1_000)


async def test_too_many_analyses(serve: Serve) -> None:
    """Where too many wait already, nothing is asked, and one is told to come again."""
    server = await serve(analyses_waiting=1)
    race = await finished(server, "d", code=CODE)
    status, body = await get(server, f"/api/races/{race}/analysis")
    assert (status, body["code"], body["retry_ms"]) == (503, "busy", 1_000)


@pytest.mark.usefixtures("analyst")
async def test_a_code_has_a_verdict(server: Server) -> None:
    """Whether it can be won, its best, and which bots win it; metrics say what that took."""
    body = await until_known(server, f"/api/codes/{CODE}")
    verdict = body["verdict"]
    assert (verdict["verdict"], verdict["best"], verdict["exact"]) == ("winnable", {"score": 350, "removed": 35}, True)
    assert verdict["won_by"]["random"] == {"won": 0, "of": 3}
    assert "line" not in verdict
    async with server.http.get("/metrics") as answer:
        assert 'fairdeal_analyses_answered{urgency="codes"} 1.0' in await answer.text()


@pytest.mark.parametrize("path", ["/api/races/nosuchrace/analysis", "/api/races/%20/analysis"])
async def test_no_race_no_analysis(server: Server, path: str) -> None:
    """A race that is not there has none."""
    status, body = await get(server, path)
    assert (status, body["code"]) == (404, "unknown_race")


@pytest.mark.usefixtures("analyst")
async def test_foresight_is_for_admins(server: Server, ring: KeyRing, redis: Redis) -> None:
    """An admin learns how each seat played, and it is kept when the answers have expired; nobody else learns it."""
    race = await finished(server, "d 5 2", code=CODE)
    path = f"/api/admin/races/{race}/foresight"
    admin = Tokens(ring).sign(msgspec.structs.replace(new_player("Ada"), scopes=(Scope.ADMIN,)))
    for token, expected in ((None, 401), ((await server.guest()).token, 403)):
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        async with server.http.get(path, headers=headers) as answer:
            assert answer.status == expected
    told = []
    for _ in range(2):
        while True:
            async with server.http.get(path, headers={"Authorization": f"Bearer {admin}"}) as answer:
                if answer.status == 200:
                    told.append(await answer.json())
                    break
        for key in await redis.keys("{analyses}:answer:*"):
            await redis.delete(key)
    assert told[0] == told[1]
    seat = told[0]["seats"][0]
    assert seat.keys() >= {"seat", "player", "decisions", "occasions", "taken", "complete"}
    async with server.http.get(
        f"/api/admin/players/{seat['player']}/foresight", headers={"Authorization": f"Bearer {admin}"}
    ) as answer:
        assert await answer.json() == {
            "player": seat["player"], "races": 1, **{name: seat[name] for name in ("decisions", "occasions", "taken")},
        }  # fmt: skip
