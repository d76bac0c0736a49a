"""Ladders, players and codes over HTTP: what was raced, and what players are rated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from redis.asyncio import Redis

from engine.ratings import DAY_MS, RatedRace
from engine.wire import inbound
from engine.wire.outbound import Ev, Resumed, Snap
from server.read.pool import Pool
from server.store import keys
from server.store.accounts import Accounts
from server.store.archive import open_archive
from tests.server.conftest import Serve
from tests.server.served import Guest, Server

CODE = "GO1-E-AAAAAAB"


async def get(server: Server, path: str, guest: Guest | None = None) -> tuple[int, Any]:
    async with server.http.get(path, headers=guest.bearer if guest else {}) as answer:
        return answer.status, msgspec.json.decode(await answer.read())


async def rated(redis: Redis, best_first: list[str], game: str = "GO1-E") -> None:
    """Ten races, each on a day of its own, that all end in this order."""
    for number in range(10):
        ranks = {player: rank for rank, player in enumerate(best_first, 1)}
        await Pool(redis, f"{game}-all").apply(RatedRace(number * DAY_MS, f"{number:026}", ranks))


async def finished(server: Server, guest: Guest, words: str = "d 5 2", **card: Any) -> str:
    talker = await server.talker(guest)
    race = await server.started(talker, **{"code": CODE, **card})
    await talker.play(race, words)
    assert (await talker.ask(inbound.Done(race))).ok
    await talker.until(Snap, lambda snap: snap.reason == "end")
    await talker.close()
    return race


async def test_ladder(server: Server, redis: Redis) -> None:
    """A ladder has its rows in order, a part of them at a time, those around somebody, and who asks as `me`."""
    guests = [await server.guest(f"Player {n}") for n in range(20)]
    await rated(redis, [guest.player for guest in guests])
    await Accounts(redis).claim(guests[0].player, "Anna")
    status, ladder = await get(server, "/api/ladders/GO1-E")
    assert (status, ladder["pool"], ladder["game"], ladder["group"], ladder["size"]) == (
        200,
        "GO1-E-all",
        "GO1-E",
        "all",
        20,
    )
    assert [row["player"] for row in ladder["rows"]] == [guest.player for guest in guests]
    assert [row["rank"] for row in ladder["rows"]] == list(range(1, 21))
    assert (ladder["rows"][0]["name"], ladder["rows"][0]["races"]) == ("Anna", 10)
    _, part = await get(server, "/api/ladders/GO1-E-all?start=3&limit=2")
    assert part["rows"] == ladder["rows"][3:5]
    _, mine = await get(server, "/api/ladders/GO1-E-all?around=me", guests[9])
    assert (mine["rows"], mine["start"], mine["me"]["rank"]) == (ladder["rows"][4:15], 4, 10)
    _, first = await get(server, f"/api/ladders/GO1-E-all?around={guests[1].player}")
    assert (first["rows"], first["start"]) == (ladder["rows"][0:7], 0)
    stranger = await server.guest()
    _, nobody = await get(server, "/api/ladders/GO1-E-all?around=me", stranger)
    assert (nobody["rows"], nobody["me"]) == ([], None)
    _, all_of_them = await get(server, "/api/ladders")
    assert all_of_them["ladders"] == [{"pool": "GO1-E-all", "game": "GO1-E", "group": "all", "size": 20}]


@pytest.mark.parametrize(
    ("path", "status", "reason"),
    [
        pytest.param("/api/ladders/chess", 404, "pool", id="no game"),
        pytest.param("/api/ladders/GO1-E-cats", 404, "pool", id="no group"),
        pytest.param("/api/ladders/go1-e-all", 404, "pool", id="another writing"),
        pytest.param("/api/ladders/GO1-E-AAAAAAB", 404, "pool", id="a code"),
        pytest.param("/api/ladders/GO1-E-all?around=me", 401, "around", id="around nobody"),
        pytest.param("/api/ladders/GO1-E-all?limit=1000", 400, "limit", id="too many rows"),
        pytest.param("/api/ladders/GO1-E-all?limit=0", 400, "limit", id="no rows"),
        pytest.param("/api/races?limit=0", 400, "limit", id="no races"),
        pytest.param("/api/races?featured=perhaps", 400, "featured", id="perhaps featured"),
        pytest.param("/api/ladders/GO1-E-all?start=x", 400, "start", id="no place"),
        pytest.param("/api/codes/GO1-E-AAAAAAB?cursor=-1", 400, "cursor", id="no cursor"),
    ],
)
async def test_refused(server: Server, path: str, status: int, reason: str) -> None:
    """What names no ladder, place or cursor is refused with what is wrong."""
    found, told = await get(server, path)
    assert (found, told["reason"]) == (status, reason)


async def test_player_shows_ratings(server: Server, redis: Redis) -> None:
    """A player's page has a rating for each pool, provisional or with its rank; a guest has none."""
    anna, bela = await server.guest("Anna"), await server.guest("Béla")
    await rated(redis, [anna.player, bela.player])
    await Pool(redis, "GO1-C-people").apply(RatedRace(0, "x" * 26, {anna.player: 1, bela.player: 2}))
    await Accounts(redis).claim(anna.player, "Anna the First")
    _, shown = await get(server, f"/api/players/{anna.player}")
    assert (shown["name"], shown["account"]) == ("Anna the First", True)
    assert shown["ratings"]["GO1-C-people"] == {"rating": 1632, "provisional": True, "races": 1, "rank": None}
    assert (shown["ratings"]["GO1-E-all"]["rank"], shown["ratings"]["GO1-E-all"]["provisional"]) == (1, False)
    cleo = await server.guest("Cleo")
    assert (await get(server, f"/api/players/{cleo.player}"))[0] == 404
    _, herself = await get(server, f"/api/players/{cleo.player}", cleo)
    assert (herself["name"], herself["account"], herself["ratings"], herself["results"]) == ("Cleo", False, {}, [])


