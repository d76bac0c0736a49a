"""Nodes that are gone without a word: their seats are said to be absent, by whoever notices."""

import asyncio

import pytest
from redis.asyncio import Redis

from engine.race import commands as ask
from server.races.presence import Presence, node_of
from server.races.table import Table
from server.races.tables import Tables, stop
from server.settings import Settings
from server.store import keys
from server.store.connect import StoreUnavailable, connect
from server.store.keyring import KeyRing
from tests.server.races.conftest import Heard, NewNode, begun, play


@pytest.fixture(autouse=True)
def quick_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leases are kept, and those of others looked at, more often than by a server."""
    monkeypatch.setattr("server.races.presence.KEPT_EACH", 750)


async def hold(node: Tables, table: Table, *players: str) -> None:
    """Hold the players' seats by connections to a node."""
    for player in players:
        assert (await table.ask(ask.MarkBack(player, node.connection()))).ok


async def test_seats_of_a_dead_node(new_node: NewNode, redis: Redis, redis_url: str, ring: KeyRing) -> None:
    """When a node is gone, another says so of its seats, and of no others; after that nothing is left of it."""
    survivor = await new_node()
    heard = Heard()
    client = connect(redis_url)
    async with Tables(Settings(), client, ring) as dead:
        table = await begun(dead, "ann", "bob", "eve")
        await hold(dead, table, "ann", "eve")
        await hold(survivor, table, "bob")
        open_race = await begun(dead, "ann", seats=2, key="open")
        await hold(dead, open_race, "ann")
        watched = await survivor.table(table.rid)
        watched.follow(heard)
        number = dead._presence.node
    await client.aclose()
    await heard.reached(table.race.seq + 2)
    assert heard.kinds[-2:] == ["seat.absent", "seat.absent"]
    assert [seat.present for seat in watched.race.seats.values()] == [False, True, False]
    while await redis.zscore(keys.NODES, str(number)) is not None:
        pass
    assert not await redis.exists(keys.node_races(number))
    assert not (await survivor.table(open_race.rid)).race.seats[1].present
    watched.unfollow(heard)


async def test_killed(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that could not say goodbye is dead when its lease has run out."""
    monkeypatch.setattr("server.races.presence.KEPT_EACH", 3)
    left: asyncio.Queue[tuple[str, int]] = asyncio.Queue()

    async def leave(rid: str, node: int) -> None:
        left.put_nowait((rid, node))

    killed, living = Presence(redis, leave, lease_ms=60), Presence(redis, leave, lease_ms=60)
    await redis.sadd(keys.node_races(killed.node), "race")
    begun_to_live = asyncio.create_task(killed.keep())
    keeping = asyncio.create_task(living.keep())
    while await redis.zcard(keys.NODES) < 2:
        pass
    await stop([begun_to_live])
    assert await left.get() == ("race", killed.node)
    await stop([keeping])
    assert left.empty()


async def test_a_long_burial(redis: Redis) -> None:
    """While the seats of a dead node are being emptied, which may take long, one's own lease is kept all the same."""
    begun, enough = asyncio.Event(), asyncio.Event()
    left: list[str] = []

    async def leave(rid: str, node: int) -> None:
        begun.set()
        await enough.wait()
        left.append(rid)

    living = Presence(redis, leave)
    await redis.sadd(keys.node_races(1), *(f"race {number}" for number in range(40)))
    await redis.zadd(keys.NODES, {"1": 1})
    keeping = asyncio.create_task(living.keep())
    await begun.wait()
    until = await redis.zscore(keys.NODES, str(living.node))
    while await redis.zscore(keys.NODES, str(living.node)) == until:
        pass
    assert left == []
    enough.set()
    while await redis.exists(keys.node_races(1)) or await redis.zscore(keys.NODES, "1") is not None:
        pass
    assert sorted(left) == sorted(f"race {number}" for number in range(40))
    await stop([keeping])


async def test_a_burial_that_fails_is_held_again(redis: Redis) -> None:
    """What could not be written of a dead node's seats is written the next time, and nothing is forgotten."""
    tries: list[str] = []

    async def leave(rid: str, node: int) -> None:
        tries.append(rid)
        if len(tries) < 3:
            raise StoreUnavailable("not yet")

    living = Presence(redis, leave)
    await redis.sadd(keys.node_races(1), "race")
    await redis.zadd(keys.NODES, {"1": 1})
    keeping = asyncio.create_task(living.keep())
    while await redis.zscore(keys.NODES, "1") is not None:
        pass
    assert tries == ["race"] * 3
    await stop([keeping])


async def test_what_is_held_is_said_again(new_node: NewNode, redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should it get lost in which races a node holds seats, the node says so anew."""
    monkeypatch.setattr("server.races.presence.SAY_AGAIN_S", 0.0)
    node = await new_node()
    table = await begun(node, "ann")
    await hold(node, table, "ann")
    races = keys.node_races(node._presence.node)
    await redis.delete(races)
    while not await redis.exists(races):
        pass
    assert await redis.smembers(races) == {table.rid.encode()}


async def test_all_cut_off(redis: Redis) -> None:
    """After a time in which nobody could keep a lease nobody is called dead before everybody could speak."""
    left: list[str] = []

    async def leave(rid: str, node: int) -> None:
        left.append(rid)

    here, there = Presence(redis, leave), Presence(redis, leave)
    await redis.sadd(keys.node_races(there.node), "race")
    await redis.zadd(keys.NODES, {str(here.node): 1, str(there.node): 1})
    args = [here.node, 10_000, 16]
    assert await here._keep(keys=[keys.NODES], args=args) == [0, []]
    assert await here._keep(keys=[keys.NODES], args=args) == [1, [str(there.node).encode()]]
    await there._keep(keys=[keys.NODES], args=[there.node, 10_000, 16])
    assert await here._keep(keys=[keys.NODES], args=args) == [1, []]
    assert left == []


async def test_forgotten_when_closed(new_node: NewNode, redis: Redis) -> None:
    """A node keeps no note of races that are closed."""
    node = await new_node()
    heard = Heard()
    table = await begun(node, "ann")
    table.follow(heard)
    await hold(node, table, "ann")
    await play(node, table, "ann", "d")
    races = keys.node_races(node._presence.node)
    assert await redis.smembers(races) == {table.rid.encode()}
    await table.ask(ask.Done("ann", node.clock.now()))
    await heard.closing()
    while await redis.exists(races):
        pass
    table.unfollow(heard)


def test_numbers(redis_url: str) -> None:
    """A connection's number tells its node, is unlike the others, and is a number that every client reads exactly."""
    client = connect(redis_url)

    async def leave(rid: str, node: int) -> None: ...

    presence = Presence(client, leave)
    numbers = {presence.connection() for _ in range(1_000)}
    assert len(numbers) == 1_000
    assert {node_of(number) for number in numbers} == {presence.node}
    assert all(0 < number < 2**53 for number in numbers)
    assert node_of(0) == node_of(97) == 0
