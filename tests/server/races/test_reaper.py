"""No live log without a timer: one that has lost it is found, and its race ends on time all the same."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from engine.race.card import read_card
from engine.race.events import FinishReason
from server.races.reaper import Reaper
from server.races.tables import Tables
from server.store import keys
from server.store.timers import Timers
from server.watch.metrics import Metrics
from tests.server.races.conftest import CODE, NewNode, begun


async def test_a_planted_log_is_found(redis: Redis, node: Tables) -> None:
    """Of many races only the one whose timer was taken away is found, once, and gets one that fires at once."""
    planted = await begun(node, "ann", key="planted")
    for number in range(20):
        await node.offers.create(read_card({"code": CODE, "seats": 1}), "host", f"key {number}")
    timers, metrics = Timers(redis), Metrics()
    reaper = Reaper(redis, timers, metrics)
    assert await reaper.sweep() == []
    await timers.remove(planted.rid)
    assert await reaper.sweep() == [planted.rid]
    assert await timers.due_ms(planted.rid) == 0
    assert await reaper.sweep() == []
    assert b"fairdeal_timers_missing_total 1.0" in metrics.text()


async def test_an_orphan_ends_on_time(redis: Redis, new_node: NewNode, monkeypatch: pytest.MonkeyPatch) -> None:
    """A race that nobody follows, whose timer is gone, is found by the sweeping of a node that never knew it."""
    monkeypatch.setattr("server.races.due.TIMERS_EVERY_S", 0.02)
    monkeypatch.setattr("server.races.reaper.SWEEP_EVERY_S", 0.1)
    node = await new_node()
    table = await begun(node, "ann", time_limit_s=1)
    await Timers(redis).remove(table.rid)
    race = table.race
    while not race.closed:
        race = await table.fresh()
    assert race.over is FinishReason.TIME


async def test_a_log_that_goes_while_it_is_looked_at_is_no_orphan(redis: Redis, node: Tables) -> None:
    """Between looking for the timer and for the log both may go, in their order: nothing is made of that."""
    table = await begun(node, "ann")
    await redis.delete(keys.race_log(table.rid))
    await Timers(redis).remove(table.rid)
    assert await Reaper(redis, Timers(redis), Metrics())._given_timers([table.rid]) == []
    assert await Timers(redis).due_ms(table.rid) is None
