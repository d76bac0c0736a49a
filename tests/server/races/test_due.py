"""Races that time ends: to the millisecond where they are followed, on any node where they are not."""

import asyncio

import pytest
from redis.asyncio import Redis

from engine.log.entry import LogError
from engine.race import commands as ask
from engine.race.card import read_card
from engine.race.events import FinishReason
from engine.race.model import Race, SeatEnd
from server.races.clock import Clock
from server.races.due import FIRED_AT_ONCE, Due, Looks
from server.races.table import Table
from server.races.tables import Tables, stop
from server.store import keys
from server.store.log import Log
from server.store.timers import Timers
from server.watch.metrics import Metrics
from tests.server.races.conftest import CODE, RING, Heard, NewNode, begun, join, play


@pytest.fixture(autouse=True)
def quick_timers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Timers are looked at more often than a server does."""
    monkeypatch.setattr("server.races.due.TIMERS_EVERY_S", 0.02)


async def next_body(redis: Redis, rid: str, after: int) -> bytes:
    """Wait for the next entry of a log after a seq, and return its body."""
    [[_, [(_, fields), *_]]] = await redis.xread({keys.race_log(rid): f"{after}-0"}, block=10_000)
    return bytes(fields[b"b"])


async def test_deadline_where_followed(node: Tables, redis: Redis) -> None:
    """A node that follows a race ends it when its time is up, without the help of a timer."""
    heard = Heard()
    table = await begun(node, "ann", "bob", time_limit_s=1)
    table.follow(heard)
    await redis.delete(*(keys.timers(shard) for shard in range(keys.TIMER_SHARDS)))
    await heard.closing()
    assert table.race.over is FinishReason.TIME
    assert table.race.deadline is not None
    assert table.race.over_at >= table.race.deadline
    assert [seat.end for seat in table.race.seats.values()] == [SeatEnd.TIME, SeatEnd.TIME]
    table.unfollow(heard)


async def test_deadline_where_nobody_is(new_node: NewNode, other: Tables, redis: Redis, redis_url: str) -> None:
    """A race that nobody follows, on a node that has none open, ends on time through its timer."""
    table = await begun(other, "ann", "bob", time_limit_s=1)
    rid, seq = table.rid, table.race.seq
    third = await new_node()
    assert b"race.finished" in await next_body(redis, rid, seq)
    race = (await third.table(rid)).race
    assert (race.over, race.closed) == (FinishReason.TIME, True)


@pytest.mark.parametrize(
    ("end", "due_in_ms"),
    [
        pytest.param("deadline", 600_000, id="started: its deadline"),
        pytest.param("gone", 120_000, id="all gone: two minutes"),
        pytest.param("last gone is done", 120_000, id="who is left has gone before"),
        pytest.param("over", 2_000, id="over: closed by another, should this node die now"),
    ],
)
async def test_timer_is_set_before(node: Tables, redis: Redis, end: str, due_in_ms: int) -> None:
    """What needs a look is noted before it is written: a race's timer is at its time, give or take a clock's error."""
    table = await begun(node, "ann", "bob")
    if end == "gone":
        await table.ask(ask.MarkAbsent(1, ord("a")))
        await table.ask(ask.MarkAbsent(2, ord("b")))
    elif end == "last gone is done":
        await table.ask(ask.MarkAbsent(1, ord("a")))
        await table.ask(ask.Done("bob", node.clock.now()))
    elif end == "over":
        for player in ("ann", "bob"):
            await table.ask(ask.Done(player, node.clock.now()))
    timer = await Timers(redis).due_ms(table.rid)
    assert timer is not None
    assert timer <= node.clock.now() + due_in_ms
    if end != "over":
        assert timer <= (table.race.due() or 0) + 1_000  # As late as a look at the timers may be anyhow.


async def test_timer_early_or_twice(node: Tables, redis: Redis) -> None:
    """A timer that fires too early changes nothing and is set to the right time; one for no race goes."""
    table = await begun(node, "ann", "bob")
    timers = Timers(redis)
    await timers.put(table.rid, node.clock.now())
    await timers.put("no-such-race", node.clock.now())
    while await timers.due_ms("no-such-race") is not None or await timers.due_ms(table.rid) != table.race.due():
        pass
    assert not (await table.fresh()).ended


async def test_a_crowd_fires_bit_by_bit(redis: Redis) -> None:
    """Of many timers that are due at once no more are served at a time than a node can; all of them are in the end."""
    timers = Timers(redis)
    crowd = [f"race-{number}" for number in range(3 * FIRED_AT_ONCE)]
    let_go, at_once, most, served = asyncio.Event(), 0, 0, set[str]()

    async def fresh(rid: str) -> Table:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await let_go.wait()
        at_once -= 1
        served.add(rid)
        raise LogError(1, "no race in truth")

    async def never(_: Race) -> None:
        raise AssertionError

    async with asyncio.TaskGroup() as tasks:
        looks, clock = Looks(fresh, never, never), Clock(Log(redis))
        due = Due(timers, clock, lambda work, _: tasks.create_task(work), looks, Metrics())
        for rid in crowd:
            await timers.put(rid, 0)
        firing = tasks.create_task(due.fire_timers())
        while at_once < FIRED_AT_ONCE:  # noqa: ASYNC110 - nobody is told.
            await asyncio.sleep(0.01)
        let_go.set()
        while len(served) < len(crowd):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await stop([firing])
    assert most == FIRED_AT_ONCE


async def test_clock_ahead(node: Tables) -> None:
    """A node whose clock is ahead of Redis's is told so by the log, and ends the race when it is time."""
    heard = Heard()
    table = await begun(node, "ann", "bob", time_limit_s=1)
    node.clock.told(node.clock.now() + 700)
    table.follow(heard)
    await heard.closing()
    assert table.race.over_at >= (table.race.deadline or 0)
    assert heard.kinds == ["race.finished"]
    table.unfollow(heard)


async def test_play_after_the_deadline(node: Tables, redis: Redis) -> None:
    """A play that a slow clock lets pass is kept out by Redis's time, and wakes the race's end."""
    table = await begun(node, "ann", "bob", time_limit_s=1)
    await redis.delete(*(keys.timers(shard) for shard in range(keys.TIMER_SHARDS)))
    deadline = table.race.deadline or 0
    answer = await play(node, table, "ann", "d")
    n = 1
    while answer.ok:
        n += 1
        answer = await table.ask(ask.Play("ann", n, "du"[n % 2 == 0], deadline - 1))
    assert (answer.code, answer.lane) == ("over", n - 1)


async def test_bots_of_a_dead_node(node: Tables, redis: Redis) -> None:
    """Bots that the node which created the race did not live to ask for are asked for by another, once."""
    rid = "abcdefghijklmnopqrstuvwxyz"
    table = node._open(rid)
    card = read_card({"code": CODE, "bots": [{"bot": "greedy"}]})
    assert (await table.ask(ask.Create(card, "host", "00" * 16, RING.current, None))).ok
    timer = await Timers(redis).due_ms(rid)
    assert timer is not None
    assert timer <= node.clock.now() + 5_000
    assert await redis.xlen(keys.WANTED) == 0
    for _ in range(2):
        await Timers(redis).put(rid, node.clock.now())
        while await Timers(redis).due_ms(rid) != table.race.due():
            pass
    assert await redis.xlen(keys.WANTED) == 1
    assert (await join(table, "hal", "bot")).ok
