"""A back-up that is taken while races are on, restored to a new machine: results, ratings and files to the byte."""

from __future__ import annotations

import asyncio
import re
import subprocess
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest

from bots.client import Client
from engine.wire.outbound import Matched
from tests.journeys.processes import WAIT_S, fairdeal
from tests.journeys.proxy import proxy_to
from tests.needs import needs
from tests.ports import free_port

pytestmark = [pytest.mark.journey, pytest.mark.redis, needs("redis-server")]

BACKUP: Final = Path(__file__).parents[2] / "deploy" / "backup"
CODE: Final = "GO1-E-AAAAAAB"
QUICK: Final = {"FAIRDEAL_START_DELAY_MS": "50", "FAIRDEAL_LOG_LEVEL": "error"}


@asynccontextmanager
async def _serving(data: Path) -> AsyncIterator[str]:
    arguments = ("serve", "--data", data, "--port", str(free_port()), "--bots", "0")
    async with fairdeal(*arguments, environ=QUICK) as server:
        yield re.findall(r"http:[^\s,]+", await server.says("Serving "))[0]
        await server.end()


class _Races:
    """Two players with accounts, each from an address of its own, who have raced and are racing."""

    def __init__(self, anna: Client, bela: Client) -> None:
        self.players = (anna, bela)
        self.finished: list[str] = []
        self.running = ""

    async def hold(self) -> None:
        """Finish an open race and a rated one, and begin another that is not finished."""
        await self._race(await self.players[0].create_race({"code": CODE, "seats": 2}), "d 5")
        await self._race(await self._matched(), "d")
        self.running = await self.players[0].create_race({"code": CODE, "seats": 2})
        await self._begin(self.running)
        await self.players[0].play(self.running, "d")

    async def _race(self, race: str, words: str) -> None:
        await self._begin(race)
        for word in words.split():
            await self.players[0].play(race, word)
        for player in self.players:
            await player.done(race)
        await self.players[0].races[race].until(lambda race: race.over)
        self.finished.append(race)

    async def _begin(self, race: str) -> None:
        for player in self.players:
            await player.join(race)
        for player in self.players:
            await player.ready(race)
        for player in self.players:
            await player.races[race].until(lambda race: race.playing)

    async def _matched(self) -> str:
        heard = [player.messages() for player in self.players]
        for player in self.players:
            await player.queue("GO1-E", rated=True)
        first, _ = [await anext(one.race async for one in messages if isinstance(one, Matched)) for messages in heard]
        return first

    def paths(self) -> list[str]:
        """What is to be the same on the new machine."""
        players = [f"/api/players/{player.player}" for player in self.players]
        records = [f"/api/races/{race}/record" for race in self.finished]
        lists = ["/api/races?status=finished", "/api/ladders", "/api/ladders/GO1-E-all", f"/api/codes/{CODE}"]
        return [*players, *records, *lists]


async def _claim(session: aiohttp.ClientSession, player: Client, name: str) -> None:
    bearer = {"Authorization": f"Bearer {player.token}"}
    async with session.post(f"{player.server}/api/account", json={"name": name}, headers=bearer) as answer:
        assert answer.status == 200, await answer.text()
        player.token = (await answer.json()).get("token", player.token)


async def _seen(session: aiohttp.ClientSession, server: str, paths: list[str]) -> dict[str, Any]:
    found = {}
    for path in paths:
        async with session.get(server + path) as answer:
            assert answer.status == 200, (path, await answer.text())
            found[path] = await answer.read()
    return found


async def test_restored_to_a_new_machine(tmp_path: Path) -> None:
    """Results, ratings and replay files are the same, to the byte, and a race that was under way goes on."""
    old, new, copied = tmp_path / "old", tmp_path / "new", tmp_path / "copied"
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(aiohttp.ClientSession())
        server = await stack.enter_async_context(_serving(old))
        clients = []
        for number, name in enumerate(("Anna", "Béla"), 2):
            there = await stack.enter_async_context(proxy_to(server, f"127.0.0.{number}"))
            clients.append(await stack.enter_async_context(Client(f"http://127.0.0.1:{there.port}", name=name)))
            await _claim(session, clients[-1], name)
        races = _Races(*clients)
        await races.hold()
        async with asyncio.timeout(WAIT_S):
            while not all((old / _file(race)).exists() for race in races.finished):  # noqa: ASYNC110 - no bell rings.
                await asyncio.sleep(0.05)
            rated = f"/api/players/{clients[0].player}"
            while b'"races":1' not in (await _seen(session, server, [rated]))[rated]:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
            before = await _seen(session, server, races.paths())
        # One of them is in the AOF alone, as if the machine had been lost before its file was written.
        await asyncio.to_thread(_run, "sh", BACKUP, old, old / "archive", old / "keyring.json", copied)
        tokens = [client.token for client in clients]
    (copied / _file(races.finished[0])).unlink()
    copied.rename(new)
    async with fairdeal("rebuild", "--data", new) as command:
        assert re.match(r"3 races read: 1 from the archive, 2 from Redis\.", await command.line())
    async with _serving(new) as server, aiohttp.ClientSession() as session:
        after = await _seen(session, server, races.paths())
        assert after == before  # Bytes of results, ratings, ladders and replay files.
        async with Client(server, tokens[0]) as anna:
            race = await anna.join(races.running)
            assert race.lane == 1
            await anna.play(races.running, "5")
    again = await asyncio.to_thread(subprocess.run, ["sh", BACKUP, new, new / "archive", "x", new], check=False)
    assert again.returncode == 2


def _file(race: str) -> Path:
    return Path("archive") / race[:2] / f"{race}.fairdeal"


def _run(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("Copied to ")
