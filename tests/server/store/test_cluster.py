"""A cluster as one client: commands find the master of their key while slots move and masters die."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from engine.log.entry import START
from server.races.tables import stop
from server.store import keys
from server.store.append import Appended, Forked
from server.store.bell import Bell, Rung
from server.store.cluster import Cluster
from server.store.connect import StoreUnavailable, connect
from server.store.log import Durability, Log, races_logged
from server.store.notice import Notice
from server.store.slots import slot_of_key
from tests.cluster import ClusterUp
from tests.needs import needs
from tests.server.store.conftest import RID, heard, sealed

pytestmark = [
    pytest.mark.redis,
    needs("redis-server"),
    pytest.mark.parametrize("redis_url", ["cluster"], indirect=True),
]

NAMES = [f"name {number}" for number in range(40)]
NEVER_MS = 600_000
GET_BOTH = "return {redis.call('GET', KEYS[1]) or '', redis.call('GET', KEYS[2]) or ''}"


@pytest.fixture
async def known(client: Redis) -> Cluster:
    """A client that knows who serves which slot."""
    assert isinstance(client, Cluster)
    await client.time()
    return client


async def test_where_keys_are(client: Redis) -> None:
    """Single commands, pipelines and scripts go to all masters, and all keys of all are found."""
    get = client.register_script("return redis.call('GET', KEYS[1])")
    async with client.pipeline(transaction=False) as pipe:
        for name in NAMES:
            pipe.set(name, name)
            await get(keys=[name], client=pipe)
        replies = await pipe.execute()

    assert replies == [reply for name in NAMES for reply in (True, name.encode())]
    assert [await client.get(name) for name in NAMES] == [await get(keys=[name]) for name in NAMES]
    assert {name async for name in client.scan_iter("name *")} == {name.encode() for name in NAMES}


async def test_transactions(client: Redis) -> None:
    """What is in one slot is done as one, or not at all; what is not is refused."""
    async with client.pipeline(transaction=True) as pipe:
        pipe.set("{a}:1", 1)
        pipe.incr("{a}:1")
        assert await pipe.execute() == [True, 2]
    async with client.pipeline(transaction=True) as pipe:
        pipe.set("a", 1)
        pipe.set("b", 1)
        with pytest.raises(ValueError, match="expected the keys of a transaction in one slot, found them in 2"):
            await pipe.execute()


async def test_an_error_is_its_own_commands_only(client: Redis) -> None:
    """The others of a pipeline are carried out; the error is raised, or stands in its place."""
    async with client.pipeline(transaction=False) as pipe:
        pipe.set("a", "word")
        pipe.incr("a")
        pipe.set("b", 1)
        replies = await pipe.execute(raise_on_error=False)
        pipe.incr("a")
        with pytest.raises(ResponseError, match="not an integer"):
            await pipe.execute()

    assert (replies[0], type(replies[1]), replies[2]) == (True, ResponseError, True)


async def test_a_slot_on_its_way(known: Cluster, cluster: ClusterUp) -> None:
    """Keys that have gone ahead, that are still there, and new ones are found, alone and in pipelines, each once."""
    both = known.register_script(GET_BOTH)
    for name in ("{x}:gone", "{x}:here"):
        await known.set(name, 1)
    move = cluster.begin_move("{x}")
    move.carry("{x}:gone")
    try:
        assert [await known.incr(f"{{x}}:{name}") for name in ("gone", "here", "new")] == [2, 2, 1]
        async with known.pipeline(transaction=False) as pipe:
            for name in ("gone", "here", "new"):
                pipe.incr(f"{{x}}:{name}")
            assert await pipe.execute() == [3, 3, 2]
        async with known.pipeline(transaction=True) as pipe:
            pipe.incr("{x}:gone")
            pipe.incr("{x}:new")
            assert await pipe.execute() == [4, 3]
        # Half here and half there nobody can carry it out (TRYAGAIN), until both are there.
        waiting = asyncio.create_task(both(keys=["{x}:gone", "{x}:here"]))
        await asyncio.sleep(0)
        move.carry("{x}:here")
        assert await waiting == [b"4", b"3"]
    finally:
        move.end()

    assert await both(keys=["{x}:gone", "{x}:new"]) == [b"4", b"3"]
    assert known.masters.owner(slot_of_key("{x}")) in await known.masters.all()
    assert move.target.client.exists("{x}:gone", "{x}:here", "{x}:new") == 3


@asynccontextmanager
async def appending(log: Log) -> AsyncIterator[list[Appended]]:
    """Append to a race for the length of a block without a pause; what could not be found out is read first."""
    seen: list[Appended] = []

    async def append() -> None:
        cursor = START
        while True:
            try:
                outcome = await log.append(RID, cursor, "*", sealed(str(len(seen))))
            except StoreUnavailable:
                entries = await log.read(RID)
                assert not isinstance(entries, Forked)
                cursor = entries[-1].cursor if entries else START
                continue
            assert isinstance(outcome, Appended)
            seen.append(outcome)
            cursor = outcome.entries[-1].cursor

    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(append())
        yield seen
        await more(seen)
        await stop([task])


async def more(seen: list[Appended]) -> None:
    """Wait for some more appends."""
    wanted = len(seen) + 20
    while len(seen) < wanted:  # noqa: ASYNC110 - nobody tells of an append.
        await asyncio.sleep(0.001)


async def test_appends_while_a_slot_moves(client: Redis, cluster: ClusterUp) -> None:
    """Appended to without a pause, a log moves to another master and back: each entry is in once, all are told."""
    log_key = keys.race_log(RID)
    async with Log(client, durability=Durability.REPLICA) as log:
        async with appending(log) as seen:
            for _ in range(2):
                await more(seen)
                move = await asyncio.to_thread(cluster.begin_move, log_key)
                await more(seen)
                await asyncio.to_thread(move.carry, log_key)
                await more(seen)
                await asyncio.to_thread(move.end)
        entries = await log.read(RID)

    assert not isinstance(entries, Forked)
    told = tuple(entry for outcome in seen for entry in outcome.entries)
    assert told == entries[: len(told)]  # The last one was perhaps not told any more.
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    assert [rid async for rid in races_logged(client)] == [RID]


async def test_appends_while_a_master_fails(redis_url: str, redis: Redis, cluster: ClusterUp) -> None:
    """A master hands over, then its successor is killed: nothing that was told is lost, and appends go on.

    Whoever comes meanwhile and knows the dead one and another finds out who has taken its place.
    """
    client = connect(redis_url, timeout_ms=500)
    async with Log(client, durability=Durability.REPLICA, timeout_ms=500, give_up_ms=20_000) as log:
        async with appending(log) as seen:
            await more(seen)
            successor = await asyncio.to_thread(cluster.hand_over, cluster.master_of(keys.race_log(RID)))
            await more(seen)
            await asyncio.to_thread(cluster.lose, successor)
            other = cluster.other_master(successor)
            async with connect(f"redis+cluster://127.0.0.1:{successor.port},127.0.0.1:{other.port}") as late:
                while not await _known(late, RID):
                    pass
                assert len(await late.masters.all()) == 3  # type: ignore[attr-defined]
            await asyncio.to_thread(cluster.heal)
        entries = await log.read(RID)
    await client.aclose()

    assert not isinstance(entries, Forked)
    assert {entry for outcome in seen for entry in outcome.entries} <= set(entries)
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))


async def test_the_bell_follows_a_slot(client: Redis, redis: Redis, cluster: ClusterUp) -> None:
    """Channels are sharded; when a slot has gone, who attends counts as rung, and rings come from there."""
    async with Bell(client, NEVER_MS) as mine, Bell(redis, NEVER_MS) as theirs:
        for rid in ("a", "b", "c", "d"):
            mine.attend(rid)
        assert await heard(mine, 4) == {Rung(rid, None) for rid in "abcd"}
        source = cluster.master_of("{a}")
        assert source.client.execute_command("PUBSUB", "SHARDCHANNELS", keys.race_bell("a")) == [
            keys.race_bell("a").encode()
        ]

        await asyncio.to_thread(cluster.begin_move("{a}").end)

        assert await heard(mine, 1) == {Rung("a", None)}
        await redis.exists(keys.race_log("a"))  # As after an append: it knows where the slot is.
        for seq, rid in enumerate("abcd", 1):
            theirs.ring(rid, Notice(seq))
        assert await heard(mine, 4) == {Rung(rid, seq) for seq, rid in enumerate("abcd", 1)}


async def test_the_bell_leaves_a_master_that_is_gone(client: Redis, redis: Redis, cluster: ClusterUp) -> None:
    """When another has taken a dead master's place, its races are heard and rung there; nobody tries the old one."""
    races = {cluster.master_of(f"{{{number}}}"): f"{number}" for number in range(20)}
    async with Bell(client, NEVER_MS) as mine, Bell(redis, NEVER_MS) as theirs:
        for seq, rid in enumerate(races.values(), 1):
            mine.attend(rid)
            assert await heard(mine, 1) == {Rung(rid, None)}
            await redis.exists(keys.race_log(rid))
            theirs.ring(rid, Notice(seq))
            assert await heard(mine, 1) == {Rung(rid, seq)}
        assert _lines() == {"bell hear": 6, "bell ring": 6}
        dead, rid = next(iter(races.items()))
        try:
            await asyncio.to_thread(cluster.lose, dead)
            while rid not in {rung.rid for rung in await heard(mine, 1)}:
                pass
            while not await _known(redis, rid):
                pass
            theirs.ring(rid, Notice(9))
            while Rung(rid, 9) not in await heard(mine, 1):
                pass
            while _lines() != {"bell hear": 6, "bell ring": 6}:  # noqa: ASYNC110 - nobody tells of a line that has ended.
                await asyncio.sleep(0.01)
        finally:
            await asyncio.to_thread(cluster.heal)


async def _known(client: Redis, rid: str) -> bool:
    """Tell whether a client knows who has a race's log by now, as it does after an append."""
    try:
        await client.exists(keys.race_log(rid))
    except RedisError:
        return False
    return True


def _lines() -> Counter[str]:
    """How many tasks hold lines of bells."""
    names = (task.get_name() for task in asyncio.all_tasks())
    return Counter(name for name in names if name in ("bell hear", "bell ring"))