async def test_all_races_on_a_code(server: Server, redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """A code pages through all that was raced on it, also what the lobby has forgotten; those that wait are shown."""
    monkeypatch.setattr("server.http.codes.RACES", 2)
    guest = await server.guest("Anna")
    races = [await finished(server, guest, "d " * n) for n in range(1, 6)]
    private = await finished(server, guest, listed=False)
    waiting = await server.race(guest, code=CODE)
    path = f"/api/codes/{CODE}"
    while await redis.zcard(keys.results_on(CODE)) < 5 or not (await get(server, path))[1]["waiting"]:
        pass
    await redis.hdel(keys.LOBBY_RACES, *races[:3])
    found: list[str] = []
    cursor: int | None = 0
    while cursor is not None:
        _, shown = await get(server, f"{path}?cursor={cursor}")
        found += [race["race"] for race in shown["races"]]
        assert all(race["standings"] for race in shown["races"])
        cursor = shown.get("cursor")
    assert found == races[::-1]
    assert private not in found
    assert [race["race"] for race in shown["waiting"]] == [waiting]
    assert shown["again"] == {"code": CODE}
    assert shown["best"][0]["race"] in races


async def test_a_sealed_deal_is_raced_again_by_its_literal_code(server: Server) -> None:
    """The card to race it again with is one that can be offered, on the very cards."""
    guest = await server.guest("Anna")
    sealed = await finished(server, guest, "", code=None, game="GO1-C", sealed=True)
    _, race = await get(server, f"/api/races/{sealed}")
    _, shown = await get(server, f"/api/codes/{race['code']}")
    async with await server.offer(guest, shown["again"]) as answer:
        assert answer.status == 201
    _, again = await get(server, f"/api/codes/{shown['again']['code']}")
    assert [again[pile] for pile in ("rules", "columns", "waste", "stock")] == [
        shown[pile] for pile in ("rules", "columns", "waste", "stock")
    ]


async def test_the_same_from_the_archive(
    serve: Serve, redis: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is asked about a race is answered from its file as it was from its log: by HTTP, and on a socket."""
    monkeypatch.setattr("server.races.due.TIMERS_EVERY_S", 0.02)
    archive = open_archive(None, tmp_path)
    server = await serve(archive=archive)
    guest = await server.guest("Anna")
    async with await server.offer(guest, {"code": CODE, "seats": 1}, **{"Idempotency-Key": "k"}) as answer:
        race = (await answer.json())["race"]
    anna = await server.talker(guest)
    await anna.join(race)
    assert (await anna.ask(inbound.Ready(race))).ok
    start = await anna.until(Snap, lambda snap: snap.reason == "start")
    await anna.play(race, "d 5 2")
    done = await anna.ask(inbound.Done(race))
    await anna.until(Snap, lambda snap: snap.reason == "end")

    async def asked() -> list[Any]:
        answers: list[Any] = []
        for path in ("", "/events?after=0", "/events?after=5", "/record"):
            for kind in ("application/json", "application/msgpack"):
                url = f"/api/races/{race}{path}"
                async with server.http.get(url, headers={"Accept": kind, **guest.bearer}) as answer:
                    answers.append((answer.status, await answer.read()))
        record = answers[-1][1]
        async with server.http.post("/api/verify", data=record) as answer:
            answers.append(await answer.json())
        async with await server.offer(guest, {"code": CODE, "seats": 1}, **{"Idempotency-Key": "k"}) as answer:
            answers.append(await answer.json())
        known = inbound.Resume(race, "seat", start.seq, start.hash)
        again = await server.talker(guest, resume=(known,))
        await again.until(Resumed)
        heard = [await again.until(Ev) for _ in range(5)]
        heard.append(await again.until(Snap))  # type: ignore[arg-type]
        answers.append([msgspec.structs.replace(one, at=0) for one in heard])
        watcher = await server.talker()
        answers.append(msgspec.structs.replace(await watcher.watch(race), at=0, lag=()))
        return answers

    before = await asked()
    while await redis.pttl(keys.race_log(race)) < 0:
        pass
    assert await archive.read(race) is not None
    assert await redis.pttl(keys.race_log(race)) > 50_000
    await redis.delete(keys.race_log(race))
    assert await asked() == before
    receipt = inbound.Resume(race, "seat", done.seq or 0, done.hash or "", done.sig)
    again = await server.talker(guest, resume=(receipt,))
    assert (await again.until(Resumed)).from_ == (done.seq or 0) + 1
    assert not await redis.exists(keys.race_log(race))
