"""The log of a race over HTTP, and how far each seat had come when: to each caller what it may see."""

from __future__ import annotations

import asyncio
from typing import Any

import msgpack
import pytest

from engine.wire import inbound
from engine.wire.codec import Subprotocol, decode_outbound
from engine.wire.outbound import Ev, Skip, Snap
from server.live import history
from tests.server.served import Guest, Server

CODE = "GO1-E-AAAAAAB"


async def test_events_are_those_of_the_caller(server: Server) -> None:
    """Whoever reads the log of a running race gets what they may see; after the end everybody gets everything."""
    guest = await server.guest("Anna")
    anna, bela = await server.talker(guest), await server.talker()
    race = await server.started(anna, bela, code=CODE, watch="numbers")
    await anna.play(race, "d 5 2")
    path = f"/api/races/{race}/events"

    async def log(caller: Guest | None, after: int = 6) -> list[str]:
        headers = caller.bearer if caller else {}
        async with server.http.get(f"{path}?after={after}", headers=headers) as answer:
            assert answer.content_type == "application/x-ndjson"
            lines = [decode_outbound(line, Subprotocol.JSON) for line in (await answer.read()).splitlines()]
        return [
            f"{one.seq} {one.k}" if isinstance(one, Ev) else f"{one.from_}-{one.to}"  # type: ignore[union-attr]
            for one in lines
        ]

    assert await log(guest) == ["7 seat.played", "8 seat.played", "9 seat.played"]
    assert await log(guest, 8) == ["9 seat.played"]
    assert await log(await server.guest()) == ["7-9"]
    assert await log(None) == ["7-9"]
    assert await log(None, 100) == []
    async with server.http.get(path, headers={"Accept": "application/msgpack"}) as answer:
        unpacker = msgpack.Unpacker()
        unpacker.feed(await answer.read())
        assert [one["t"] for one in unpacker] == ["ev"] * 6 + ["skip"]
    for player in (anna, bela):
        assert (await player.ask(inbound.Resign(race))).ok
    await anna.until(Snap, lambda snap: snap.reason == "end")
    assert (await log(None))[:3] == ["7 seat.played", "8 seat.played", "9 seat.played"]
    async with server.http.get(f"{path}?after=x") as answer:
        assert (answer.status, (await answer.json())["reason"]) == (400, "after")


async def test_progress_is_what_the_caller_was_told(server: Server) -> None:
    """How many cards each seat had cleared when; of a sealed race each sees its own, and others' as they are shown.

    Who watches a race that is told late learns this late, too.
    """
    guest = await server.guest("Anna")
    anna, bela = await server.talker(guest), await server.talker()

    async def cleared(race: str, caller: Guest) -> list[list[int]]:
        async with server.http.get(f"/api/races/{race}/progress", headers=caller.bearer) as answer:
            told = await answer.json()
        times = [[ms for ms, _ in seat["points"]] for seat in told["seats"]]
        assert times == [sorted(one) for one in times]
        return [[number for _, number in seat["points"]] for seat in told["seats"]]

    opened = await server.started(anna, bela, code=CODE, watch="numbers")
    await anna.play(opened, "d 5 2 u")
    assert await cleared(opened, await server.guest()) == [[0, 1, 2, 1], [0]]
    late = await server.started(anna, bela, code=CODE, delay_s=60)
    await anna.play(late, "d 5 2")
    assert await cleared(late, guest) == [[0, 1, 2], [0]]
    assert await cleared(late, await server.guest()) == [[0], [0]]
    sealed = await server.started(anna, bela, game="GO1-E", sealed=True)
    board = (await anna.had(Snap, lambda snap: snap.race == sealed and snap.reason == "start")).my.board
    n = 0
    while board["removed"] == 0:
        n += 1
        assert (await anna.ask(inbound.Play(sealed, n, board["legal"][0]))).ok
        board = (await anna.join(sealed)).my.board
    own, other = await cleared(sealed, guest), await cleared(sealed, await server.guest())
    assert len(own[0]) > 1
    assert other == [[0], [0]]
    async with server.http.get("/api/races/nosuchrace/progress") as answer:
        assert (answer.status, (await answer.json())["code"]) == (404, "unknown_race")


async def test_skip_is_part_of_the_log(server: Server) -> None:
    """What is hidden stands in the log's export as a skip, so that its hashes can be followed."""
    anna = await server.talker()
    race = await server.started(anna, code=CODE, watch="off")
    await anna.play(race, "d 5")
    async with server.http.get(f"/api/races/{race}/events?after=4", headers=(await server.guest()).bearer) as answer:
        (line,) = (await answer.read()).splitlines()
    skip = decode_outbound(line, Subprotocol.JSON)
    assert isinstance(skip, Skip)
    assert skip.hash == (await anna.join(race)).hash


async def test_a_log_is_folded_once_for_all_calls(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often the log of a race is asked for, and in whatever form, each of its entries is folded once."""
    anna = await server.talker()
    race = await server.started(anna, code=CODE)
    await anna.play(race, "d 5 2")
    assert (await anna.ask(inbound.Done(race))).ok
    last = await anna.until(Snap, lambda snap: snap.reason == "end")
    folded: list[int] = []
    step = history.step

    def counted(before: Any, entry: Any, *others: Any) -> Any:
        folded.append(entry.seq)
        return step(before, entry, *others)

    monkeypatch.setattr(history, "step", counted)
    calls = [server.http.get(f"/api/races/{race}/{name}") for name in ("events", "progress", "record", "replay") * 5]
    assert {answer.status for answer in await asyncio.gather(*calls)} == {200}
    assert folded == list(range(1, last.seq + 1))


async def test_long_logs_count_for_more(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a log that is long fewer calls are answered than of a short one, and the others told when to come again."""
    monkeypatch.setattr("server.http.history.STEPS_A_CALL", 1)
    anna = await server.talker()
    race = await server.started(anna, code=CODE)
    answers = [await server.http.get(f"/api/races/{race}/progress") for _ in range(60)]
    refused = [answer for answer in answers if answer.status != 200]
    assert 0 < len(refused) < 60
    told = await refused[0].json()
    assert (refused[0].status, told["code"]) == (429, "rate")
    assert told["retry_ms"] > 0
