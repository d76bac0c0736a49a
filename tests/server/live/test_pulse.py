"""How far away a client is: pings that are answered, and answers to none."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from engine.wire import inbound
from engine.wire.outbound import Snap
from server.live.pulse import TRIPS, Pulse, Watched
from server.settings import Settings
from tests.server.conftest import Serve
from tests.server.served import Server


@pytest.fixture
async def pulse() -> Iterator[Pulse]:
    """A pulse that nothing comes of by itself."""
    pulse = Pulse(Settings(), Watched(lambda: None, lambda now: None, lambda: None))
    yield pulse
    pulse.stop()


def answer(pulse: Pulse, payload: bytes, at: float) -> float | None:
    pulse.heard_s = at
    return pulse.answered(payload)


async def test_the_least_of_the_last_is_the_way(pulse: Pulse) -> None:
    """Each answer tells its own time; the way is the least of the last few, so that it is forgotten when it changes."""
    assert pulse.round_trip_s is None
    for number, trip_s in enumerate([0.5, 0.25, 0.75, *[1.0] * TRIPS]):
        nonce = pulse.ask(10.0 * number)
        assert answer(pulse, nonce, 10.0 * number + trip_s) == trip_s
        assert pulse.round_trip_s == min([0.5, 0.25, 0.75, *[1.0] * TRIPS][: number + 1][-TRIPS:])


@pytest.mark.parametrize("forged", [b"", b"x" * 8, b"x" * 125], ids=["empty", "guessed", "longest"])
async def test_a_pong_to_no_ping_tells_nothing(pulse: Pulse, forged: bytes) -> None:
    """Before a ping, and in place of its answer, a pong is passed over; the right one counts all the same, once."""
    assert answer(pulse, forged, 1.0) is None
    nonce = pulse.ask(2.0)
    assert answer(pulse, forged, 2.25) is None
    assert answer(pulse, nonce, 2.5) == 0.5
    assert answer(pulse, nonce, 2.75) is None
    assert pulse.round_trip_s == 0.5


async def test_an_answer_to_an_older_ping_tells_nothing(pulse: Pulse) -> None:
    """Who answers the ping before the last one is not taken for quick, and no nonce comes twice."""
    first, second = pulse.ask(1.0), pulse.ask(2.0)
    assert first != second
    assert answer(pulse, first, 2.25) is None
    assert answer(pulse, second, 2.5) == 0.5


async def test_seats_tell_how_far_away_they_are(server: Server) -> None:
    """Everybody is shown the lag of the seats that are held, from the first snap on, and it is counted."""
    anna, robi, watcher = [await server.talker() for _ in range(3)]
    race = await server.race(await server.guest(), code="GO1-E-AAAAAAB", seats=2)
    assert [lag.seat for lag in (await anna.join(race)).lag] == [1]
    assert [lag.seat for lag in (await robi.join(race)).lag] == [1, 2]
    assert [lag.seat for lag in (await watcher.watch(race)).lag] == [1, 2]
    for talker in (anna, robi):
        assert (await talker.ask(inbound.Ready(race))).ok
    starts = [await talker.had(Snap, lambda snap: snap.reason == "start") for talker in (anna, robi, watcher)]
    assert [lag.seat for lag in starts[0].lag] == [1, 2]
    assert all(0 <= lag.rtt_ms < 10_000 for lag in starts[0].lag)
    assert starts[0].lag == starts[1].lag == starts[2].lag
    async with server.http.get("/metrics") as answer:
        (counted,) = [line for line in (await answer.text()).splitlines() if "round_trip_seconds_count" in line]
    assert float(counted.split()[1]) == 3


async def test_every_heartbeat_measures(serve: Serve) -> None:
    """A client is measured again and again, whatever other pongs it sends."""
    server = await serve(heartbeat_ms=20)
    anna = await server.talker()
    counted = 0.0
    while counted < 3:
        await anna.socket.pong(b"nobody asked")
        await anna.ask(inbound.Resign("r" * 26))  # Of a race that is not: its answer makes sure that pings are read.
        await asyncio.sleep(0.01)
        async with server.http.get("/metrics") as answer:
            lines = (await answer.text()).splitlines()
        counted = max(float(line.split()[1]) for line in lines if "round_trip_seconds_count" in line)
