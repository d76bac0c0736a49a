"""A server of several processes: one port, nothing lost when one dies, and one end for all."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import aiohttp
import pytest

from bots.client import Client
from tests.journeys.processes import WAIT_S, Fairdeal, children, fairdeal, gone
from tests.needs import needs

pytestmark = [pytest.mark.journey, needs("redis-server")]

QUICK = {"FAIRDEAL_START_DELAY_MS": "0"}


async def served(server: Fairdeal) -> str:
    """Wait until a server answers; returns its address."""
    return (await server.says("Serving ")).split()[1].rstrip(",")


async def offered(address: str) -> str:
    """A race that somebody has made who does not play."""
    async with Client(address) as host:
        return await host.create_race({"code": "GO1-E-AAAAAAB", "seats": 2})


def holder(pids: Sequence[int], port: int, client: int) -> int:
    """Which process has the server's end, at this port, of the connection from the client's port."""
    table = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    (inode,) = [line[9] for line in table if line[1:3] == [f"0100007F:{end:04X}" for end in (port, client)]]
    (pid,) = [pid for pid in pids if any(holds(link, inode) for link in Path(f"/proc/{pid}/fd").iterdir())]
    return pid


def holds(link: Path, inode: str) -> bool:
    with suppress(OSError):  # It may be closed by now.
        return str(link.readlink()) == f"socket:[{inode}]"
    return False


async def test_the_seats_of_a_race_meet(tmp_path: Path) -> None:
    """Sockets opened for a race are all with one process, those of other races with others."""
    arguments = ("serve", "--workers", "3", "--port", "0", "--data", tmp_path, "--bots", "0")
    async with asyncio.timeout(WAIT_S), fairdeal(*arguments) as server:
        address = await served(server)
        pids, port = await children(server.pid, "server", 3), int(address.rpartition(":")[2])
        async with aiohttp.ClientSession(address) as session, AsyncExitStack() as stack:
            homes = []
            for race in range(8):
                opened = [
                    await stack.enter_async_context(session.ws_connect("/ws", params={"race": race})) for _ in range(4)
                ]
                homes.append(Counter(holder(pids, port, socket.get_extra_info("sockname")[1]) for socket in opened))
        # One that its home did not take in time is served where it came.
        assert all(home.most_common(1)[0][1] >= 3 for home in homes), homes
        assert len({home.most_common(1)[0][0] for home in homes}) > 1


async def test_a_process_that_dies_takes_nothing_with_it(tmp_path: Path) -> None:
    """Each process of a server is killed in turn while a race is on: it goes on, and there are as many as before."""
    async with (
        asyncio.timeout(WAIT_S),
        fairdeal("serve", "--workers", "2", "--port", "0", "--data", tmp_path, "--bots", "0", environ=QUICK) as server,
    ):
        address = await served(server)
        rid = await offered(address)
        async with Client(address, race=rid) as ann, Client(address, race=rid) as bob:
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
