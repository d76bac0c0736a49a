"""Redis that does not answer, answers too late, forgets or dies: what was told stays, nothing is doubled."""

import asyncio
import os
import signal
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from engine.race import commands as ask
from engine.race.card import read_card
from engine.race.events import Recovered
from engine.race.evolve import event_in
from engine.refusals import ErrorCode
from server.races.lanes import MAX_WAITING
from server.races.tables import Tables
from server.settings import Settings
from server.store import keys
from server.store.connect import StoreUnavailable, connect
from server.store.datadir import owned
from server.store.keyring import KeyRing
from server.store.local import private_redis
from tests.server.cut import cut
from tests.server.races.conftest import CODE, Heard, NewNode, begun, join, play
from tests.server.races.wire import AppendWire, append_wire

MANY = 1_000


@pytest.fixture
async def wired(redis_url: str, new_node: NewNode) -> AsyncIterator[tuple[AppendWire, Tables]]:
    """A node, soon to give up, whose wire to Redis loses appends."""
    async with append_wire(redis_url) as (wire, url):
        yield wire, await new_node(url, give_up_ms=300)


async def test_one_lost_reply_is_not_noticed(wired: tuple[AppendWire, Tables]) -> None:
    """A reply that is lost once is found out: the play is accepted as its own, and is in the log once."""
    wire, node = wired
    table = await begun(node, "ann", "bob")
    wire.replies_to_lose = 1
    answer = await play(node, table, "ann", "d")
    assert (answer.ok, answer.dup, answer.lane) == (True, False, 1)
    assert answer.seq == len(await node.log.read(table.rid))


@pytest.mark.parametrize("lost", ["replies_to_lose", "requests_to_lose"])
async def test_unavailable_and_again(wired: tuple[AppendWire, Tables], other: Tables, lost: str) -> None:
    """What cannot be found out is `unavailable`; the same again is accepted, a repeat if it had gone in."""
    wire, node = wired
    table = await begun(node, "ann", "bob")
    before = len(await node.log.read(table.rid))
    setattr(wire, lost, MANY)
    answer = await play(node, table, "ann", "d")
    assert (answer.ok, answer.code) == (False, ErrorCode.UNAVAILABLE)
    assert answer.retry_ms is not None
    setattr(wire, lost, 0)
    again = await play(node, table, "ann", "d", n=1)
    assert (again.ok, again.dup, again.lane) == (True, lost == "replies_to_lose", 1)
    assert len(await node.log.read(table.rid)) == before + 1
    elsewhere = await other.table(table.rid)
    assert elsewhere.race == table.race


async def test_another_word_after_unavailable(wired: tuple[AppendWire, Tables]) -> None:
    """Whoever changes their mind after `unavailable` is told where the lane is: the first word had gone in."""
    wire, node = wired
    table = await begun(node, "ann", "bob")
    wire.replies_to_lose = MANY
    await play(node, table, "ann", "d")
    wire.replies_to_lose = 0
    stale = await table.ask(ask.Play("ann", 1, "5", node.clock.now()))
    assert (stale.code, stale.lane) == (ErrorCode.STALE_LANE, 1)


async def test_creation_with_lost_replies(wired: tuple[AppendWire, Tables], redis: Redis) -> None:
    """A race whose creation was in doubt is found by its key, and its bots are asked for all the same."""
    wire, node = wired
    card = read_card({"code": CODE, "bots": [{"bot": "solver"}]})
    wire.replies_to_lose = MANY
    with pytest.raises(StoreUnavailable):
        await node.offers.create(card, "host", "key")
    assert await redis.xlen(keys.WANTED) == 0
    wire.replies_to_lose = 0
    table = await node.offers.create(card, "host", "key")
    assert table.race.seq == 1
    await node.offers.create(card, "host", "key")
    assert await redis.xlen(keys.WANTED) == 1


