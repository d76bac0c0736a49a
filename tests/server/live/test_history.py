"""Histories that many ask for at a time: folded once, as new as each may expect, and those that the log still has."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from redis.asyncio import Redis

from server.live import history
from server.live.history import KEPT, KEPT_STEPS, Histories
from server.races.tables import Tables
from server.settings import Settings
from server.store.keyring import KeyRing
from tests.server.cut import cut
from tests.server.races.conftest import begun, play


async def test_folded_once(redis: Redis, ring: KeyRing) -> None:
    """Who asks at the same time is given the same; what is added is folded alone; another history is read anew."""
    async with Tables(Settings(), redis, ring) as node:
        table = await begun(node, "ann", "bob")
        histories = Histories(node)
        first, *others = await asyncio.gather(*(histories.of(table.rid) for _ in range(50)))
        assert {id(one) for one in others} <= {id(first), id(others[0])}
        assert first[-1].after == table.race

        await play(node, table, "ann", "d")
        longer = await histories.of(table.rid)
        assert (len(longer), longer[-1].after) == (len(first) + 1, table.race)
        assert longer[0] is others[-1][0]
        assert all(one.after is other.before for one, other in pairwise(longer))

        await cut(redis, table.rid, -1)
        left = await histories.of(table.rid)
        assert [step.after for step in left] == [step.after for step in first]
        assert await histories.of("nowhere") == []


async def test_folding_lets_others_go_on(redis: Redis, ring: KeyRing, monkeypatch: pytest.MonkeyPatch) -> None:
    """A history is folded in short pieces, and all else that is to be done has its turn between them."""
    monkeypatch.setattr(history, "SLICE", 2)
    turn, folded = 0, list[int]()
    step = history.step

    def counted(*given: Any) -> Any:
        folded.append(turn)
        return step(*given)

    async def other() -> None:
        nonlocal turn
        while True:
            turn += 1
            await asyncio.sleep(0)

    monkeypatch.setattr(history, "step", counted)
    async with Tables(Settings(), redis, ring) as node:
        table = await begun(node, "ann", "bob")
        others = asyncio.create_task(other())
        assert (await Histories(node).of(table.rid))[-1].after == table.race
        others.cancel()
    assert len(folded) == table.race.seq > 4
    assert max(Counter(folded).values()) == 2


@pytest.mark.parametrize(("steps", "kept"), [(KEPT_STEPS, KEPT), (1, 1)])
async def test_no_more_is_kept_than_may_be(
    redis: Redis, ring: KeyRing, monkeypatch: pytest.MonkeyPatch, steps: int, kept: int
) -> None:
    """Of many races the last histories are kept, so many and so long, and each is right whether it was or not."""
    monkeypatch.setattr("server.live.history.KEPT_STEPS", steps)
    async with Tables(Settings(), redis, ring) as node:
        histories = Histories(node)
        rids = [(await begun(node, "ann", key=f"{number}", seats=2)).rid for number in range(KEPT + 2)]
        before = [await histories.of(rid) for rid in rids]
        assert [await histories.of(f"nowhere {number}") for number in range(KEPT)] == [[]] * KEPT
        again = [await histories.of(rid) for rid in reversed(rids)]
        assert again == before[::-1]
        same = [one[0] is other[0] for one, other in zip(again, reversed(before), strict=True)]
        assert same == [True] * kept + [False] * (len(rids) - kept)
