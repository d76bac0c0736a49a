"""A server of several processes: one port, nothing lost when one dies, and one end for all."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from pathlib import Path

import pytest

from bots.client import Client
from tests.journeys.processes import WAIT_S, Fairdeal, children, fairdeal, gone
from tests.needs import needs

pytestmark = [pytest.mark.journey, needs("redis-server")]

QUICK = {"FAIRDEAL_START_DELAY_MS": "0"}


async def served(server: Fairdeal) -> str:
    """Wait until a server answers; returns its address."""
    return (await server.says("Serving ")).split()[1].rstrip(",")


async def test_a_process_that_dies_takes_nothing_with_it(tmp_path: Path) -> None:
    """Each process of a server is killed in turn while a race is on: it goes on, and there are as many as before."""
    async with (
        asyncio.timeout(WAIT_S),
        fairdeal("serve", "--workers", "2", "--port", "0", "--data", tmp_path, "--bots", "0", environ=QUICK) as server,
    ):
        address = await served(server)
        async with Client(address) as ann, Client(address) as bob:
            rid = await ann.create_race({"code": "GO1-E-AAAAAAB", "seats": 2})
            races = [await client.join(rid) for client in (ann, bob)]
            for client in (ann, bob):
                await client.ready(rid)
            for race in races:
                await race.until(lambda race: race.playing)
            killed = await children(server.pid, "server", 2)
            for pid in killed:
                os.kill(pid, signal.SIGKILL)
                for client in (ann, bob):
                    assert (await client.play(rid, "d")).ok
            await children(server.pid, "server", 2, but=killed)
            assert [race.lane for race in races] == [2, 2]
            await asyncio.gather(ann.done(rid), bob.done(rid))
            for race in races:
                await race.until(lambda race: race.over)
        assert await server.end() == 0


async def test_processes_go_with_their_parent(tmp_path: Path) -> None:
    """Neither the processes nor Redis outlive a parent that was killed; told to end, it ends them first."""
    for number, status in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, 0)):
        arguments = ("serve", "--workers", "2", "--port", "0", "--data", tmp_path, "--bots", "0")
        async with fairdeal(*arguments) as server:
            await served(server)
            found = await children(server.pid, "server", 2)
            redis = int((tmp_path / "redis.pid").read_text())
            assert await server.end(number) == status
            await gone(*found, redis)


async def test_a_port_in_use_is_not_shared_with_strangers(tmp_path: Path) -> None:
    """Where anybody listens already, also one who would share, the server does not start and says what to do."""
    for shared in (False, True):
        with socket.socket() as taken:
            if shared:
                taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            async with fairdeal("serve", "--workers", "2", "--port", port, "--data", tmp_path) as server:
                said = await server.says("fairdeal: ")
                assert said.startswith(f"fairdeal: Port {port} of 127.0.0.1 cannot be had (Address already in use)")
                assert await server.process.wait() == 1
