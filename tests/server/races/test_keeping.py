"""Races that are over go into the archive: whole, once, and found there as they were found before."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from engine.log.entry import START
from engine.race import commands as ask
from engine.race.model import Race
from engine.race.views import PUBLIC, snap_for
from engine.refusals import ErrorCode
from engine.replay.verify import verify
from server.races import keeping
from server.races.tables import Tables, UnknownRace
from server.settings import Settings
from server.store import keys
from server.store.append import Forked
from server.store.archive import FolderArchive, open_folder
from server.store.connect import StoreUnavailable, connect
from server.store.keyring import KeyRing
from server.store.log import LogError
from server.store.timers import Timers
from tests.server.races.conftest import WINNING, begun, join, play

pytestmark = pytest.mark.usefixtures("archived_soon")

NewNode = Callable[[], Awaitable[Tables]]


class Died(BaseException):
    """The process is gone."""


@pytest.fixture
async def new_node(redis_url: str, redis: Redis, ring: KeyRing, archive: FolderArchive) -> Any:
    """Opens nodes that share a Redis and an archive."""
    async with AsyncExitStack() as stack:

        async def open_node(kept: FolderArchive = archive) -> Tables:
            client = connect(redis_url)
            stack.push_async_callback(client.aclose)
            tables = await stack.enter_async_context(Tables(Settings(), client, ring, kept))
            tables._due._timers._lease_ms = 100
            return tables

        yield open_node


async def finished(node: Tables, **card: Any) -> Race:
    """A race that Ann has won and Bob has resigned, closed."""
    table = await begun(node, "ann", "bob", **card)
    await play(node, table, "ann", *WINNING)
    await table.ask(ask.Resign("bob", node.clock.now()))
    await table.ask(ask.Tick(node.clock.now()))
    assert table.race.closed
    return table.race


async def gone(redis: Redis, rid: str) -> None:
    """Wait until a race's log and its timer are gone."""
    while await redis.exists(keys.race_log(rid)) or await Timers(redis).due_ms(rid) is not None:
        pass


async def test_every_race_ends_in_the_archive(new_node: NewNode, redis: Redis, archive: FolderArchive) -> None:
    """A closed race, won or called off, becomes a verified file; then its log and timer go, and nothing is left."""
    node = await new_node()
    won = await finished(node)
    off = await node.offers.create(won.card, "host", "another")  # type: ignore[arg-type]
    assert (await off.ask(ask.Cancel("host"))).ok
    for rid in (won.id, off.rid):
        await gone(redis, rid)
        verdict = verify(await archive.read(rid) or b"")
        assert (verdict.ok, verdict.race) == (True, rid)
    assert sorted([rid async for rid in archive.races()]) == sorted([won.id, off.rid])
    assert await redis.keys("race:*") == []


async def test_it_is_the_same_race(new_node: NewNode, redis: Redis) -> None:
    """Whoever asks for an archived race gets what they got before: by its id, its log, its key, its standings."""
    node = await new_node()
    race = await finished(node)
    before = await node.log.read(race.id)
    await gone(redis, race.id)
    for other in (node, await new_node()):
        table = await other.table(race.id)
        assert snap_for(table.race, PUBLIC, race.at, "watch") == snap_for(race, PUBLIC, race.at, "watch")
        assert await other.log.read(race.id) == before
        assert (await other.offers.create(race.card, "host", "key")).race == table.race  # type: ignore[arg-type]
        assert table.race == race
    with pytest.raises(UnknownRace):
        await node.table("a" * 26)


async def test_nothing_is_added(new_node: NewNode, redis: Redis) -> None:
    """What is asked of an archived race is answered as of one that is over, and its log does not come back."""
    node = await new_node()
    warm = (await node.table((await finished(node)).id)).race
    await gone(redis, warm.id)
    for other in (node, await new_node()):
        table = await other.table(warm.id)
        assert (await join(table, "ann")).dup
        assert (await join(table, "eve")).code is ErrorCode.OVER
        assert (await table.ask(ask.Play("ann", 1, WINNING[0], warm.at))).dup
        assert (await table.ask(ask.Recover(warm.seq, warm.h, 0))).code is ErrorCode.OVER
        assert (await table.ask(ask.Recover(warm.seq + 5, warm.h, 0))).code is ErrorCode.OVER
    assert await redis.keys("race:*") == []


async def test_a_node_that_slept_meanwhile(new_node: NewNode, redis: Redis) -> None:
    """A node that had folded a part of the race when it stopped finds the rest in the file."""
    node, sleeper = await new_node(), await new_node()
    table = await begun(node, "ann", "bob")
    asleep = await sleeper.table(table.rid)
    began = asleep.race
    await finished_here(node, table.rid)
    await gone(redis, table.rid)
    asleep.race = began
    assert (await asleep.ask(ask.Play("bob", 1, "d", began.at))).code is ErrorCode.OVER
    assert asleep.race == table.race
    assert (await asleep.ask(ask.Play("ann", 1, WINNING[0], began.at))).dup


