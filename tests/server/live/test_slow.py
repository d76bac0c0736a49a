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
from tests.server.conftest import Serve
from tests.server.served import Server, Talker

CODE = "GO1-E-AAAAAAB"
FAST = {"play_burst": 1_000_000, "play_rate": 1_000_000}


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
