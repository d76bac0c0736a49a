"""What people of other servers have reported: forged times, lost lines, peeking, limits in a race, wrong clocks."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import msgspec
import pytest

from engine.wire import inbound
from engine.wire.codec import Subprotocol
from engine.wire.outbound import Ev, Res, Resumed, Snap, Welcome
from tests.server.conftest import Serve
from tests.server.served import Server, Talker

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
    monkeypatch.setattr("server.races.clock.time_ns", lambda: true_ns() + skew_s * 1_000_000_000)
    server = await serve(start_delay_ms=50)
    anna = await server.connect()
    await anna.say(inbound.Hello(1))
    assert abs((await anna.until(Welcome)).now - true_ns() // 1_000_000) < 10_000
    race = await server.started(anna, code=CODE, time_limit_s=1)
    await anna.play(race, "d 5 2")
    end = await anna.until(Snap, lambda snap: snap.reason == "end")
    assert end.standings is not None
    assert (end.standings[0]["status"], end.standings[0]["time_ms"] >= 1_000) == ("time", True)


async def test_back_before_the_drop_was_noticed(server: Server) -> None:
    """A client whose line is dead is back on another: its play counts once, the old one ends for nothing."""
    guest = await server.guest("Anna")
    old, bela = await server.talker(guest), await server.talker()
    race = await server.started(old, bela, code=CODE)
    await old.play(race, "d")
    seen = await old.had(Ev, lambda ev: ev.k == "seat.played")
    await old.say(inbound.Play(race, 2, "5", id="lost"))  # Its answer is never read.
    new = await server.talker(guest, resume=(inbound.Resume(race, "seat", seen.seq, seen.hash),))
    await new.until(Resumed)
    await new.play(race, "5 2", first=2)
    assert await old.closed() == 4409
    assert (await new.ask(inbound.Done(race))).lane == 3
    assert (await bela.ask(inbound.Resign(race))).ok
    end = await bela.until(Snap, lambda snap: snap.reason == "end")
    assert [(seat.name, seat.present, seat.moves) for seat in end.seats if seat.seat == 1] == [("Anna", True, 3)]
    assert not [ev for ev in bela.heard if isinstance(ev, Ev) and ev.k == "seat.absent"]


async def test_events_while_a_snapshot_is_on_its_way(serve: Serve) -> None:
    """Whoever comes to watch while moves rain down has a board, then each event after it, once and in order."""
    one, other = await serve(), await serve()
    anna = await one.talker()
    race = await one.started(anna, code=CODE)
    start = await anna.had(Snap, lambda snap: snap.reason == "start")

    async def come(node: Server) -> tuple[Talker, Snap]:
        talker = await node.talker(boards=True)
        return talker, await talker.watch(race)

    coming = []
    for n in range(1, 81, 8):
        coming += [asyncio.create_task(come(node)) for node in (one, other)]
        await anna.play(race, "d u d u d u d u", first=n)
    watching = await asyncio.gather(*coming)
    assert (await anna.ask(inbound.Done(race))).ok
    for talker, snap in watching:
        board, operations = snap.seats[0].board, snap.seq - start.seq
        assert board is not None
        # Each draw is undone by the next operation.
        assert (board["moves"], board["undoable"]) == ((operations + 1) // 2, operations % 2)
        await talker.had(Snap, lambda snap: snap.reason == "end")
        seqs = [told.seq for told in talker.heard if isinstance(told, Ev)]
        assert [seq for seq in seqs if seq > snap.seq] == list(range(snap.seq + 1, start.seq + 80 + 3))


async def test_no_peeking_into_the_stock(server: Server) -> None:
    """Where undo may not take back what was revealed, a draw stays; nobody reads the stock for nothing."""
    anna = await server.talker(boards=True)
    race = await server.started(anna, game="GO1-C", sealed=True, undo="unrevealed")
    await anna.play(race, "d")
    drawn = await anna.had(Ev, lambda ev: ev.k == "seat.played")
    assert [turned["pile"] for turned in drawn.d["turned"]] == ["waste"]
    refused = await anna.ask(inbound.Play(race, 2, "u"))
    assert (refused.code, refused.reason, refused.lane) == ("illegal", "nothing_to_undo", 1)
    snap = await anna.join(race)
    assert snap.my is not None
    assert snap.my.board is not None
    assert (snap.my.lane, set(snap.my.board["stock_known"])) == (1, {"--"})