async def finished_here(node: Tables, rid: str) -> None:
    table = await node.table(rid)
    await play(node, table, "ann", *WINNING)
    await table.ask(ask.Resign("bob", node.clock.now()))
    await table.ask(ask.Tick(node.clock.now()))


@pytest.mark.parametrize("step", ["read", "written", "incoming", "in its place", "read back", "expires"])
async def test_killed_between_steps(
    new_node: NewNode,
    redis: Redis,
    archive: FolderArchive,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
) -> None:
    """A node that dies after any step loses and doubles nothing: another does the rest, and the file is the same."""
    node = await new_node()
    monkeypatch.setattr(node._due, "_fire", lambda lease: node.clock.sync())  # This node does nothing by its timers.
    race = await finished(node)
    dying = keeping.Keeping(node.log, node.clock, node.secrets, node.records, node.metrics)

    async def die(*_: Any) -> None:
        raise Died

    match step:
        case "read":
            monkeypatch.setattr(dying, "_written", lambda *_: (_ for _ in ()).throw(Died()))
        case "written":
            monkeypatch.setattr(archive, "write", die)
        case "incoming":
            (archive.root / ".incoming" / f"{race.id}.left").write_bytes(b"half of it")
            monkeypatch.setattr(archive, "write", die)
        case "in its place":
            true_write = archive.write

            async def write(rid: str, data: bytes) -> None:
                await true_write(rid, data)
                raise Died

            monkeypatch.setattr(archive, "write", write)
        case "read back":
            monkeypatch.setattr(node.log, "expire", die)
        case "expires":
            true_expire = node.log.expire

            async def expire(rid: str, keep_ms: int) -> bool:
                await true_expire(rid, keep_ms)
                raise Died

            monkeypatch.setattr(node.log, "expire", expire)
    with pytest.raises(Died):
        await dying.look_after(race)
    other = await new_node(open_folder(tmp_path / "archive"))
    await Timers(redis).put(race.id, other.clock.now())
    await gone(redis, race.id)
    assert [rid async for rid in archive.races()] == [race.id]
    assert verify(await archive.read(race.id) or b"").standings == list(
        snap_for(race, PUBLIC, race.at, "watch").standings or ()
    )
    assert (await other.table(race.id)).race == race


async def test_bytes_are_those_of_any_node(new_node: NewNode) -> None:
    """Whichever node archives a race writes the same bytes."""
    node = await new_node()
    race = await finished(node)
    entries = await node.log.read(race.id)
    assert not isinstance(entries, Forked)
    one, other = (its._keeping._written(race.id, entries) for its in (node, await new_node()))
    assert one == other


async def test_where_both_are_the_file_is_right(new_node: NewNode, redis: Redis, archive: FolderArchive) -> None:
    """A log that a failover has brought back half does not count where there is a file, and it goes."""
    node = await new_node()
    race = await finished(node)
    log = await redis.xrange(keys.race_log(race.id))
    await gone(redis, race.id)
    for at, fields in log[:9]:
        await redis.xadd(keys.race_log(race.id), fields, at)
    other = await new_node()
    assert (await other.table(race.id)).race == race
    assert (await (await node.table(race.id)).fresh()) == race
    await Timers(redis).put(race.id, node.clock.now())
    await gone(redis, race.id)


async def test_a_damaged_file_is_written_anew(new_node: NewNode, redis: Redis, archive: FolderArchive) -> None:
    """While the log is there a file that does not verify is replaced; without a log the fault is told, not hidden."""
    node = await new_node()
    monkeypatch = pytest.MonkeyPatch()
    with monkeypatch.context() as patched:
        patched.setattr(node._due, "_fire", lambda lease: node.clock.sync())
        race = await finished(node)
    whole = node._keeping._written(race.id, await node.log.read(race.id))  # type: ignore[arg-type]
    await archive.write(race.id, whole[:-1])
    other = await new_node()
    assert (await other.table(race.id)).race == race
    await Timers(redis).put(race.id, node.clock.now())
    await gone(redis, race.id)
    assert await archive.read(race.id) == whole
    await archive.write(race.id, whole[:-1])
    with pytest.raises(LogError, match="expected a whole replay file"):
        await (await new_node()).table(race.id)
    with pytest.raises(LogError):
        await (await new_node()).offers.create(race.card, "host", "key")  # type: ignore[arg-type]


async def test_an_archive_that_cannot_be_written(
    new_node: NewNode, redis: Redis, archive: FolderArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the disk is full the log stays, and the race is found; once there is room it is archived."""
    node = await new_node()
    tried = []

    async def full(rid: str, data: bytes) -> None:
        tried.append(rid)
        raise StoreUnavailable("the archive: no space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(archive, "write", full)
        race = await finished(node)
        while len(tried) < 2:
            await node.clock.sync()
    assert await node.log.read(race.id, START) == await node.log.stream(race.id, START)
    await gone(redis, race.id)
    assert (await node.table(race.id)).race == race
