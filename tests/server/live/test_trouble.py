"""Redis in trouble: every command is answered in time, what became of it is found out, and then the race goes on."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from redis.asyncio import Redis

from engine.wire import inbound
from engine.wire.outbound import Ev, Pong, Res
from server.store.connect import connect
from server.store.datadir import owned
from server.store.local import LocalRedis
from tests.journeys.proxy import Proxy
from tests.needs import needs
from tests.server.conftest import Serve
from tests.server.served import Talker

pytestmark = [pytest.mark.redis, needs("redis-server")]

CODE = "GO1-E-AAAAAAB"


class Hurt:
    """A Redis of one's own that can be hurt and healed."""

    def __init__(self, local: LocalRedis, client: Redis) -> None:
        self.local = local
        self.client = client

    async def say(self, *words: str) -> None:
        await self.client.execute_command(*words)

    async def signal(self, number: signal.Signals) -> None:
        os.kill(self.local.pid, number)

    async def again(self) -> None:
        assert self.local._process is not None
        self.local._process.wait()
        self.local.claim()
        self.local.spawn()
        self.local.await_ready()


@pytest.fixture
async def hurt(tmp_path: Path) -> AsyncIterator[Hurt]:
    with owned(tmp_path / "redis") as data:
        local = LocalRedis(data)
        client = connect(local.start())
        yield Hurt(local, client)
        await client.aclose()
        local.stop()


Step = Callable[[Hurt], Awaitable[None]]

TROUBLES: dict[str, tuple[Step, Step]] = {
    "read-only": (lambda it: it.say("REPLICAOF", "127.0.0.1", "1"), lambda it: it.say("REPLICAOF", "NO", "ONE")),
    "out of memory": (
        lambda it: it.say("CONFIG", "SET", "maxmemory", "1"),
        lambda it: it.say("CONFIG", "SET", "maxmemory", "0"),
    ),
    "without its replicas": (
        lambda it: it.say("CONFIG", "SET", "min-replicas-to-write", "1"),
        lambda it: it.say("CONFIG", "SET", "min-replicas-to-write", "0"),
    ),
    "slow to write": (lambda it: it.say("CLIENT", "PAUSE", "60000", "WRITE"), lambda it: it.say("CLIENT", "UNPAUSE")),
    "standing still": (lambda it: it.signal(signal.SIGSTOP), lambda it: it.signal(signal.SIGCONT)),
    "killed": (lambda it: it.signal(signal.SIGKILL), lambda it: it.again()),
}
HICCUPS: dict[str, Step] = {
    "scripts flushed": lambda it: it.say("SCRIPT", "FLUSH"),
    "connections cut": lambda it: it.say("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"),
}


async def played(talker: Talker, race: str, n: int, word: str) -> Res:
    """Send a play, the same again while its outcome is unknown."""
    while (res := await talker.ask(inbound.Play(race, n, word))).code == "unavailable":
        assert res.retry_ms
    return res


def told(talker: Talker) -> list[tuple[int, str]]:
    """The operations that a seat was told of, in order."""
    return [(ev.d["n"], ev.d["m"]) for ev in talker.heard if isinstance(ev, Ev) and ev.k == "seat.played"]


@pytest.mark.parametrize(("harm", "heal"), TROUBLES.values(), ids=TROUBLES.keys())
async def test_trouble_is_told_and_outlived(hurt: Hurt, serve: Serve, harm: Step, heal: Step) -> None:
    """A play is answered once as unknown, with a time to wait; the socket goes on meanwhile; then it is in once."""
    server = await serve(hurt.local.url, give_up_ms=300)
    anna = await server.talker()
    race = await server.started(anna, code=CODE)
    await anna.play(race, "d")
    await harm(hurt)
    await anna.say(inbound.Play(race, 2, "5", id="unknown"), inbound.Ping("meanwhile"))
    assert isinstance(await anna.next(), Pong)
    res = await anna.until(Res, lambda res: res.id == "unknown")
    assert (res.ok, res.code) == (False, "unavailable")
    assert res.retry_ms
    await heal(hurt)
    again = await played(anna, race, 2, "5")
    assert (again.ok, again.lane) == (True, 2)
    assert (await played(anna, race, 3, "2")).ok
    assert told(anna) == [(1, "d"), (2, "5"), (3, "2")]


@pytest.mark.parametrize("harm", HICCUPS.values(), ids=HICCUPS.keys())
async def test_hiccups_are_not_even_noticed(hurt: Hurt, serve: Serve, harm: Step) -> None:
    """What can be made good at once is made good before anybody is answered."""
    server = await serve(hurt.local.url)
    anna = await server.talker()
    race = await server.started(anna, code=CODE)
    for n, word in enumerate(["d", "5", "2"], 1):
        await harm(hurt)
        res = await anna.ask(inbound.Play(race, n, word))
        assert (res.ok, res.lane) == (True, n)
    assert told(anna) == [(1, "d"), (2, "5"), (3, "2")]


async def test_a_slow_line_delays_and_nothing_else(line: Proxy, serve: Serve) -> None:
    """With a line that takes its time, what comes meanwhile goes out together, in order, once."""
    server = await serve(line.url)
    anna = await server.talker()
    race = await server.started(anna, code=CODE)
    line.delay_s = 0.05
    await anna.play(race, "d u " * 20)
    line.heal()
    kept = [ev for ev in anna.heard if isinstance(ev, Ev) and ev.k in ("seat.played", "seat.undone")]
    assert [ev.d["n"] for ev in kept] == list(range(1, 41))


async def test_a_line_that_swallows_replies(line: Proxy, serve: Serve) -> None:
    """Redis has written and its answer is lost: the play is answered as unknown, and then as the repeat that it is."""
    server = await serve(line.url, give_up_ms=200)
    anna = await server.talker()
    race = await server.started(anna, code=CODE)
    line.swallowing = True
    unknown = await anna.ask(inbound.Play(race, 1, "d"))
    assert (unknown.ok, unknown.code) == (False, "unavailable")
    assert line.swallowed
    line.heal()
    again = await played(anna, race, 1, "d")
    assert (again.ok, again.dup, again.lane) == (True, True, 1)
    assert told(anna) == [(1, "d")]
