"""Timers on a real Redis: due ones are leased once at a time, fire at least once, and are never put off unseen."""

import asyncio

import pytest
from redis.asyncio import Redis

from server.store import keys
from server.store.timers import Lease, Timers

pytestmark = pytest.mark.either_redis

RID = "abcdefghijklmnopqrstuvwxyz"
SHARD = keys.timer_shard(RID)
FAR = 9_999_999_999_999


@pytest.fixture
def timers(client: Redis) -> Timers:
    return Timers(client)


async def test_due_timer_is_leased_by_one(timers: Timers, client: Redis) -> None:
    """Of two nodes that look at once, one gets the timer; it then fires again only at the lease's end."""
    await timers.put(RID, 1)

    leases = await asyncio.gather(timers.lease(SHARD), Timers(client).lease(SHARD))

    assert sorted(len(lease) for lease in leases) == [0, 1]
    ((lease,),) = [lease for lease in leases if lease]
    assert lease.rid == RID
    assert await timers.due_ms(RID) == lease.until_ms


async def test_timer_fires_again_when_its_lease_ends(client: Redis) -> None:
    """A node that dies with a lease leaves the timer to the others."""
    timers = Timers(client, lease_ms=0)
    await timers.put(RID, 1)

    assert [lease.rid for _ in range(3) for lease in await timers.lease(SHARD)] == [RID] * 3


async def test_timer_that_is_not_due_is_left(timers: Timers) -> None:
    """Nothing fires before its time."""
    await timers.put(RID, FAR)

    assert await timers.lease(SHARD) == []


async def test_longest_due_come_first_and_no_more_than_asked(client: Redis) -> None:
    """A limit takes those that have waited longest."""
    timers = Timers(client)
    for due in (3, 1, 2):
        await client.zadd(keys.timers(SHARD), {f"r{due}": due})

    assert [lease.rid for lease in await timers.lease(SHARD, limit=2)] == ["r1", "r2"]


async def test_put_makes_a_timer_earlier_but_never_later(timers: Timers) -> None:
    """The earliest of what is put counts."""
    await timers.put(RID, 5000)
    await timers.put(RID, 1000)
    assert await timers.due_ms(RID) == 1000
    await timers.put(RID, 9000)

    due = await timers.due_ms(RID)
    assert due is not None
    assert due <= 1000


@pytest.mark.parametrize("due", [FAR, None])
async def test_settling_sets_the_next_time_or_none(timers: Timers, due: int | None) -> None:
    """Who holds the lease decides when the race is looked at next."""
    await timers.put(RID, 1)
    (lease,) = await timers.lease(SHARD)

    assert await timers.settle(lease, due)
    assert await timers.due_ms(RID) == due


@pytest.mark.parametrize("put", [2, FAR], ids=["earlier", "later"])
async def test_what_is_put_during_a_lease_is_not_lost(timers: Timers, put: int) -> None:
    """A node that decided on an older fold cannot settle over what another has put since: the timer fires again."""
    await timers.put(RID, 1)
    (lease,) = await timers.lease(SHARD)
    await timers.put(RID, put)

    assert not await timers.settle(lease, FAR)
    due = await timers.due_ms(RID)
    assert due is not None
    assert due <= lease.until_ms


async def test_lease_that_another_has_taken_over_settles_nothing(client: Redis) -> None:
    """After its end a lease is worth nothing."""
    timers = Timers(client, lease_ms=0)
    await timers.put(RID, 1)
    (old,) = await timers.lease(SHARD)
    (new,) = await Timers(client, lease_ms=60_000).lease(SHARD)

    assert not await timers.settle(old, None)
    assert await timers.settle(new, None)


async def test_removed_timer_fires_no_more(timers: Timers) -> None:
    """After its race has gone a timer is gone, for a holder of a lease too."""
    await timers.put(RID, 1)
    (lease,) = await timers.lease(SHARD)
    await timers.remove(RID)

    assert await timers.due_ms(RID) is None
    assert not await timers.settle(lease, 5)
    assert not await timers.settle(Lease("never put", 5), 5)
    assert await timers.due_ms(RID) is None


async def test_scripts_that_were_flushed_are_loaded_again(timers: Timers, client: Redis) -> None:
    """SCRIPT FLUSH stops no timer."""
    await timers.put(RID, 1)
    await client.script_flush()
    await timers.put(RID, 1)
    await client.script_flush()

    assert [lease.rid for lease in await timers.lease(SHARD)] == [RID]


def test_shards_are_used_evenly() -> None:
    """Every shard has its share of a thousand races, and their keys are distinct."""
    shards = [keys.timer_shard(f"race {number}") for number in range(1000)]

    assert set(shards) == set(range(keys.TIMER_SHARDS))
    assert max(shards.count(shard) for shard in set(shards)) < 120
    assert keys.timers(3) == "timers:{3}"
