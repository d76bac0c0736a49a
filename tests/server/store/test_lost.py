"""Connections that break: no append is written twice, none is guessed, and waiting has an end."""

import asyncio
import signal
from collections.abc import AsyncIterator
from os import kill
from pathlib import Path

import pytest
from redis.asyncio import Redis

from engine.log.chain import check_chain
from engine.log.entry import START, Cursor
from server.store import keys
from server.store.append import Appended, Behind, TooLate
from server.store.connect import StoreUnavailable, connect
from server.store.datadir import owned
from server.store.local import LocalRedis
from server.store.log import Durability, Log
from tests.needs import needs
from tests.server.store.conftest import RID, SALT, sealed
from tests.server.store.wire import Wire, wire_to


@pytest.fixture
async def wired(redis_url: str, redis: Redis) -> AsyncIterator[tuple[Wire, Log]]:
    """A log whose wire to Redis can be cut."""
    async with wire_to(redis_url) as (wire, url):
        client = connect(url)
        async with Log(client) as log:
            yield wire, log
        await client.aclose()


async def start(log: Log) -> Cursor:
    outcome = await log.append(RID, START, "*", sealed("start"))
    assert isinstance(outcome, Appended)
    return outcome.entries[-1].cursor


@pytest.mark.parametrize("lane", ["*", "1"])
async def test_lost_reply_is_found_out(wired: tuple[Wire, Log], other: Log, lane: str) -> None:
    """When the reply is lost, the append is told with its own entries and is in the log once."""
    wire, log = wired
    seen = await start(log)
    wire.cut_reply = True

    outcome = await log.append(RID, seen, lane, sealed("a", "b"))

    assert wire.cuts == 1
    assert isinstance(outcome, Appended)
    assert outcome.seq_before == 1
    assert await other.read(RID, seen) == outcome.entries


@pytest.mark.parametrize("lane", ["*", "1"])
async def test_lost_request_is_sent_again(wired: tuple[Wire, Log], other: Log, lane: str) -> None:
    """When the connection breaks before Redis has the append, it is in after all, once."""
    wire, log = wired
    seen = await start(log)
    wire.cut_request = True

    outcome = await log.append(RID, seen, lane, sealed("a", "b"))

    assert wire.cuts == 1
    assert isinstance(outcome, Appended)
    assert await other.read(RID, seen) == outcome.entries


async def test_own_entries_are_found_among_those_of_others(wired: tuple[Wire, Log], other: Log) -> None:
    """Entries of other seats before and after one's own are no obstacle; the later ones are left to be read."""
    wire, log = wired
    seen = await start(log)
    before = await other.append(RID, seen, "2", sealed(*(str(number) for number in range(255))))
    assert isinstance(before, Appended)

    async def go_on() -> None:
        own = await other.read(RID, before.entries[-1].cursor)
        assert isinstance(own, tuple)
        await other.append(RID, own[-1].cursor, "3", sealed("later"))

    wire.cut_reply, wire.before_cut = True, go_on

    outcome = await log.append(RID, seen, "1", sealed("a", "b", "c"))

    assert isinstance(outcome, Appended)
    assert outcome.missed == before.entries
    assert (outcome.seq_before, [entry.seq for entry in outcome.entries]) == (256, [257, 258, 259])
    entries = await other.read(RID)
    assert isinstance(entries, tuple)
    assert entries[256:259] == outcome.entries
    assert len(entries) == 260


