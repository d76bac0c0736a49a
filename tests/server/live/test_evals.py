"""Evaluations of boards that are watched: what they say, to whom, and what becomes of them without solvers."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from redis.asyncio import Redis

from bots.analysis.position import position_answer
from engine.codes import parse_code
from engine.question import Urgency, stream_of
from engine.wire import inbound
from engine.wire.outbound import Ev, Eval, Snap
from tests.server.conftest import Serve
from tests.server.served import Server, Talker

CODE = "GO1-E-AAAAAAB"


async def watched(server: Server, **card: Any) -> tuple[str, Talker, Talker]:
    """A race of one seat under way, who plays it, who watches it."""
    anna, watcher = await server.talker(), await server.talker()
    race = await server.started(anna, **{"code": CODE} | card)
    await watcher.watch(race)
    return race, anna, watcher


async def evaluated(watcher: Talker, n: int) -> Eval:
    """The evaluation after the seat's operation `n`."""
    return await watcher.had(Eval, lambda told: told.seats[0].n == n)


@pytest.mark.usefixtures("analyst")
@pytest.mark.parametrize("code", [CODE, "DS1-D3N-AAAAAAB"])
async def test_a_spectator_is_told_what_can_still_be_had(serve: Serve, code: str) -> None:
    """After the start, after moves and after undos: the best of the board as it stands, no earlier than its events."""
    server = await serve(eval_ms=10)
    race, anna, watcher = await watched(server, code=code)
    parsed = parse_code(str((await watcher.had(Snap)).card["code"]))
    await evaluated(watcher, 0)
    await anna.play(race, "d d d")
    after = await evaluated(watcher, 3)
    last = max(message.seq for message in watcher.heard if isinstance(message, Ev))
    assert after.seq <= last
    expected = position_answer(parsed, ("d", "d", "d"))
    assert after.seats[0].winnable is expected.winnable
    if code == CODE:
        assert after.seats[0].best == {"score": expected.best.score, "removed": expected.best.removed}
    await anna.play(race, "u u", first=4)
    assert (await evaluated(watcher, 5)).seats[0].winnable is position_answer(parsed, ("d",)).winnable
    assert not any(isinstance(message, Eval) for message in anna.heard)


@pytest.mark.usefixtures("analyst")
async def test_whoever_comes_later_is_told_too(serve: Serve) -> None:
    """A new spectator learns what is known though nothing has changed; a player who has finished and watches, too."""
    server = await serve(eval_ms=10)
    anna, bela, watcher = await server.talker(), await server.talker(), await server.talker()
    race = await server.started(anna, bela, code=CODE)
    await watcher.watch(race)
    await evaluated(watcher, 0)
    late = await server.talker()
    await late.watch(race)
    await evaluated(late, 0)
    assert (await bela.ask(inbound.Resign(race))).ok
    await bela.watch(race)
    await evaluated(bela, 0)
    assert not any(isinstance(message, Eval) for message in anna.heard)


@pytest.mark.usefixtures("analyst")
@pytest.mark.parametrize(
    "card",
    [
        pytest.param({"watch": "numbers"}, id="numbers"),
        pytest.param({"code": None, "game": "GO1-E", "sealed": True}, id="sealed"),
        pytest.param({"code": None, "game": "GO1-E", "sealed": True, "watch": "boards"}, id="sealed, with boards"),
    ],
)
async def test_nothing_is_asked_that_nobody_may_know(serve: Serve, redis: Redis, card: dict[str, Any]) -> None:
    """Where spectators may not be told, the solvers are not even asked."""
    server = await serve(eval_ms=10)
    race, anna, _ = await watched(server, **card)
    await anna.play(race, "d d d")
    await asyncio.sleep(0.1)
    assert await redis.xlen(stream_of(Urgency.LIVE)) == 0
    assert await redis.keys("{analyses}:answer:*") == []


@pytest.mark.parametrize("eval_ms", [0, 10])
async def test_a_race_goes_on_without_solvers(serve: Serve, redis: Redis, eval_ms: int) -> None:
    """Where nobody answers nothing is told, a board is asked about once, and not at all where that is turned off."""
    server = await serve(eval_ms=eval_ms)
    race, anna, watcher = await watched(server)
    await anna.play(race, "d d d")
    assert (await anna.ask(inbound.Done(race))).ok
    await watcher.until(Snap, lambda snap: snap.reason == "end")
    assert not any(isinstance(message, Eval) for message in watcher.heard)
    assert (await redis.xlen(stream_of(Urgency.LIVE)) > 0) is (eval_ms > 0)


@pytest.mark.usefixtures("analyst")
async def test_a_race_that_is_told_late_is_evaluated_late(serve: Serve) -> None:
    """What solvers make of a move is told after the move itself, however late that is."""
    server = await serve(eval_ms=10)
    race, anna, watcher = await watched(server, delay_s=1)
    await anna.play(race, "d d")
    await evaluated(watcher, 2)
    told = [
        index for index, message in enumerate(watcher.heard) if isinstance(message, Ev) and message.k == "seat.played"
    ]
    evals = [
        index for index, message in enumerate(watcher.heard) if isinstance(message, Eval) and message.seats[0].n == 2
    ]
    assert (len(told), told[-1] < evals[0]) == (2, True)
