"""Reading to the tail: who may share a read, and what a read that fails or comes late means."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from redis.asyncio import Redis

from engine.log.entry import START, Cursor, Entry
from server.races.tables import Tables
from server.store import keys
from server.store.append import Forked, Outcome
from server.store.connect import StoreUnavailable
from server.store.log import Log
from tests.server.races.conftest import Heard, begun, play

Told = Callable[[Outcome | None], None]


class HeldLog:
    """A node's log whose reads, and replies to appends, wait until they are let go one by one."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self.reads: list[asyncio.Future[None]] = []
        self.replies: list[asyncio.Future[None]] = []
        self.begun = asyncio.Event()

    async def read(self, rid: str, cursor: Cursor = START) -> tuple[Entry, ...] | Forked:
        entries = await self._log.read(rid, cursor)
        await self._hold(self.reads)
        return entries

    def begin(self, rid: str, seen: Cursor, lane: str, bodies: Sequence[Any], told: Told, **window: Any) -> None:
        self._log.begin(rid, seen, lane, bodies, lambda outcome: self._hold_back(told, outcome), **window)

    async def append(self, rid: str, seen: Cursor, lane: str, bodies: Sequence[Any], **window: Any) -> Outcome:
        outcome = await self._log.append(rid, seen, lane, bodies, **window)
        await self._hold(self.replies)
        return outcome

    async def waiting(self, reads: int, replies: int) -> None:
        """Wait until so many of each have been held so far."""
        while (len(self.reads), len(self.replies)) != (reads, replies):
            self.begun.clear()
            await self.begun.wait()

    async def _hold(self, held: list[asyncio.Future[None]]) -> None:
        await self._held_in(held)

    def _hold_back(self, told: Told, outcome: Outcome | None) -> None:
        self._held_in(self.replies).add_done_callback(lambda _: told(outcome))

    def _held_in(self, held: list[asyncio.Future[None]]) -> asyncio.Future[None]:
        held.append(asyncio.get_running_loop().create_future())
        self.begun.set()
        return held[-1]


def hold(node: Tables) -> HeldLog:
    held = HeldLog(node.log)
    node.log = held  # type: ignore[assignment]
    return held


async def test_reads_are_shared(node: Tables) -> None:
    """Whoever asks while a read is under way shares the next one, not that one, which may have begun too early."""
    table = await begun(node, "ann", "bob")
    held = hold(node)
    first = asyncio.create_task(table.fresh())
    await held.waiting(1, 0)
    later = [asyncio.create_task(table.fresh()) for _ in range(10)]
    held.reads[0].set_result(None)
    await first
    await held.waiting(2, 0)
    assert not any(task.done() for task in later)
    held.reads[1].set_result(None)
    assert set(map(id, await asyncio.gather(*later))) == {id(table.race)}
    assert len(held.reads) == 2


async def test_failed_read_is_shared(node: Tables) -> None:
    """Of a Redis that is away all who wait learn at once, not one after the other; who asks later reads anew."""
    table = await begun(node, "ann", "bob")
    held = hold(node)
    first = asyncio.create_task(table.fresh())
    await held.waiting(1, 0)
    waiting = [asyncio.create_task(table.fresh()) for _ in range(10)]
    await asyncio.sleep(0)
    held.reads[0].set_result(None)
    await first
    await held.waiting(2, 0)
    later = asyncio.create_task(table.fresh())
    await asyncio.sleep(0)
    held.reads[1].set_exception(StoreUnavailable("gone"))
    for fault in await asyncio.gather(*waiting, return_exceptions=True):
        assert isinstance(fault, StoreUnavailable)
    await held.waiting(3, 0)
    held.reads[2].set_result(None)
    assert await later is table.race


async def test_cancelled_read_is_nobodys(node: Tables) -> None:
    """Who reads for others and is cancelled leaves it to the next of them."""
    table = await begun(node, "ann", "bob")
    held = hold(node)
    first, second, third = (asyncio.create_task(table.fresh()) for _ in range(3))
    await held.waiting(1, 0)
    held.reads[0].set_result(None)
    await first
    await held.waiting(2, 0)
    second.cancel()
    await held.waiting(3, 0)
    held.reads[2].set_result(None)
    assert await third is table.race


async def test_entry_read_before_its_reply(node: Tables) -> None:
    """Plays whose entries are read before the reply to their append is there are answered as their own all the same."""
    heard = Heard()
    table = await begun(node, "ann", goal="first", seats=1)
    table._listeners.append(heard)
    held = hold(node)
    under_way = [asyncio.create_task(play(node, table, "ann", word, n=n)) for n, word in enumerate("d52", 1)]
    for appends, lane in ((1, 1), (2, 3)):  # The first play alone, the others, which waited for it, together.
        await held.waiting(appends - 1, appends)
        reading = asyncio.create_task(table.fresh())
        await held.waiting(appends, appends)
        held.reads[-1].set_result(None)
        assert (await reading).seats[1].lane == lane
        held.replies[-1].set_result(None)
    answers = await asyncio.gather(*under_way)
    assert [(answer.ok, answer.dup, answer.lane) for answer in answers] == [(True, False, n) for n in (1, 2, 3)]
    assert [after.seq for _, _, after in heard.entries] == [answer.seq for answer in answers]
    table._listeners.clear()


async def test_history_replaced_under_an_append(node: Tables, redis: Redis) -> None:
    """An append whose history is found replaced before its reply is handled is decided anew on the new history."""
    table = await begun(node, "ann", "bob")
    held = hold(node)
    under_way = asyncio.create_task(play(node, table, "ann", "d"))
    await held.waiting(0, 1)
    log = keys.race_log(table.rid)
    cut = await redis.xrange(log)
    await redis.delete(log)
    for seq, fields in cut[:-2]:
        await redis.xadd(log, fields, seq)
    reading = asyncio.create_task(table.fresh())
    for read in range(2):
        await held.waiting(read + 1, 1)
        held.reads[read].set_result(None)
    assert not (await reading).started
    held.replies[0].set_result(None)
    await held.waiting(3, 1)
    held.reads[2].set_result(None)
    answer = await under_way
    assert (answer.ok, answer.code) == (False, "not_started")
    await held.waiting(3, 2)  # What was lost is noted.
    held.replies[1].set_result(None)