async def test_window_that_has_closed_meanwhile_does_not_hide_an_append(wired: tuple[Wire, Log], redis: Redis) -> None:
    """An append that went in just in time is told as such, though its repetition comes too late."""
    wire, log = wired
    seen = await start(log)
    until = await log.now() + 200

    async def let_time_pass() -> None:
        # An entry of another seat far in the future stands for the time that passes.
        h = (await redis.xrevrange(keys.race_log(RID), count=1))[0][1][b"h"]
        late = {"h": h, "a": until + 1, "l": "2", "b": b"x"}
        await redis.xadd(keys.race_log(RID), late, id="3-0")  # type: ignore[arg-type]

    wire.cut_reply, wire.before_cut = True, let_time_pass

    outcome = await log.append(RID, seen, "1", sealed("a"), until_ms=until)

    assert isinstance(outcome, Appended)
    assert outcome.entries[0].at < until
    assert isinstance(await log.append(RID, outcome.entries[0].cursor, "1", sealed("b"), until_ms=until), TooLate)


OTHERS = {
    "another move": (["x"], False),
    "the first only": (["a"], False),
    "the first, then another": (["a", "x"], False),
    "in another order": (["b", "a"], False),
    "the very same facts": (["a", "b"], True),
}


@pytest.mark.parametrize(("words", "same"), OTHERS.values(), ids=OTHERS.keys())
async def test_entries_of_others_are_not_taken_for_ones_own(
    wired: tuple[Wire, Log], other: Log, words: list[str], same: bool
) -> None:
    """What another node wrote in that place meanwhile counts as one's own only if it is the very same facts."""
    wire, log = wired
    seen = await start(log)
    wire.cut_request = True
    theirs = await other.append(RID, seen, "1", sealed(*words))
    assert isinstance(theirs, Appended)

    outcome = await log.append(RID, seen, "1", sealed("a", "b"))

    assert wire.cuts == 1
    assert outcome == (theirs if same else Behind(theirs.entries))


async def test_equal_facts_without_a_loss_are_anothers(log: Log, other: Log) -> None:
    """When no reply was lost, equal entries are another node's, and one is behind by them."""
    seen = await start(log)
    theirs = await other.append(RID, seen, "1", sealed("a"))
    assert isinstance(theirs, Appended)

    assert await log.append(RID, seen, "1", sealed("a")) == Behind(theirs.entries)


async def test_lost_replies_of_a_whole_pipeline(wired: tuple[Wire, Log], other: Log) -> None:
    """A hundred races whose replies are lost together are each found out."""
    wire, log = wired
    rids = [f"r{number}" for number in range(100)]
    await start(log)
    wire.cut_reply = True

    outcomes = await asyncio.gather(*(log.append(rid, START, "*", sealed("a")) for rid in rids))

    assert wire.cuts == 1
    for rid, outcome in zip(rids, outcomes, strict=True):
        assert isinstance(outcome, Appended)
        assert await other.read(rid) == outcome.entries


async def test_reads_outlive_a_cut(wired: tuple[Wire, Log], other: Log) -> None:
    """A read whose reply is lost is read again."""
    wire, log = wired
    await start(log)
    wire.cut_reply = True

    assert await log.read(RID) == await other.read(RID)
    assert wire.cuts == 1


async def test_no_redis_is_unavailable_within_the_time_given() -> None:
    """Where no Redis answers, appends, reads and the time end as StoreUnavailable with a time to wait."""
    client = connect("unix:///nowhere/redis.sock")
    async with Log(client, give_up_ms=50) as log:
        for call in (log.append(RID, START, "*", sealed("a")), log.read(RID), log.now()):
            with pytest.raises(StoreUnavailable, match=r"expected an answer from Redis, found: .*nowhere") as caught:
                await call
            assert caught.value.retry_ms > 0
    await client.aclose()


async def test_cancelled_caller_disturbs_nobody(wired: tuple[Wire, Log], other: Log) -> None:
    """Who gives up waiting takes nothing from the others of the same pipeline."""
    wire, log = wired
    await start(log)
    wire.flowing.clear()
    wire.got_reply.clear()
    first = asyncio.create_task(log.append("first", START, "*", sealed("a")))
    await wire.got_reply.wait()
    waiting = [asyncio.create_task(log.append(f"r{number}", START, "*", sealed("a"))) for number in range(3)]
    await asyncio.sleep(0)  # One turn of the loop, for the three to be waiting.
    first.cancel()
    waiting[1].cancel()
    wire.flowing.set()

    outcomes = await asyncio.gather(first, *waiting, return_exceptions=True)

    assert [type(outcome) for outcome in outcomes] == [
        asyncio.CancelledError,
        Appended,
        asyncio.CancelledError,
        Appended,
    ]
    assert len(await other.read("first")) == 1  # type: ignore[arg-type]
    assert await other.read("r1") == ()


