"""What people of other servers have reported: forged times, replays in mid-race, limits in a race, wrong clocks."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import msgspec
import pytest

from engine.wire import inbound
from engine.wire.codec import Subprotocol
from engine.wire.outbound import Res, Snap, Welcome
from tests.server.conftest import Serve
from tests.server.served import Server

CODE = "GO1-E-AAAAAAB"


async def test_forged_times_mean_nothing(server: Server) -> None:
    """Whatever times a client puts into its messages, results have those of the log."""
    guest = await server.guest("Eve")
    eve = await server.talker(guest, Subprotocol.JSON)
    race = await server.started(eve, code=CODE)
    forged = {"at": 1, "now": 1, "time_ms": 1, "start_at": 1, "a": 1}
    for n, word in enumerate(["d", "5", "2"], 1):
        await eve.raw(msgspec.json.encode({"t": "play", "id": f"p{n}", "race": race, "n": n, "m": word, **forged}))
        assert (await eve.until(Res, lambda res, n=n: res.id == f"p{n}")).ok  # type: ignore[misc]
    await eve.raw(msgspec.json.encode({"t": "ping", "c": -1, "now": 0}))
    assert (await eve.ask(inbound.Done(race))).ok
    end = await eve.until(Snap, lambda snap: snap.reason == "end")
    async with server.http.get(f"/api/races/{race}/record", headers={"Accept": "application/json"}) as answer:
        record: dict[str, Any] = await answer.json()
    times = {entry["b"][0]: entry["a"] for entry in record["entries"]}
    assert end.standings is not None
    assert end.standings[0]["time_ms"] == times["seat.done"] - (end.start_at or 0)
    assert min(times.values()) > time.time() * 1000 - 600_000
    async with server.http.post("/api/verify", json=record) as answer:
        assert (await answer.json())["ok"]


@pytest.mark.parametrize("path", ["record", "analysis"])
async def test_no_replay_in_mid_race(server: Server, path: str) -> None:
    """While a race runs nobody gets its replay or what solvers say, neither its players nor others."""
    anna, bela = await server.guest("Anna"), await server.guest("Béla")
    talkers = [await server.talker(guest) for guest in (anna, bela)]
    race = await server.started(*talkers, code=CODE)
    await talkers[0].play(race, "d 5 2")
    assert (await talkers[0].ask(inbound.Done(race))).ok
    for headers in (anna.bearer, bela.bearer, (await server.guest()).bearer, {}):
        async with server.http.get(f"/api/races/{race}/{path}", headers=headers) as answer:
            told = await answer.json()
        assert (answer.status, told["code"], told["reason"]) == (409, "forbidden", "not_over")
        assert "salt" not in str(told)


async def test_a_bot_that_is_too_fast_goes_on(serve: Serve) -> None:
    """A bot whose plays come too fast is told when to send them again; its race goes on, and no play is lost."""
    server = await serve(play_burst=5, play_rate=100)
    bot = await server.guest("Robi", kind="bot", engine="hasty 1")
    robi = await server.talker(bot)
    race = await server.started(robi, code=CODE)
    lane, limited = 0, 0
    while lane < 40:
        await robi.say(*(inbound.Play(race, n, "du"[n % 2 == 0], id=f"p{n}") for n in range(lane + 1, lane + 11)))
        answers = [await robi.until(Res) for _ in range(10)]
        limited += sum(res.code == "rate" for res in answers)
        await asyncio.sleep(max(res.retry_ms or 0 for res in answers) / 1000)
        assert all(res.ok or res.code in ("rate", "stale_lane") for res in answers)
        lane = max([lane, *(res.lane or 0 for res in answers)])
    assert limited > 0
    assert (await robi.ask(inbound.Done(race))).ok
    end = await robi.until(Snap, lambda snap: snap.reason == "end")
    assert end.standings is not None
    assert end.standings[0]["status"] == "done"


@pytest.mark.parametrize("skew_s", [-30, 30], ids=["30 s slow", "30 s fast"])
async def test_a_machine_whose_clock_is_wrong(serve: Serve, monkeypatch: pytest.MonkeyPatch, skew_s: int) -> None:
    """A node's own clock decides nothing: what it tells is Redis's time, and races start and end by that."""
    true_ns = time.time_ns
    monkeypatch.setattr("server.races.clock.time.time_ns", lambda: true_ns() + skew_s * 1_000_000_000)
    server = await serve(start_delay_ms=50)
    anna = await server.connect()
    await anna.say(inbound.Hello(1))
    assert abs((await anna.until(Welcome)).now - true_ns() // 1_000_000) < 10_000
    race = await server.started(anna, code=CODE, time_limit_s=1)
    await anna.play(race, "d 5 2")
    end = await anna.until(Snap, lambda snap: snap.reason == "end")
    assert end.standings is not None
    assert (end.standings[0]["status"], end.standings[0]["time_ms"] >= 1_000) == ("time", True)
