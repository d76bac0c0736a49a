"""The deal of the day over HTTP: one try each, sealed for all, and its table when the day is over."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from redis.asyncio import Redis

from engine.race.model import DAY_MS, Race
from engine.wire import inbound
from engine.wire.outbound import Snap
from server.read.records import Records
from server.store import keys
from tests.engine.race.course import BEGUN, Course
from tests.server.conftest import Serve
from tests.server.served import Guest, Server

DAY = BEGUN // DAY_MS
DATE = "2023-11-14"


async def call(server: Server, method: str, path: str, guest: Guest | None = None) -> tuple[int, Any]:
    async with server.http.request(method, path, headers=guest.bearer if guest else {}) as answer:
        return answer.status, msgspec.json.decode(await answer.read())


def tried(player: str, words: str, rid: str) -> Race:
    """A try on a day long ago, closed when it was over."""
    course = Course(game="GO1-E", sealed=True, seats=1, watch="off", terms={"daily": DAY, "creator": player})
    course.begin(player)
    course.play(player, *words.split())
    course.done(player)
    course.now = (DAY + 1) * DAY_MS
    course.tick()
    return msgspec.structs.replace(course.race, id=rid)


async def test_one_try_a_player(serve: Serve, redis: Redis) -> None:
    """However often and wherever it is asked for, a player has one race a day; guests do not see the ranked deal."""
    server, other = await serve(), await serve()
    anna, bela, ranked = await server.guest("Anna"), await server.guest("Béla"), await server.guest("Cili")
    await redis.hset(keys.ACCOUNTS, ranked.player, "1 cili Cili")
    made = [
        await call(node, "POST", f"/api/daily/{game}", anna) for node in (server, other) for game in ("GO", "GO1-E")
    ]
    assert {status for status, _ in made} == {201}
    assert len({body["race"] for _, body in made}) == 1
    assert not made[0][1]["ranked"]
    others = [(await call(server, "POST", "/api/daily/GO", guest))[1] for guest in (bela, ranked)]
    assert [one["ranked"] for one in others] == [False, True]
    races = [made[0][1]["race"], *(one["race"] for one in others)]
    assert len(set(races)) == 3
    columns = []
    for guest, race in zip((anna, bela, ranked), races, strict=True):
        talker = await server.talker(guest)
        snap = await talker.join(race)
        assert (snap.card["sealed"], snap.card["undo"], snap.card["watch"]) == (True, "unrevealed", "off")
        assert "code" not in snap.card
        assert (await talker.ask(inbound.Ready(race))).ok
        start = await talker.until(Snap, lambda snap: snap.reason == "start")
        assert start.my is not None
        assert start.my.board is not None
        columns.append(start.my.board["columns"])
        await talker.play(race, "d d")
        assert (await talker.ask(inbound.Done(race))).ok
        assert (await (await server.talker()).ask(inbound.Watch(race))).code == "forbidden"
    assert columns[0] == columns[1] != columns[2]
    _, today = await call(server, "GET", "/api/daily", anna)
    golf = today["games"][0]
    assert (golf["game"], golf["try"]["race"], golf["try"]["status"], golf["ranked"]) == (
        "GO1-E",
        races[0],
        "done",
        False,
    )
    assert golf["ends_at"] - today["now"] <= DAY_MS
    assert "try" not in (await call(server, "GET", "/api/daily"))[1]["games"][0]


async def test_nothing_tells_the_deal(server: Server, redis: Redis) -> None:
    """While the day lasts neither code nor salt nor board of a try that is over is told to anybody but its player."""
    anna, eve = await server.guest("Anna"), await server.guest("Eve")
    race = (await call(server, "POST", "/api/daily/DS", anna))[1]["race"]
    talker = await server.talker(anna)
    await talker.join(race)
    assert (await talker.ask(inbound.Ready(race))).ok
    await talker.until(Snap, lambda snap: snap.reason == "start")
    assert (await talker.ask(inbound.Resign(race))).ok
    status, told = await call(server, "GET", f"/api/races/{race}/record", eve)
    assert (status, told["reason"]) == (409, "not_over")
    assert (await call(server, "GET", f"/api/races/{race}/analysis", eve))[0] == 409
    status, shown = await call(server, "GET", f"/api/races/{race}", eve)
    assert status == 200
    assert {"code", "salt", "standings"}.isdisjoint(shown)
    assert "board" not in shown["seats"][0]
    assert (await call(server, "GET", "/api/races", eve))[1] == {"races": []}


async def test_table_of_a_day(server: Server, redis: Redis) -> None:
    """The table has the tries of accounts older than the day, the best first, each once; ties share a rank."""
    for player, since in (("ann", 1), ("bob", 1), ("cat", 1), ("late", DAY * DAY_MS)):
        await redis.hset(keys.ACCOUNTS, player, f"{since} {player} {player.title()}")
    records = Records(redis)
    tries = {
        "ann": tried("ann", "d d", "a" * 26),
        "bob": tried("bob", "d", "b" * 26),
        "cat": tried("cat", "d", "c" * 26),
        "late": tried("late", "d", "d" * 26),
        "guest": tried("guest", "d", "e" * 26),
    }
    for race in (*tries.values(), tries["ann"]):
        await records.record(race)
    status, shown = await call(server, "GET", f"/api/daily/GO/{DATE}")
    assert (status, shown["date"], shown["ranked"]) == (200, DATE, 3)
    assert shown["code"].startswith("GO1-E-")
    assert sorted(row["player"] for row in shown["table"]) == ["ann", "bob", "cat"]
    assert len({row["rank"] for row in shown["table"] if row["player"] in ("bob", "cat")}) == 1
    assert await records.results.on_code(shown["code"], 0, 9) == []


@pytest.mark.parametrize(
    ("path", "status", "reason"),
    [
        pytest.param("/api/daily/GO/2999-01-01", 409, "not_over", id="a day to come"),
        pytest.param("/api/daily/GO/yesterday", 404, "date", id="no date"),
        pytest.param("/api/daily/XX/2023-11-14", 404, "game", id="no game"),
    ],
)
async def test_refused(server: Server, path: str, status: int, reason: str) -> None:
    """What is no day that is over, or no game, is refused."""
    found, told = await call(server, "GET", path)
    assert (found, told["reason"]) == (status, reason)
