"""Processes that share a port hand connections over: to where a race's sockets meet, and to nobody who is stuck."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp
import pytest
from aiohttp import web

from server.live.neighbours import Neighbours
from server.node import runner_of
from server.settings import Settings

RACES = [f"race {n}" for n in range(12)]


@pytest.fixture
def folder() -> Iterator[Path]:
    with TemporaryDirectory(prefix="fairdeal-") as made:
        yield Path(made)


@asynccontextmanager
async def process(folder: Path, number: int, processes: int) -> AsyncIterator[str]:
    """One of the processes, as far as connections go; it answers with its number. Yields its address."""
    neighbours = Neighbours(folder, number, processes)

    async def answer(request: web.Request) -> web.StreamResponse:
        if await neighbours.hand_over(request):
            return web.Response()
        return web.json_response({"by": number, "path": request.path_qs, "x": request.headers["X-Known"]})

    app = web.Application()
    app.add_routes([web.get("/ws", answer)])
    runner = runner_of(Settings(), app)
    async with AsyncExitStack() as stack:
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        assert runner.server is not None
        stack.enter_context(neighbours.heard(runner.server))
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"


Ask = Callable[[str, str], Awaitable[int]]


@pytest.fixture
async def ask() -> AsyncIterator[Ask]:
    """Ask an address for a race; returns who answered. It came there as it was sent."""
    async with aiohttp.ClientSession() as session:

        async def ask(address: str, race: str, known: str = "ä, b") -> int:
            async with session.get(f"{address}/ws", params={"race": race}, headers={"X-Known": known}) as answer:
                said = await answer.json()
                assert (answer.status, said["x"], said["path"]) == (200, known, answer.url.raw_path_qs)
                return int(said["by"])

        yield ask


async def test_a_race_has_one_home(folder: Path, ask: Ask) -> None:
    """Whoever gets a request, it is answered by the same process for the same race, and all of them get some."""
    async with AsyncExitStack() as stack:
        addresses = [await stack.enter_async_context(process(folder, number, 3)) for number in (1, 2, 3)]
        homes = {}
        for race in RACES:
            (homes[race],) = {await ask(address, race) for address in addresses}
        assert set(homes.values()) == {1, 2, 3}


async def test_many_at_once(folder: Path, ask: Ask) -> None:
    """More than a neighbour's queue holds are handed over all the same."""
    async with process(folder, 1, 2) as one, process(folder, 2, 2):
        theirs = [race for race in RACES if await ask(one, race) == 2]
        assert set(await asyncio.gather(*(ask(one, race) for race in theirs * 6))) == {2}


async def test_who_is_not_there_is_not_waited_for(folder: Path, ask: Ask) -> None:
    """Before a neighbour has begun and after it has ended its races are served where they come."""
    async with process(folder, 1, 2) as one:
        assert {await ask(one, race) for race in RACES} == {1}
        async with process(folder, 2, 2):
            assert {await ask(one, race) for race in RACES} == {1, 2}
        assert {await ask(one, race) for race in RACES} == {1}


@contextmanager
def stuck(folder: Path, number: int) -> Iterator[socket.socket]:
    """The door of a process that does not come to anything."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
        door.bind(str(folder / str(number)))
        yield door


def waiting(door: socket.socket) -> Iterator[tuple[bytes, int]]:
    """What has been put before a door, and the connections with it."""
    door.setblocking(False)
    with suppress(BlockingIOError):
        while True:
            packed, (descriptor,), _, _ = socket.recv_fds(door, 1 << 17, 1)
            yield packed, descriptor


async def test_who_is_stuck_gets_nothing(folder: Path, ask: Ask) -> None:
    """What a neighbour does not take in time is served where it came, and left alone by the neighbour later."""
    async with process(folder, 1, 2) as one:
        with stuck(folder, 2) as door:
            assert set(await asyncio.gather(*(ask(one, race) for race in RACES))) == {1}
            late = list(waiting(door))
        (folder / "2").unlink()
        assert late
        async with process(folder, 2, 2):
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as again:
                for packed, descriptor in late:
                    # As it would find it when it goes on.
                    again.connect(str(folder / "2"))
                    socket.send_fds(again, [packed], [descriptor])
                    socket.close(descriptor)
            assert {await ask(one, race) for race in RACES} == {1, 2}


async def test_a_long_request_stays(folder: Path) -> None:
    """One that is too long to be handed over is answered where it came."""
    async with process(folder, 1, 2) as one, process(folder, 2, 2), aiohttp.ClientSession(one) as session:
        headers = {"X-Known": "x", **{f"X-{n}": "x" * 8000 for n in range(9)}}
        for race in RACES:
            async with session.get("/ws", params={"race": race}, headers=headers) as answer:
                assert (await answer.json())["by"] == 1


async def test_a_client_that_has_gone(folder: Path, ask: Ask) -> None:
    """A client that hangs up while it is handed over troubles neither process."""
    async with process(folder, 1, 2) as one, process(folder, 2, 2):
        port = int(one.rpartition(":")[2])
        for race in RACES:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            path = f"/ws?race={race.replace(' ', '+')}"
            writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nX-Known: x\r\n\r\n".encode())
            writer.transport.abort()
        assert {await ask(one, race) for race in RACES} == {1, 2}