async def test_busy(wired: tuple[AppendWire, Tables]) -> None:
    """When a thousand commands wait for one lane, one more is told to come again; the thousand are answered."""
    wire, node = wired
    table = await begun(node, "ann", "bob")
    now = node.clock.now()
    wire.flowing.clear()
    wire.arrived.clear()
    first = asyncio.create_task(play(node, table, "ann", "d"))
    await wire.arrived.wait()
    waiting = [asyncio.create_task(table.ask(ask.Play("ann", 1, "d", now))) for _ in range(MAX_WAITING)]
    await asyncio.sleep(0)
    busy = await table.ask(ask.Play("ann", 1, "d", now))
    assert (busy.ok, busy.code) == (False, ErrorCode.BUSY)
    assert busy.retry_ms is not None
    wire.flowing.set()
    assert (await first).ok
    assert all(answer.dup for answer in await asyncio.gather(*waiting))


async def test_together_while_one_is_under_way(wired: tuple[AppendWire, Tables]) -> None:
    """Plays that come while an append of their seat is in flight are the next append, all of them."""
    wire, node = wired
    table = await begun(node, "ann", "bob")
    now = node.clock.now()
    wire.flowing.clear()
    wire.arrived.clear()
    before = wire.appends
    plays = [asyncio.create_task(table.ask(ask.Play("ann", 1, "d", now)))]
    await wire.arrived.wait()
    for n, word in enumerate(("5", "2", "d", "7", "1"), 2):
        plays.append(asyncio.create_task(table.ask(ask.Play("ann", n, word, now))))
    await asyncio.sleep(0)
    wire.flowing.set()
    assert [answer.lane for answer in await asyncio.gather(*plays)] == [1, 2, 3, 4, 5, 6]
    assert wire.appends == before + 2


async def test_stopped_in_flight(new_node: NewNode, redis_url: str, ring: KeyRing, redis: Redis) -> None:
    """A node that is stopped lets what is under way end: the answer comes, the entry is there."""
    async with append_wire(redis_url) as (wire, url):
        client = connect(url)
        async with Tables(Settings(), client, ring) as node:
            table = await begun(node, "ann", "bob")
            wire.flowing.clear()
            wire.arrived.clear()
            under_way = asyncio.create_task(play(node, table, "ann", "d"))
            await wire.arrived.wait()
            asyncio.get_running_loop().call_soon(wire.flowing.set)
        assert (await under_way).ok
        assert (await play(node, table, "ann", "5")).code is ErrorCode.UNAVAILABLE
        await client.aclose()
    survivor = await (await new_node()).table(table.rid)
    assert survivor.race.seats[1].words == ("d",)


async def test_forgotten(node: Tables, redis: Redis) -> None:
    """When a log is gone, whoever follows is told; the race is unknown then, and can be created anew."""
    heard = Heard()
    table = await begun(node, "ann", "bob")
    table.follow(heard)
    await redis.delete(keys.race_log(table.rid))
    answer = await play(node, table, "ann", "d")
    assert answer.code is ErrorCode.UNKNOWN_RACE
    assert [race.card for race in heard.resets] == [None]
    assert not (await node.offers.create(read_card({"code": CODE}), "host", "key")).race.seats
    table.unfollow(heard)


async def test_another_history(node: Tables, other: Tables, redis: Redis) -> None:
    """When history is replaced, the fold is read anew, listeners are shown it, and play goes on from there."""
    heard = Heard()
    table = await begun(node, "ann", "bob")
    table.follow(heard)
    await play(node, table, "ann", "d", "5", "2")
    await cut(redis, table.rid, -2)
    elsewhere = await other.table(table.rid)
    await play(other, elsewhere, "ann", "u")
    stale = await play(node, table, "ann", "1")
    assert (stale.code, stale.lane) == (ErrorCode.STALE_LANE, 2)
    assert len(heard.resets) == 1
    assert heard.resets[0].seats[1].words == ("d", "u")
    assert (await play(node, table, "ann", "d")).lane == 3
    assert [after.seq for _, _, after in heard.entries][-1] == table.race.seq
    assert await elsewhere.fresh() == await table.fresh()
    table.unfollow(heard)


