"""Processes killed in mid-race with moves on their way: what was confirmed is there, once, and the race goes on."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from bots.client import Client, Following, Refused
from engine.refusals import ErrorCode
from engine.wire.outbound import Ev, Res
from tests.journeys.processes import WAIT_S, Fairdeal, children, fairdeal, gone
from tests.needs import needs
from tests.ports import free_port

pytestmark = [pytest.mark.journey, needs("redis-server")]

CODE = "GO1-E-AAAAAAB"
ON_THEIR_WAY = 6
"""Plays of each seat that wait for their answers at any time."""
BEFORE_THE_KILL = 40
AFTER_THE_KILL = 20
TIME_LIMIT_S = 10


@asynccontextmanager
async def serving(data: Path, port: int, bots: int = 0) -> AsyncIterator[Fairdeal]:
    """A server on a data directory and a port that it may come back to."""
    quick = {"FAIRDEAL_START_DELAY_MS": "50", "FAIRDEAL_PLAY_BURST": "100000", "FAIRDEAL_PLAY_RATE": "100000"}
    arguments = ("serve", "--data", data, "--port", str(port), "--bots", str(bots))
    async with fairdeal(*arguments, environ=quick) as server:
        await server.says("Serving ")
        yield server


def kill(server: Fairdeal, data: Path) -> list[int]:
    """End the server and its Redis as a power cut would; returns the processes that have to go."""
    redis = int((data / "redis.pid").read_text())
    for pid in (redis, server.pid):
        os.kill(pid, signal.SIGKILL)
    return [redis, server.pid]


class Hand:
    """Draws and takes back without end, several at a time, and keeps what was confirmed."""

    def __init__(self, client: Client, race: Following) -> None:
        self.client = client
        self.race = race
        self.sent: list[str] = []
        self.confirmed: list[Res] = []
        self.too_late = 0
        """Plays that came after the deadline: the server may take long to come back on a machine with much to do."""
        self._sends = asyncio.Event()

    async def waits(self) -> None:
        """Return once a move has no answer yet."""
        while len(self.confirmed) == len(self.sent):
            self._sends.clear()
            await self._sends.wait()

    async def play(self, enough: asyncio.Event) -> None:
        """Play until it is enough, each operation answered in the end."""
        ready = asyncio.Semaphore(ON_THEIR_WAY)

        async def one(word: str) -> None:
            try:
                self.confirmed.append(await self.client.play(self.race.race, word))
            except Refused as refused:
                if refused.code not in (ErrorCode.OVER, ErrorCode.STALE_LANE):
                    raise
                self.too_late += 1
            finally:
                ready.release()

        async with asyncio.TaskGroup() as group:
            while not (enough.is_set() or self.too_late):
                await ready.acquire()
                self.sent.append("u" if len(self.sent) % 2 else "d")
                self._sends.set()
                group.create_task(one(self.sent[-1]))


async def test_server_and_redis_killed_lose_no_confirmed_move_and_double_none(tmp_path: Path) -> None:
    """Two seats with moves on their way; both processes killed and started again; the race ends at its deadline."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    async with (
        asyncio.timeout(WAIT_S),
        serving(tmp_path, port) as server,
        Client(address) as ann,
        Client(address) as bob,
    ):
        rid = await ann.create_race({"code": CODE, "seats": 2, "time_limit_s": TIME_LIMIT_S})
        hands = [Hand(client, await client.join(rid)) for client in (ann, bob)]
        for hand in hands:
            await hand.client.ready(rid)
        for hand in hands:
            await hand.race.until(lambda race: race.playing)
        deadline = hands[0].race.deadline

        enough = asyncio.Event()
        playing = [asyncio.create_task(hand.play(enough)) for hand in hands]
        for hand in hands:
            await hand.race.until(lambda race: race.lane >= BEFORE_THE_KILL)
        told_before = [len(hand.confirmed) for hand in hands]
        await gone(*kill(server, tmp_path))
        for hand in hands:
            await hand.waits()

        async with serving(tmp_path, port) as again:
            for hand, told in zip(hands, told_before, strict=True):
                played_on = told + ON_THEIR_WAY + AFTER_THE_KILL
                await hand.race.until(lambda race, lane=played_on: race.lane >= lane or race.over)
            enough.set()
            await asyncio.gather(*playing)
            for hand, told in zip(hands, told_before, strict=True):
                assert told > 0
                assert len(hand.confirmed) == len(hand.sent) - hand.too_late == hand.race.lane
                assert hand.race.deadline == deadline
            with suppress(Refused):
                await ann.done(rid)
            await hands[0].race.until(lambda race: race.over)
            await hands[1].race.until(lambda race: race.over)

            events = await history(ann, rid)
            for number, hand in enumerate(hands, 1):
                mine = [ev for ev in events if ev.s == number and ev.k in ("seat.played", "seat.undone")]
                played = list(enumerate(hand.sent, 1))[: hand.race.lane]
                assert [(ev.d["n"], ev.d.get("m", "u")) for ev in mine] == played
                by_seq = {ev.seq: ev.hash for ev in mine}
                assert all(by_seq[res.seq] == res.hash for res in hand.confirmed if res.seq in by_seq and not res.dup)
            finished = events[-1]
            assert (finished.k, finished.d["reason"]) == ("race.finished", "time")
            assert deadline is not None
            assert deadline <= finished.at < deadline + 2_000
            assert await again.end() == 0


async def history(client: Client, rid: str) -> list[Ev]:
    """All that happened in a race that is over."""
    return [ev for ev in await client.http.events(rid) if isinstance(ev, Ev)]


async def test_a_killed_worker_is_started_again_and_its_race_ends(tmp_path: Path) -> None:
    """The bot's process dies in mid-race: another plays its seat on."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    async with asyncio.timeout(WAIT_S), serving(tmp_path, port, bots=1) as server, Client(address) as client:
        messages = client.messages()
        rid = await client.create_race({"code": CODE, "seats": 1, "bots": [{"bot": "greedy", "pace": 20}]})
        race = await client.watch(rid)
        await race.until(lambda race: 1 in race.seats and (race.seats[1].moves or 0) >= 5)
        (worker,) = await children(server.pid, "server.commands.worker", 1)
        os.kill(worker, signal.SIGKILL)
        await race.until(lambda race: race.over)

        messages.end()
        kinds = Counter([heard.k async for heard in messages if isinstance(heard, Ev)])
        assert (kinds["race.joined"], kinds["seat.back"]) == (1, 1)
        assert race.standings is not None
        assert race.standings[0]["status"] in ("won", "done")
        assert await server.end() == 0


async def test_children_of_a_killed_server_go_by_themselves(tmp_path: Path) -> None:
    """Neither Redis nor workers outlive a server that could not stop them."""
    async with serving(tmp_path, free_port(), bots=2) as server:
        workers = await children(server.pid, "server.commands.worker", 2)
        redis = int((tmp_path / "redis.pid").read_text())
        await server.end(signal.SIGKILL)
        await gone(*workers, redis)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_server_that_is_told_to_ends_with_its_children(number: signal.Signals, tmp_path: Path) -> None:
    """Ctrl-C and SIGTERM end everything, and the status is 0."""
    async with serving(tmp_path, free_port(), bots=1) as server:
        workers = await children(server.pid, "server.commands.worker", 1)
        redis = int((tmp_path / "redis.pid").read_text())
        assert await server.end(number) == 0
        await gone(*workers, redis)
