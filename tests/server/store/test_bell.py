"""The doorbell on a real Redis: rings are heard, lost ones made good, and a lost connection renewed."""

import asyncio
from collections.abc import AsyncIterator
from itertools import islice
from typing import Any

import pytest
from redis.asyncio import Redis

from server.store.bell import SLICE, Bell, Rung
from server.store.bell_line import Line, pauses_s
from server.store.cluster import Cluster
from server.store.connect import connect
from server.store.masters import Masters
from server.store.notice import Notice
from tests.server.store.conftest import heard
from tests.server.store.wire import wire_to

NEVER_MS = 600_000
FEW = 5
"""Messages that a node alone publishes: that it hears, and rings until they have been counted."""


@pytest.fixture
async def bells(client: Redis, redis_url: str) -> AsyncIterator[tuple[Bell, Bell]]:
    """The doorbells of two nodes that do not catch up by themselves."""
    other = connect(redis_url)
    async with Bell(client, NEVER_MS) as mine, Bell(other, NEVER_MS) as theirs:
        yield mine, theirs
    await other.aclose()


async def _published(redis: Redis) -> int:
    """How many messages were published since the counts were set to 0."""
    counts = await redis.info("commandstats")
    return int(counts.get("cmdstat_publish", {"calls": 0})["calls"])


async def attending(bell: Bell, *rids: str) -> None:
    """Attend races and wait until they are heard."""
    for rid in rids:
        bell.attend(rid)
    assert await heard(bell, len(rids)) == {Rung(rid, None) for rid in rids}


async def test_ring_is_heard_by_all_who_attend(bells: tuple[Bell, Bell]) -> None:
    """Both nodes hear a ring, the one that rings included, with the seq that it tells."""
    mine, theirs = bells
    await attending(mine, "a")
    await attending(theirs, "a")

    mine.ring("a", Notice(7))

    assert await heard(mine, 1) == await heard(theirs, 1) == {Rung("a", 7)}


async def test_rings_that_nobody_else_would_hear_are_not_sent(bells: tuple[Bell, Bell], redis: Redis) -> None:
    """One node alone hears its own rings, of which few go to Redis; once another one attends each of them does."""
    mine, theirs = bells
    await attending(mine, "a")
    await redis.config_resetstat()
    for seq in range(1, 101):
        mine.ring("a", Notice(seq))
        assert await heard(mine, 1) == {Rung("a", seq)}
    assert await _published(redis) <= FEW
    await attending(theirs, "a")
    mine.ring("a", Notice(101))
    async for rung in theirs.rung():
        if rung.seq == 101:
            break
    sent = await _published(redis)
    for seq in range(102, 202):
        mine.ring("a", Notice(seq))
        assert await heard(theirs, 1) == {Rung("a", seq)}
    assert await _published(redis) == sent + 100


async def test_what_is_known_here_is_told_to_others_only(bells: tuple[Bell, Bell]) -> None:
    """A node does not hear its own ring for what it knows, where nobody else would; who comes then is told."""
    mine, theirs = bells
    await attending(mine, "a", "b")
    for seq in range(1, FEW):
        mine.ring("a", Notice(seq))
        await heard(mine, 1)
    mine.ring("a", Notice(FEW), known=True)
    mine.ring("b", Notice(1))
    assert await heard(mine, 1) == {Rung("b", 1)}
    theirs.attend("a")
    async for rung in theirs.rung():
        if rung.seq == FEW:
            break


async def test_races_not_attended_are_not_heard(bells: tuple[Bell, Bell]) -> None:
    """Only what is attended is heard, and no longer than it is."""
    mine, theirs = bells
    await attending(mine, "a", "b", "c")
    mine.leave("b")
    mine.leave("never attended")

    theirs.ring("b", Notice(1))
    theirs.ring("x", Notice(1))
    theirs.ring("a", Notice(2))
    theirs.ring("c", Notice(3))

    assert await heard(mine, 2) == {Rung("a", 2), Rung("c", 3)}


async def test_rings_that_nobody_took_yet_are_one(bells: tuple[Bell, Bell], redis: Redis) -> None:
    """However often a race was rung meanwhile, it is told once with the last seq."""
    mine, theirs = bells
    await attending(mine, "a", "b")
    for seq in (5, 9, 8):
        theirs.ring("a", Notice(seq))
    theirs.ring("b", Notice(1))

    assert await heard(mine, 2) == {Rung("a", 9), Rung("b", 1)}


async def test_attending_again_is_rung_again(bells: tuple[Bell, Bell]) -> None:
    """A race counts as rung when it begins to be heard: what came before is read then."""
    mine, _ = bells
    await attending(mine, "a")
    mine.leave("a")
    await attending(mine, "b")
    await attending(mine, "a")


