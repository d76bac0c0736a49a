"""Rulings: in force on every node once read, in the order of their stream, and no longer than that has them."""

from __future__ import annotations

from typing import Any, cast

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as Disconnected

from server.store import keys
from server.store.rulings import PAGE, Act, Ruling, Rulings


def _ban(player: str) -> Ruling:
    return Ruling(Act.BAN, "admin", "x", player=player)


async def test_every_node_knows_them(redis: Redis) -> None:
    """What one node takes down another reads, each once and the last word counting, however many there are."""
    here, there, told = Rulings(redis), Rulings(redis), []
    there.on_ruling(told.append)
    ruled = [await here.rule(_ban(f"p{number}")) for number in range(3)]
    ruled.append(await here.rule(Ruling(Act.UNBAN, "admin", "y", player="p1")))
    for _ in range(2):
        await there.read()
    assert told == ruled
    assert [there.banned(f"p{number}") for number in range(4)] == [True, False, True, False]
    async with redis.pipeline(transaction=False) as pipe:
        for _ in range(PAGE):
            pipe.xadd(keys.RULINGS, {b"r": b'{"act":"void","by":"admin","race":"r"}'})
        await pipe.execute()
    await there.read()
    assert (there.voided("r"), len(told)) == (True, 4 + PAGE)


async def test_rulings_that_a_failover_has_lost(redis: Redis) -> None:
    """What is gone is in force no more; what is taken down next counts, also where the next clock is behind."""
    rulings = Rulings(redis)
    for player in ("ann", "bob"):
        await rulings.rule(_ban(player))
    (first, kept), _ = await redis.xrange(keys.RULINGS)
    await redis.delete(keys.RULINGS)
    await redis.xadd(keys.RULINGS, kept, id=first)
    later = f"{first.decode().partition('-')[0]}-9"
    await redis.xadd(keys.RULINGS, {b"r": kept[b"r"].replace(b"ann", b"cid")}, id=later)
    await rulings.read()
    assert [rulings.banned(player) for player in ("ann", "bob", "cid")] == [True, False, True]
    await redis.delete(keys.RULINGS)
    await rulings.read()
    assert not rulings.banned("ann")


class Failing:
    """A Redis that answers so many more times."""

    def __init__(self, redis: Redis) -> None:
        self.answers = 9
        self._redis = redis

    async def xrange(self, *args: Any) -> Any:
        self.answers -= 1
        if self.answers < 0:
            raise Disconnected("gone")
        return await self._redis.xrange(*args)


async def test_rulings_hold_until_what_is_left_is_read(redis: Redis) -> None:
    """Nobody is let in who was banned because Redis, which has lost something, does not say what else it has."""
    failing = Failing(redis)
    rulings = Rulings(cast(Redis, failing), redis.execute_command)
    await rulings.rule(_ban("ann"))
    await rulings.rule(_ban("bob"))
    (first, kept), _ = await redis.xrange(keys.RULINGS)
    await redis.delete(keys.RULINGS)
    await redis.xadd(keys.RULINGS, kept, id=first)
    failing.answers = 1
    with pytest.raises(Disconnected):
        await rulings.read()
    assert rulings.banned("ann")
    failing.answers = 9
    await rulings.read()
    assert (rulings.banned("ann"), rulings.banned("bob")) == (True, False)
