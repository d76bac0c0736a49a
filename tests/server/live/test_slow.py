"""A client that does not read slows nobody, loses no truth, and is given up only when nothing else helps."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import ClientSession, TCPConnector

from engine.wire import inbound
from engine.wire.codec import Subprotocol
from engine.wire.outbound import Ev, Skip, Snap
from server.live.outbox import Outbox
from tests.server.conftest import Serve
from tests.server.served import Server, Talker

CODE = "GO1-E-AAAAAAB"
FAST = {"play_burst": 1_000_000, "play_rate": 1_000_000}
COUNT, BYTES = 64, 256 << 10
STOPPED, READING = 5, 3


def _narrow(address: Any) -> socket.socket:
    """A socket that takes little before it must be read."""
    narrow = socket.socket(address[0], address[1], address[2])
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
    narrow.setblocking(False)
    return narrow


@pytest.fixture
async def narrow() -> AsyncIterator[ClientSession]:
    async with ClientSession(connector=TCPConnector(socket_factory=_narrow)) as session:
        yield session


async def _watcher(server: Server, narrow: ClientSession) -> Talker:
    """A spectator who wants whole boards over a narrow socket."""
    ws = await narrow.ws_connect(f"{server.url}/ws", protocols=[Subprotocol.MSGPACK.value])
    watcher = Talker(ws, Subprotocol.MSGPACK)
    await watcher.say(inbound.Hello(1, boards=True))
    return watcher


async def _metric(server: Server, name: str) -> float:
    async with server.http.get("/metrics") as answer:
        lines = (await answer.text()).splitlines()
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(f"fairdeal_{name}"))


async def test_slow_spectator_gets_a_snapshot(serve: Serve, narrow: ClientSession) -> None:
    """What a slow spectator misses is replaced by one snapshot, after which the events go on without a gap."""
    server = await serve(outbox_count=32, **FAST)
    anna = await server.talker()
    race = await server.started(anna, code=CODE)
    watcher = await _watcher(server, narrow)
    seq = (await watcher.watch(race)).seq
    plays = 0
    while not await _metric(server, "slow_snaps_total"):
        await anna.play(race, " ".join(["d", "u"] * 50), plays + 1)
        plays += 100
    assert (await anna.ask(inbound.Resign(race))).ok
    while True:
        match await watcher.next():
            case Snap() as snap:
                assert snap.seq >= seq
                seq = snap.seq
                if snap.status == "finished":
                    break
            case Ev() as ev:
                assert ev.seq == seq + 1
                seq = ev.seq
            case Skip():
                pytest.fail("a spectator with boards misses nothing but what a snapshot replaces")
            case _:
                pass
    reasons = [message.reason for message in watcher.heard if isinstance(message, Snap)]
    assert "slow" in reasons
    assert len(watcher.heard) < plays


async def test_whoever_never_reads_is_given_up(serve: Serve, narrow: ClientSession) -> None:
    """A socket that takes nothing for long after that is closed as too slow; nobody else notices."""
    server = await serve(outbox_count=8, slow_ms=10, heartbeat_ms=50, **FAST)
    anna = await server.talker()
    race = await server.started(anna, code=CODE)
    watcher = await _watcher(server, narrow)
    await watcher.watch(race)
    first = 1
    while not await _metric(server, 'sockets_closed_total{code="4408"}'):
        await anna.play(race, " ".join(["d", "u"] * 50), first)
        first += 100
    assert await watcher.closed() in (4408, 1006, None)
    await anna.play(race, "d 5 2", first)


async def test_readers_that_stop_slow_nobody(
    serve: Serve, narrow: ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While some stop reading, all others get every event in order, and no queue ever passes its limits."""
    most = (0, 0)
    put = Outbox._put

    def watched(outbox: Outbox, waiting: Any) -> None:
        nonlocal most
        put(outbox, waiting)
        count, size = outbox.waiting
        most = max(most[0], count), max(most[1], size)

    monkeypatch.setattr(Outbox, "_put", watched)
    server = await serve(outbox_count=COUNT, outbox_bytes=BYTES, **FAST)
    anna = await server.talker()
    race = await server.started(anna, code=CODE)
    stopped = [await _watcher(server, narrow) for _ in range(STOPPED)]
    for talker in stopped:
        await talker.watch(race)
    reading = [await server.talker(boards=True) for _ in range(READING)]
    seqs = [(await talker.watch(race)).seq for talker in reading]
    plays = 0
    while await _metric(server, "slow_snaps_total") < STOPPED:
        await anna.play(race, " ".join(["d", "u"] * 50), plays + 1)
        plays += 100
        for place, talker in enumerate(reading):
            for seq in range(seqs[place] + 1, seqs[0] + 101 if place == 0 else seqs[0] + 1):
                assert (await talker.until(Ev)).seq == seq
                seqs[place] = seq
    assert len(set(seqs)) == 1
    assert {snap.reason for talker in reading for snap in talker.heard if isinstance(snap, Snap)} == {"watch"}
    assert COUNT // 2 < most[0] <= COUNT
    assert most[1] <= BYTES