async def test_everything_counts_as_rung_after_a_lost_connection(bells: tuple[Bell, Bell], redis: Redis) -> None:
    """When the hearing connection was cut, all races attended are rung, and later rings are heard."""
    mine, theirs = bells
    await attending(mine, "a", "b")

    await redis.execute_command("CLIENT", "KILL", "TYPE", "pubsub")

    assert await heard(mine, 2) == {Rung("a", None), Rung("b", None)}
    theirs.ring("a", Notice(4))
    assert await heard(mine, 1) == {Rung("a", 4)}


async def test_a_line_on_which_something_else_is_said_is_renewed(redis_url: str, redis: Redis) -> None:
    """What cannot be read ends the connection that hears; a new one is made, and rings are heard on that."""
    async with wire_to(redis_url) as (wire, url):
        client = connect(url)
        async with Bell(client, NEVER_MS) as bell:
            await attending(bell, "a")
            bell.ring("a", Notice(2))
            assert await heard(bell, 1) == {Rung("a", 2)}
            wire.garble = True
            bell.ring("a", Notice(3))
            assert await heard(bell, 1) == {Rung("a", None)}
            bell.ring("a", Notice(4))
            assert await heard(bell, 1) == {Rung("a", 4)}
        await client.aclose()


@pytest.mark.parametrize("races", [2, 3 * SLICE + 1], ids=["in one part", "in several"])
async def test_silent_races_are_caught_up_with(client: Redis, races: int) -> None:
    """A ring that was lost costs no more than the catch-up time: silent races count as rung again and again."""
    async with Bell(client, catch_up_ms=30) as bell:
        rids = [f"race {number}" for number in range(races)]
        await attending(bell, *rids)
        for _ in range(3):
            assert await heard(bell, races) == {Rung(rid, None) for rid in rids}
        bell.leave(rids.pop())
        await heard(bell, races - 1)  # Which it may have been among.
        assert await heard(bell, races - 1) == {Rung(rid, None) for rid in rids}


async def test_ringing_goes_on_after_its_connection_was_lost(client: Redis, redis: Redis, redis_url: str) -> None:
    """Rings are lost with their connection; those after it is renewed are heard."""
    async with Bell(client, NEVER_MS) as bell:
        await attending(bell, "a")
        await redis.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        ringing = asyncio.create_task(_ring_on(bell))
        (rung,) = await heard(bell, 1)
        ringing.cancel()

    assert rung.seq is not None


class Changing(Masters):
    """A cluster of one master, which is another one by when it has been told who serves."""

    serving: Redis
    then: Redis

    async def of(self, slot: int | None) -> Redis:
        return self.serving

    async def all(self) -> list[Redis]:
        self.serving = self.then
        return [self.then]


async def test_no_line_is_made_to_who_serves_no_more(
    client: Redis, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a master departs just as channels are shared out, they are heard at the next one, and not there."""
    made: list[Redis] = []

    class Counted(Line):
        def __init__(self, client: Redis, *others: Any) -> None:
            made.append(client)
            super().__init__(client, *others)

    monkeypatch.setattr("server.store.bell.Line", Counted)
    cluster = Cluster(["redis://seed"], lambda _: client, 1000)
    cluster.masters = masters = Changing(["redis://seed"], lambda _: client)
    masters.serving = masters.then = client
    async with Bell(cluster, NEVER_MS) as bell:
        await attending(bell, "a")
        masters.then = redis
        bell.attend("b")
        assert await heard(bell, 2) == {Rung("a", None), Rung("b", None)}
    assert made == [client, redis]


def test_a_server_that_is_away_is_tried_less_and_less() -> None:
    """Attempts to connect come after 0.1 s, 0.2, 0.4 and so on up to 5, each up to a half sooner."""
    most = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
    for _ in range(100):
        assert all(at_most / 2 <= pause <= at_most for pause, at_most in zip(pauses_s(), most, strict=False))
    assert len({next(islice(pauses_s(), 5, 6)) for _ in range(10)}) > 1


async def _ring_on(bell: Bell) -> None:
    seq = 0
    while True:
        seq += 1
        bell.ring("a", Notice(seq))
        await asyncio.sleep(0.01)


async def test_hearing_goes_on_where_a_line_is_ended(client: Redis) -> None:
    """Who waits for a ring hears the next ones, too, where one comes in the moment in which a line is left."""
    async with Bell(client, NEVER_MS) as bell:
        await attending(bell, "a")
        waiting = asyncio.create_task(heard(bell, 2))
        await asyncio.sleep(0)  # One turn of the loop, for it to be waiting.
        bell._start(_rung_at_the_end(bell), "line")
        await asyncio.sleep(0)
        bell.attend("b")

        assert await waiting == {Rung("a", 1), Rung("b", None)}


async def _rung_at_the_end(bell: Bell) -> None:
    """Be a line that returns in the turn in which another one hears something."""
    bell._mark("a", 1)


async def test_hearing_ends_with_the_context(client: Redis) -> None:
    """Who waits for a ring is released at the end."""
    async with Bell(client, NEVER_MS) as bell:
        waiting = asyncio.create_task(heard(bell, 1))
        await asyncio.sleep(0)  # One turn of the loop, for it to be waiting.

    assert await waiting == set()
