"""One race on one node: commands decided in turn, appended lane by lane, told in order."""

import asyncio

from redis.asyncio import Redis

from engine.race import commands as ask
from engine.race.events import FinishReason
from engine.race.evolve import fold
from engine.race.model import Race, RaceStatus
from engine.refusals import ErrorCode, Reason
from server.races.answer import Answer
from server.races.tables import Tables
from tests.server.races.conftest import WINNING, Heard, begun, calls, join, play


async def test_answers(node: Tables) -> None:
    """What is accepted names its own entry and lane; a repeat is a dup; a refusal says why and what the lane is."""
    table = await begun(node, "ann", "bob")
    accepted = await play(node, table, "ann", "d")
    assert accepted == Answer(True, table.race.seq, table.race.h, lane=1)
    again = await play(node, table, "ann", "d", n=1)
    assert again == Answer(True, table.race.seq, table.race.h, lane=1, dup=True)
    stale = await play(node, table, "ann", "5", n=1)
    assert (stale.ok, stale.code, stale.lane) == (False, ErrorCode.STALE_LANE, 1)
    illegal = await play(node, table, "ann", "1")
    assert (illegal.code, illegal.reason, illegal.lane) == (ErrorCode.ILLEGAL, Reason.NOT_ADJACENT, 1)


async def test_one_at_a_time_or_many(node: Tables) -> None:
    """Plays of one seat sent at once are decided in turn, each on what the one before made, and numbered so."""
    table = await begun(node, "ann", "bob")
    now = node.clock.now()
    answers = await asyncio.gather(
        *(table.ask(ask.Play("ann", n, word, now)) for n, word in enumerate(("d", "5", "2", "1", "d"), 1))
    )
    assert [answer.lane for answer in answers] == [1, 2, 3, 3, 3]
    assert [answer.code for answer in answers] == [None, None, None, ErrorCode.ILLEGAL, ErrorCode.STALE_LANE]
    seqs = [answer.seq for answer in answers[:3]]
    assert seqs == [seqs[0], seqs[0] + 1, seqs[0] + 2]


async def test_what_waits_goes_together(node: Tables, redis: Redis) -> None:
    """Commands that wait go out together: a hundred joins are one append, and the next hundred another."""
    table = await begun(node, seats=100)
    await redis.config_resetstat()
    answers = await asyncio.gather(*(join(table, f"player {number}") for number in range(100)))
    assert all(answer.ok for answer in answers)
    assert await calls(redis, "xadd") == 100
    assert await calls(redis, "xrange") == 1


async def test_listeners(node: Tables) -> None:
    """Each listener is told every entry from when it follows, once, in order, before the command is answered."""
    heard, late = Heard(), Heard()
    table = await begun(node, "ann", "bob")
    table.follow(heard)
    first = await play(node, table, "ann", "d")
    assert [after.seq for _, _, after in heard.entries] == [first.seq]
    table.follow(late)
    await asyncio.gather(play(node, table, "ann", "5"), play(node, table, "bob", "d"))
    assert len(heard.entries) == 3
    assert late.entries == heard.entries[1:]
    table.unfollow(heard)
    await play(node, table, "bob", "5")
    assert len(heard.entries) == 3
    for before, _, after in late.entries:
        assert after.seq == before.seq + 1
    table.unfollow(late)


async def test_won_race(node: Tables) -> None:
    """A race is played to its end, closed by itself, and its log folds to what was told."""
    heard = Heard()
    table = await begun(node, "ann", "bob", goal="first")
    table.follow(heard)
    await play(node, table, "bob", "d")
    await play(node, table, "ann", *WINNING)
    assert table.race.over is FinishReason.FIRST
    closed = await heard.closing()
    assert closed.status(node.clock.now()) is RaceStatus.FINISHED
    assert heard.kinds[-1] == "race.finished"
    assert heard.kinds.count("race.finished") == 1
    entries = await node.log.read(table.rid)
    assert fold(Race(table.rid), entries, node.secrets) == table.race
    table.unfollow(heard)
