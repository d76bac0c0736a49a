"""Sentinels: clients find the master, leave what is none any more, and find the next one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError, ResponseError

from engine.log.entry import START
from server.doctor import Finding, examine_redis
from server.settings import Durability
from server.store.append import Appended
from server.store.bell import Bell
from server.store.connect import StoreUnavailable, connect
from server.store.log import Log
from server.store.notice import Notice
from server.store.sentinel import is_not_master
from tests.needs import needs
from tests.redis_on import patient
from tests.server.store.conftest import RID, sealed
from tests.watched import Watched, watched

ENOUGH_S = 20

pytestmark = [pytest.mark.redis, needs("redis-server")]


@pytest.fixture
async def field(tmp_path: Path) -> AsyncIterator[Watched]:
    async with watched(tmp_path) as found:
        yield found


async def test_a_failover_is_followed(field: Watched) -> None:
    """A log, pooled connections and the doorbell are on the next master soon; the one that comes back is left alone."""
    client = connect(field.url, timeout_ms=1000)
    async with Log(client, timeout_ms=1000, give_up_ms=20_000) as log, Bell(client) as bell:
        bell.attend(RID)
        rung = bell.rung()
        await anext(rung)
        first = await log.append(RID, START, "*", sealed("a"))
        assert isinstance(first, Appended)
        dead = await field.master()
        await _in_step(field, dead)
        field.kill(dead)

        second = await log.append(RID, first.entries[-1].cursor, "*", sealed("b"))

        assert isinstance(second, Appended)
        async with asyncio.timeout(ENOUGH_S):
            while (master := await field.master()) == dead:
                pass  # The sentinel that is asked here may hear of it last.
        async with patient(master) as there:
            assert await there.xlen("race:{" + RID + "}:log") == 2
        field.revive(dead)
        async with patient(dead) as back:
            assert await back.ping()
        assert await log.read(RID) == first.entries + second.entries
        bell.ring(RID, Notice(2))  # It may be lost, as it finds out that its connection is.
        while (await anext(rung)).seq != 2:
            bell.ring(RID, Notice(2))
        async with asyncio.timeout(ENOUGH_S):
            while not (finding := await _sentinels(client)).ok:
                pass  # The third has not heard yet of what the two have agreed upon.
        assert finding == Finding(
            "sentinels", True, f"3 of 3 answer, 3 there are; the master is 127.0.0.1:{master}", can_wait=True
        )
        for port in field.sentinels[:2]:
            field.kill(port)
        finding = await _sentinels(client)
        assert not finding.ok
        assert f"127.0.0.1:{field.sentinels[0]}: " in finding.fix
        field.kill(field.sentinels[2])
        async with connect(field.url) as late:
            with pytest.raises(Disconnected, match="no sentinel knows a master 'mymaster' that is up"):
                await late.ping()
    await client.aclose()


async def test_what_is_a_replica_by_now_is_left(field: Watched) -> None:
    """A write that is refused as to a replica ends its connection; until there is a master there is none to be had."""
    client = connect(field.url, timeout_ms=1000)
    one, two, _ = field.ports
    async with Log(client, timeout_ms=1000, give_up_ms=1000) as log:
        first = await log.append(RID, START, "*", sealed("a"))
        assert isinstance(first, Appended)
        await client.set("here", 1)
        async with patient(one) as master:
            await master.replicaof("127.0.0.1", two)
        with pytest.raises(ResponseError, match="read only"):
            await client.set("here", 2)
        with pytest.raises(RedisError, match=f"expected a master at 127.0.0.1:{one}"):
            await client.set("here", 2)
        with pytest.raises(StoreUnavailable, match=r"read only|expected a master"):
            await log.append(RID, first.entries[-1].cursor, "*", sealed("b"))
    await client.aclose()


async def _sentinels(client: Redis) -> Finding:
    return next(one for one in await examine_redis(client, Durability.AOF) if one.check == "sentinels")


async def _in_step(field: Watched, master: int) -> None:
    """Wait until a replica has what the master has: what is promoted is one of those."""
    async with patient(master) as client:
        await client.set("mark", 1)
        assert await client.wait(2, 10_000) == 2


@pytest.mark.parametrize(
    ("text", "left"),
    [
        pytest.param("Error running script: @user_script:42: -READONLY You can't write", True, id="in a script"),
        pytest.param("NOREPLICAS Not enough good replicas to write.", True, id="without its replicas"),
        pytest.param("WRONGTYPE Operation against a key", False, id="another error"),
    ],
)
def test_refusals_of_what_is_no_master(text: str, left: bool) -> None:
    """Only what another master would not refuse is a reason to look for one."""
    assert is_not_master(ResponseError(text)) is left
