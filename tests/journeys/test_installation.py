"""The files of deploy/ at work: two nodes behind nginx, Redis with its user, a worker and Prometheus."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest

from engine.replay.verify import verify
from tests.journeys.installation import ROOT, Installation
from tests.journeys.processes import WAIT_S
from tests.needs import needs

pytestmark = [pytest.mark.journey, needs("redis-server", "nginx", "prometheus")]

SOCKETS: Final = re.compile(r"^fairdeal_sockets (\S+)$", re.MULTILINE)


async def until(session: aiohttp.ClientSession, url: str, holds: Callable[[int, str], bool]) -> str:
    """Ask again until the answer is as it is to be; returns it."""
    status, text = 0, ""
    try:
        async with asyncio.timeout(WAIT_S):
            while True:
                try:
                    async with session.get(url) as answer:
                        status, text = answer.status, await answer.text()
                except aiohttp.ClientError:
                    status, text = 0, "no answer"
                if holds(status, text):
                    return text
                await asyncio.sleep(0.25)
    except TimeoutError:
        raise AssertionError(f"{url} kept answering {status}: {text[:500]}") from None


def contents(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in folder.rglob("*.fairdeal")]


async def archived(folder: Path, live: bytes) -> None:
    """Wait until the only file of an archive is there, which is the replay file that the node gave."""
    async with asyncio.timeout(WAIT_S):
        while not (files := contents(folder)):  # noqa: ASYNC110 - a file tells nobody that it is there.
            await asyncio.sleep(0.1)
    assert [live] == files


async def test_from_deal_to_archive(tmp_path: Path) -> None:
    """A race of two bots is asked for at nginx, played by the worker, archived by a node; Redis refuses nothing."""
    installed = Installation(tmp_path)
    names = ("redis", "node-1", "node-2", "nginx", "worker", "analyst", "prometheus")
    async with installed.running(*names), aiohttp.ClientSession() as session:
        front = installed.url("nginx:8080")
        for url in (installed.url("node-1:8080"), installed.url("node-2:8080"), front):
            await until(session, f"{url}/readyz", lambda status, _: status == 200)
        async with session.post(f"{front}/api/players", json={"name": "Operator"}) as answer:
            token = (await answer.json())["token"]
        card = {
            "code": "GO1-E-AAAAAAB",
            "bots": [{"bot": "greedy", "pace": 30}, {"bot": "random", "pace": 30}],
        }
        async with session.post(
            f"{front}/api/races", json=card, headers={"Authorization": f"Bearer {token}"}
        ) as answer:
            race = (await answer.json())["race"]
        await until(session, f"{front}/api/races/{race}", lambda _, text: '"finished"' in text)
        async with session.get(f"{front}/api/races/{race}/record") as answer:
            live = await answer.read()
        assert (verify(live).ok, verify(live).race) == (True, race)
        await archived(tmp_path / "archive", live)
        # The analyst has taken the question, or has answered: the first time it compiles its solver for a minute.
        await until(session, f"{front}/api/races/{race}/analysis", lambda status, _: status in (200, 202))
        await until(session, f"{front}/metrics", lambda status, _: status == 404)
        query = f"{installed.url('prometheus:9090')}/api/v1/query?query=sum(up)"
        await until(session, query, lambda _, text: '"2"' in text)
        assert [name for name in names if "no permissions" in installed.services[name].said] == []


async def test_seats_meet(tmp_path: Path) -> None:
    """Sockets that nginx is asked for with a race go to one node, each race to its own; without one, to both."""
    installed = Installation(tmp_path)
    async with installed.running("redis", "node-1", "node-2", "nginx"), aiohttp.ClientSession() as session:
        front, nodes = installed.url("nginx:8080"), [installed.url(f"node-{n}:8080") for n in (1, 2)]
        for url in (*nodes, front):
            await until(session, f"{url}/readyz", lambda status, _: status == 200)

        async def sockets() -> list[int]:
            counts = []
            for url in nodes:
                async with session.get(f"{url}/metrics") as answer:
                    found = SOCKETS.search(await answer.text())
                    counts.append(int(float(found[1])) if found else 0)
            return counts

        async def reached(query: str, stack: AsyncExitStack) -> tuple[int, ...]:
            """How many of three sockets each node gets."""
            before = await sockets()
            for _ in range(3):
                await stack.enter_async_context(session.ws_connect(f"{front}/ws{query}"))
            return tuple(now - then for now, then in zip(await sockets(), before, strict=True))

        async with AsyncExitStack() as stack:
            assert {await reached(f"?race={n}", stack) for n in range(8)} == {(0, 3), (3, 0)}
            alone = [await reached("", stack) for _ in range(8)]
        assert {sum(counts) for counts in alone} == {3}
        assert any(min(counts) for counts in alone)


async def test_rolling_restart(tmp_path: Path) -> None:
    """Both nodes are restarted in turn under load: no confirmed move is lost or doubled, and every race ends."""
    installed = Installation(tmp_path)
    async with installed.running("redis", "node-1", "node-2", "nginx"), aiohttp.ClientSession() as session:
        front = installed.url("nginx:8080")
        for url in (installed.url("node-1:8080"), installed.url("node-2:8080"), front):
            await until(session, f"{url}/readyz", lambda status, _: status == 200)
        load = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "server", "load", "--server", front, "--races", "4", "--seconds", "8", "--json",
            cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        statuses = []
        for name in ("node-1", "node-2"):
            await asyncio.sleep(2)
            statuses.append(await installed.services[name].end())
            await installed.services[name].start()
            await until(session, f"{installed.url(f'{name}:8080')}/readyz", lambda status, _: status == 200)
        async with asyncio.timeout(WAIT_S):
            out, err = await load.communicate()
        report: dict[str, Any] = json.loads(out)
        assert load.returncode == 0, (report, err)
        assert statuses == [0, 0]
        assert (report["lost"], report["doubled"], report["faults"]) == (0, 0, [])
        assert report["confirmed"] > 0
