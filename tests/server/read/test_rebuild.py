"""What spans races can be made anew: from archive and logs it is, to the byte, what live operation gave."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgspec.structs import replace
from redis.asyncio import Redis

from engine.race import commands as ask
from engine.race.card import read_card
from engine.ratings import Rating, pool_name
from server.races.secrets import RaceSecrets
from server.races.tables import Tables
from server.read.rebuild import PROJECTIONS, rebuild
from server.settings import Settings
from server.store import keys
from server.store.archive import FolderArchive
from server.store.connect import connect
from server.store.datadir import StartRefused
from server.store.keyring import KeyRing, new_key_ring
from server.store.rulings import Act, Ruling
from server.store.timers import Timers
from tests.server.races.conftest import CODE, WINNING, join, play, ready

pytestmark = pytest.mark.usefixtures("archived_soon")

POOL = pool_name("GO1-E")


@pytest.fixture
async def node(redis_url: str, redis: Redis, archive: FolderArchive) -> AsyncIterator[Tables]:
    ring: KeyRing = new_key_ring()
    client = connect(redis_url)
    async with Tables(Settings(), client, ring, archive) as node:
        node._due._timers._lease_ms = 100
        yield node
    await client.aclose()


async def projections(redis: Redis) -> dict[str, Any]:
    """All keys that can be made anew, and what they hold."""
    found: dict[str, Any] = {}
    for pattern in PROJECTIONS:
        for key in await redis.keys(pattern):
            name = key.decode()
            match await redis.type(key):
                case b"hash":
                    found[name] = await redis.hgetall(key)
                case b"zset":
                    found[name] = await redis.zrange(key, 0, -1, withscores=True)
                case b"set":
                    found[name] = await redis.smembers(key)
    return found


async def raced(node: Tables, *players: str, key: str, rated: bool = False, **card: Any) -> str:
    """A race whose first player wins and whose others resign."""
    terms = {"code": CODE, **card, "seats": len(players)}
    table = await node.offers.create(replace(read_card(terms), rated=rated), "host", key)
    for player in players:
        assert (await join(table, player)).ok
    for player in players:
        assert (await ready(table, player)).ok
    await play(node, table, players[0], *WINNING)
    for player in players[1:]:
        await table.ask(ask.Resign(player, node.clock.now()))
    await table.ask(ask.Tick(node.clock.now()))
    assert table.race.closed
    return table.rid


async def recorded(node: Tables, redis: Redis, *rids: str) -> None:
    """Wait until these races are archived, their results and the lobby written."""
    for rid in rids:
        while await redis.exists(keys.race_log(rid)) or await Timers(redis).due_ms(rid) is not None:
            pass
    while node._tasks or node.lobby._noted:
        await node.clock.sync()


async def test_rebuilt_to_the_byte(node: Tables, redis: Redis) -> None:
    """Lobby, results, best results and ratings are the same from archive and logs as they became live."""
    for player in ("ann", "bob", "cat"):
        await node.records.accounts.claim(player, player.title())
    rids = [
        await raced(node, *players, key=f"{number}", rated=True)
        for number, players in enumerate(
            [("ann", "bob"), ("bob", "cat"), ("ann", "bob"), ("ann", "guest"), ("cat", "ann")]
        )
    ]
    rids.append(await raced(node, "ann", "guest", key="open"))
    rids.append(await raced(node, "ann", "bob", key="private", listed=False))
    cancelled = await node.offers.create(read_card({"code": CODE}), "host", "cancelled")
    assert (await cancelled.ask(ask.Cancel("host"))).ok
    await recorded(node, redis, *rids, cancelled.rid)
    running = await node.offers.create(read_card({"game": "GO1-C"}), "host", "running")
    await join(running, "ann")
    await recorded(node, redis)
    live = await projections(redis)
    ratings = {player: await node.records.ratings.rating(player, POOL) for player in ("ann", "bob", "cat")}
    assert [rating.races for rating in ratings.values()] == [3, 3, 2]
    assert await node.records.ratings.rating("guest", POOL) == Rating()
    await redis.zadd(keys.results_on(CODE), {"x" * 26: 1})
    made = await rebuild(redis, node.log, node.secrets)
    assert (made.archived, made.live, made.counted, made.damaged) == (8, 1, 9, ())
    await recorded(node, redis)
    assert await projections(redis) == live
    assert {player: await node.records.ratings.rating(player, POOL) for player in ratings} == ratings
    listed = [rid for rid, _ in await node.records.results.on_code(CODE, 0, 100)]
    assert sorted(listed) == sorted(rids[:6])
    assert [rid for rid, _ in await node.records.results.of_player("guest", 0, 100)] == [rids[5], rids[3]]
    assert len(await node.records.results.best(CODE, 100)) == 12


async def test_a_race_ruled_void_counts_nowhere(node: Tables, redis: Redis) -> None:
    """A race that an admin has ruled void leaves lists and ratings, now and when they are made anew, until restored."""
    for player in ("ann", "bob"):
        await node.records.accounts.claim(player, player.title())
    first = await raced(node, "ann", "bob", key="1", rated=True)
    await recorded(node, redis, first)
    without = await projections(redis)
    second = await raced(node, "bob", "ann", key="2", rated=True)
    await recorded(node, redis, second)
    both = await projections(redis)
    race = (await node.table(second)).race
    for act, expected in ((Act.VOID, without), (Act.RESTORE, both), (Act.VOID, without)):
        await node.records.rulings.rule(Ruling(act, "admin", "collusion", race=second))
        for _ in range(2):
            await node.records.record(race)
            assert {name: value for name, value in (await projections(redis)).items() if "lobby" not in name} == {
                name: value for name, value in expected.items() if "lobby" not in name
            }
            await rebuild(redis, node.log, node.secrets)


async def test_damaged_files_are_named(node: Tables, redis: Redis, archive: FolderArchive) -> None:
    """A file that cannot be read is named, and all others count."""
    rids = [await raced(node, "ann", "bob", key=key) for key in "ab"]
    await recorded(node, redis, *rids)
    await archive.write(rids[0], b"no replay")
    node.log._remembered.clear()
    made = await rebuild(redis, node.log, node.secrets)
    assert (made.counted, made.damaged) == (1, (rids[0],))
    assert [rid for rid, _ in await node.records.results.on_code(CODE, 0, 9)] == [rids[1]]


async def test_timers_are_set_anew(node: Tables, redis: Redis) -> None:
    """A race whose timer is lost gets one, and is looked after: at its deadline, or into the archive."""
    table = await node.offers.create(read_card({"code": CODE}), "host", "open")
    await Timers(redis).remove(table.rid)
    await rebuild(redis, node.log, node.secrets)
    while await Timers(redis).due_ms(table.rid) != table.race.due():
        pass


async def test_another_key_ring_takes_nothing_away(node: Tables, redis: Redis) -> None:
    """With a ring that opens no race nothing is dropped, and the key that is missing is named."""
    await recorded(node, redis, await raced(node, "ann", "bob", key="open"))
    live = await projections(redis)
    with pytest.raises(StartRefused, match=r"No race can be read, so all is left as it is.*expected key"):
        await rebuild(redis, node.log, RaceSecrets(new_key_ring()))
    assert await projections(redis) == live
