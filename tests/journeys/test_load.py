"""`fairdeal load` on a server of several processes, as a user runs it."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from pathlib import Path

import aiohttp
import pytest

from tests.journeys.processes import WAIT_S, fairdeal
from tests.needs import needs

pytestmark = [pytest.mark.journey, pytest.mark.load, needs("redis-server")]

SERVE = ("serve", "--workers", "2", "--port", "0", "--bots", "0", "--data")
LOAD = ("load", "--races", "3", "--seconds", "1", "--rate", "20", "--json", "--server")


async def test_load_says_what_it_found(tmp_path: Path) -> None:
    """One JSON document: everything confirmed is there once, and every client saw what there was to see."""
    quick = {"FAIRDEAL_START_DELAY_MS": "0"}
    async with asyncio.timeout(WAIT_S), fairdeal(*SERVE, tmp_path, environ=quick) as server:
        address = re.findall(r"http:[^\s,]+", await server.says("Serving "))[0]
        async with fairdeal(*LOAD, address) as load:
            report = json.loads(await load.line())
            assert await load.process.wait() == 0
        assert report["confirmed"] > 0
        assert report["verified"] == report["races"] >= 3
        assert report["frames"] > report["entries"] > report["confirmed"]
        assert (report["lost"], report["doubled"], report["faults"]) == (0, 0, [])
        assert 0 < report["p50_ms"] <= report["p99_ms"] <= report["max_ms"]
        assert await server.end() == 0
        async with fairdeal(*LOAD, address) as load:
            said = await load.says("fairdeal: ")
            assert f"expected a server at {address}" in said
            assert await load.process.wait() == 1


async def test_an_interrupted_load_tells_what_was_played(tmp_path: Path) -> None:
    """Ctrl-C ends the play; all of it is checked and told, and the status says that it was not the whole."""
    quick = {"FAIRDEAL_START_DELAY_MS": "0"}
    words = ("load", "--races", "2", "--seconds", "3600", "--json", "--server")
    alone = ("serve", "--port", "0", "--bots", "0", "--data", tmp_path)
    async with asyncio.timeout(WAIT_S), fairdeal(*alone, environ=quick) as server:
        address = re.findall(r"http:[^\s,]+", await server.says("Serving "))[0]
        async with aiohttp.ClientSession(address) as session, fairdeal(*words, address) as load:
            while "fairdeal_races_followed 2.0" not in await (await session.get("/metrics")).text():
                pass
            assert await load.end(signal.SIGINT) == 1
            report = json.loads(await load.line())
        assert report["verified"] == report["races"] == 2
        assert (report["lost"], report["doubled"], report["faults"]) == (0, 0, [])