async def test_without_replicas_nothing_is_told(redis_url: str, redis: Redis, other: Log) -> None:
    """At level `replica`, an append that no replica holds is not told as done, though it is in the log."""
    client = connect(redis_url)
    async with Log(client, durability=Durability.REPLICA, timeout_ms=600, give_up_ms=50) as log:
        with pytest.raises(StoreUnavailable, match="expected 1 replicas to hold it, found 0"):
            await log.append(RID, START, "*", sealed("a"))
        with pytest.raises(StoreUnavailable, match="replicas"):
            await log.read(RID)
    await client.aclose()
    assert len(await other.read(RID)) == 1  # type: ignore[arg-type]


@pytest.mark.redis
@needs("redis-server")
async def test_a_redis_that_hangs_and_comes_back_has_it_once(tmp_path: Path) -> None:
    """An append that timed out may be carried out later: repeated, it is found, never written twice."""
    with owned(tmp_path) as data:
        server = LocalRedis(data)
        client = connect(server.start())
        try:
            async with Log(client, timeout_ms=100, give_up_ms=250) as log:
                seen = await start(log)
                kill(server.pid, signal.SIGSTOP)
                with pytest.raises(StoreUnavailable, match="within 100 ms"):
                    await log.append(RID, seen, "1", sealed("a"))
                kill(server.pid, signal.SIGCONT)
                again = await log.append(RID, seen, "1", sealed("a"))

                entries = await log.read(RID, seen)
                assert isinstance(entries, tuple)
                assert [entry.body for entry in entries] == [body for _, body in sealed("a")]
                assert again in (Behind(entries), Appended(1, (), entries))
        finally:
            kill(server.pid, signal.SIGCONT)
            await client.aclose()
            server.stop()


@pytest.mark.redis
@needs("redis-server")
async def test_kill_9_of_redis_loses_no_confirmed_append(tmp_path: Path) -> None:
    """Redis is killed while many races write: what was confirmed is there after its start, and nothing is twice."""
    confirmed: dict[str, Cursor] = {}
    enough = asyncio.Event()

    async def writes(log: Log, rid: str) -> None:
        seen, number = START, 0
        while True:
            outcome = await log.append(rid, seen, "1", sealed(f"{number}"))
            assert isinstance(outcome, Appended)
            seen, number = outcome.entries[-1].cursor, number + 1
            confirmed[rid] = seen
            if sum(cursor.seq for cursor in confirmed.values()) > 1000:
                enough.set()

    with owned(tmp_path) as data:
        server = LocalRedis(data)
        client = connect(server.start())
        async with Log(client, timeout_ms=200, give_up_ms=100) as log:
            writers = [asyncio.create_task(writes(log, f"r{number}")) for number in range(20)]
            await enough.wait()
            kill(server.pid, signal.SIGKILL)
            ends = await asyncio.gather(*writers, return_exceptions=True)
            assert {type(end) for end in ends} == {StoreUnavailable}
        await client.aclose()
        server.stop()

        client = connect(server.start())
        async with Log(client) as log:
            for rid, seen in confirmed.items():
                entries = await log.read(rid)
                assert isinstance(entries, tuple)
                check_chain(entries, SALT)
                assert entries[seen.seq - 1].cursor == seen
                assert [entry.body for entry in entries] == [
                    body for number in range(len(entries)) for _, body in sealed(f"{number}")
                ]
                assert seen.seq <= len(entries) <= seen.seq + 1
        await client.aclose()
        server.stop()
