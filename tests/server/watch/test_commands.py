"""The log of commands: which race, seat and player, what was asked, what became of it."""

from __future__ import annotations

import json

from structlog.testing import capture_logs

from engine.wire import inbound
from engine.wire.outbound import Res
from server.settings import LogLevel
from tests.server.conftest import Serve
from tests.server.store.wire import wire_to

CODE = "GO1-E-AAAAAAB"


async def test_every_command_at_debug(serve: Serve) -> None:
    """What was accepted, refused and not answered is a line each, without receipts."""
    server = await serve(log_level=LogLevel.DEBUG)
    anna = await server.talker()
    race = await server.started(anna, code=CODE)
    with capture_logs() as lines:
        played = await anna.ask(inbound.Play(race, 1, "d"))
        await anna.say(inbound.Play(race, 2, "d"))
        await anna.ask(inbound.Play(race, 3, "k"))
        await anna.ask(inbound.Watch("nosuchrace"))
    assert anna.welcome is not None
    told = [line for line in lines if line["event"] == "command"]
    assert [(line["t"], line.get("n"), line.get("m"), line["code"]) for line in told] == [
        ("play", 1, "d", "ok"),
        ("play", 2, "d", "ok"),
        ("play", 3, "k", "illegal"),
        ("watch", None, None, "unknown_race"),
    ]
    assert {(line["race"], line["seat"], line["player"]) for line in told[:3]} == {(race, 1, anna.welcome.player)}
    assert (told[0]["seq"], told[0]["id"], told[2]["reason"]) == (played.seq, played.id, "bad_move")
    assert "sig" not in json.dumps(lines)


async def test_unknown_outcomes_at_any_level(serve: Serve, redis_url: str) -> None:
    """While Redis is silent it is logged whose move may or may not be in; what was answered for sure is not."""
    async with wire_to(redis_url) as (wire, near):
        server = await serve(near, give_up_ms=100)
        anna = await server.talker()
        race = await server.started(anna, code=CODE)
        with capture_logs() as lines:
            await anna.play(race, "d")
            wire.flowing.clear()
            await anna.say(inbound.Play(race, 2, "5", id="p"))
            await anna.until(Res, lambda res: res.id == "p")
        wire.flowing.set()
        await server.stop()
    [unknown] = [line for line in lines if line["event"] in ("command", "outcome unknown")]
    assert unknown["log_level"] == "warning"
    assert (unknown["race"], unknown["seat"], unknown["n"], unknown["m"]) == (race, 1, 2, "5")