async def test_loss_is_noted_once(node: Tables, other: Tables, redis: Redis) -> None:
    """Nodes that find confirmed history gone say so in the log, once: what had been confirmed last."""
    table = await begun(node, "ann", "bob")
    elsewhere = await other.table(table.rid)
    confirmed = await play(node, table, "ann", "d", "5")
    await elsewhere.fresh()
    await cut(redis, table.rid, -1)
    await asyncio.gather(table.fresh(), elsewhere.fresh())
    await asyncio.gather(join(table, "ann"), join(elsewhere, "ann"))  # Their turn comes after the note's.
    events = [event_in(entry) for entry in await node.log.read(table.rid)]
    assert [event for event in events if isinstance(event, Recovered)] == [Recovered(confirmed.seq, confirmed.h)]
    assert await table.fresh() == await elsewhere.fresh()
    assert table.race.seats[1].words == ("d",)


async def test_loss_is_noted_once_redis_can_be_written_to(new_node: NewNode, redis: Redis) -> None:
    """A loss that is found while Redis takes no writes, as one without its replicas, is noted as soon as it does."""
    node = await new_node(give_up_ms=100)
    table = await begun(node, "ann", "bob")
    confirmed = await play(node, table, "ann", "d", "5")
    await cut(redis, table.rid, -1)
    await redis.config_set("min-replicas-to-write", 1)
    try:
        await table.fresh()
        assert (await join(table, "ann")).code is ErrorCode.UNAVAILABLE
        assert not table.idle
    finally:
        await redis.config_set("min-replicas-to-write", 0)
    while not table.idle:
        await table.fresh()
    events = [event_in(entry) for entry in await node.log.read(table.rid)]
    assert [event for event in events if isinstance(event, Recovered)] == [Recovered(confirmed.seq, confirmed.h)]


async def test_redis_killed(ring: KeyRing) -> None:
    """After kill -9 of Redis in mid-race everything confirmed is there, and play goes on where it was."""
    with tempfile.TemporaryDirectory(prefix="fairdeal-data-") as folder, owned(Path(folder)) as data:
        async with private_redis(data) as url:
            client = connect(url)
            async with Tables(Settings(), client, ring) as node:
                table = await begun(node, "ann", "bob")
                confirmed = await play(node, table, "ann", "d", "5")
                os.kill(int((Path(folder) / "redis.pid").read_text()), signal.SIGKILL)
                answer = await play(node, table, "ann", "2", n=3)
                while answer.code is ErrorCode.UNAVAILABLE:
                    answer = await play(node, table, "ann", "2", n=3)
                assert (answer.ok, answer.lane) == (True, 3)
                entries = await node.log.read(table.rid)
                assert entries[confirmed.seq - 1].h == confirmed.h
                assert len(entries) == confirmed.seq + 1
            await client.aclose()


async def test_redis_asleep(redis: Redis, new_node: NewNode, redis_url: str) -> None:
    """An append that Redis carries out only when it wakes, after it was given up, is a repeat for whoever asks."""
    node = await new_node(give_up_ms=300)
    table = await begun(node, "ann", "bob")
    pid = (await redis.info("server"))["process_id"]
    os.kill(pid, signal.SIGSTOP)
    try:
        answer = await play(node, table, "ann", "d")
    finally:
        os.kill(pid, signal.SIGCONT)
    assert answer.code is ErrorCode.UNAVAILABLE
    again = await play(node, table, "ann", "d", n=1)
    while again.code is ErrorCode.UNAVAILABLE:
        again = await play(node, table, "ann", "d", n=1)
    assert (again.ok, again.lane) == (True, 1)
    assert (await join(table, "ann")).dup
    assert sum(entry.lane == "1" for entry in await node.log.read(table.rid)) == 1
