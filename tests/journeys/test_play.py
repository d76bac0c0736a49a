"""One command, and a person races a bot: server, Redis, bot and race are there, and go again with Ctrl-C."""

from __future__ import annotations

import asyncio
import signal
import socket
from pathlib import Path

import aiohttp
import pytest
from redis.asyncio import Redis

from bots.client import Client
from bots.roster import entry
from tests.engine.golf.printed import WON
from tests.journeys.processes import WAIT_S, children, fairdeal, gone
from tests.needs import needs
from tests.ports import free_port

pytestmark = [pytest.mark.journey, needs("redis-server")]

CODE, *WINNING = WON.split()
QUICK = {"FAIRDEAL_START_DELAY_MS": "50"}


@pytest.mark.usefixtures("kernels")
async def test_a_person_races_the_solver(tmp_path: Path) -> None:
    """The page has its address at once, on the next port where one is taken; the bot is ready when it is warm."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        async with (
            asyncio.timeout(WAIT_S),
            fairdeal("play", "--data", tmp_path, "--port", str(port), environ=QUICK) as command,
        ):
            page = await command.line()
            server, _, rid = page.rpartition("/r/")
            assert not server.endswith(f":{port}")
            async with aiohttp.ClientSession() as session, session.get(page) as answer:
                assert (answer.status, answer.content_type) == (200, "text/html")

            async with Client(server, name="Ann") as ann:
                race = await ann.join(rid)
                assert race.card is not None
                assert (race.card["code"], race.card["seats"]) == (CODE, 2)
                await race.until(lambda race: len(race.seats) == 2)
                bot = next(seat for seat in race.seats.values() if seat.kind == "bot")
                assert bot.name == "solver"
                await race.until(lambda race: race.seats[bot.seat].ready)
                await ann.ready(rid)
                await race.until(lambda race: race.playing)
                for word in WINNING:
                    await ann.play(rid, word)
                assert race.my_status == "won"
                assert race.seats[bot.seat].status != "seated"

            (worker,) = await children(command.pid, "server.commands.worker", 1)
            redis = int((tmp_path / "redis.pid").read_text())
            assert await command.end(signal.SIGINT) == 0
            await gone(worker, redis)


async def test_a_data_directory_in_use_is_told(tmp_path: Path) -> None:
    """A second server on the same data says who has it, and ends with 1."""
    async with asyncio.timeout(WAIT_S), fairdeal("play", "--data", tmp_path, "--port", "0") as first:
        await first.line()
        async with fairdeal("serve", "--data", tmp_path, "--port", "0") as second:
            _, err = await second.process.communicate()
            assert second.process.returncode == 1
            assert f"process {first.pid}" in err.decode()
        assert await first.end() == 0


@pytest.mark.usefixtures("kernels")
async def test_double_solitaire_on_a_running_redis(tmp_path: Path, redis_url: str) -> None:
    """Without a name the best bot that plays the game takes the seat; a Redis that is given stays when it ends."""
    words = ("play", "DS1-D1N-AAAAAAB", "--redis", redis_url, "--data", tmp_path, "--port", str(free_port()))
    async with asyncio.timeout(WAIT_S), fairdeal(*words, environ=QUICK) as command:
        server, _, rid = (await command.line()).rpartition("/r/")
        async with Client(server, name="Ann") as ann:
            race = await ann.watch(rid)
            await race.until(lambda race: 1 in race.seats and race.seats[1].ready)
            assert "DS" in entry(race.seats[1].name).games
        assert await command.end(signal.SIGINT) == 0
    assert not (tmp_path / "redis.pid").exists()
    async with Redis.from_url(redis_url) as redis:
        assert await redis.ping()
