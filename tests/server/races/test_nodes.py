"""Two nodes with one race open: whatever they are asked at once, there is one history."""

import asyncio
from collections import Counter

import pytest
from redis.asyncio import Redis

from engine.log.chain import entry_mac
from engine.race import commands as ask
from engine.race.card import read_card
from engine.race.events import FinishReason, Played, packed
from engine.race.evolve import fold
from engine.race.model import Race
from engine.refusals import ErrorCode
from server.races.table import Table
from server.races.tables import Tables
from server.store import keys
from tests.server.races.conftest import CODE, WINNING, Heard, begun, calls, join, play, ready


@pytest.fixture
async def tables(node: Tables, other: Tables) -> tuple[Table, Table]:
    """One race of six seats, open on both nodes."""
    table = await begun(node, seats=6)
    return table, await other.table(table.rid)


async def test_seats_fill_exactly(tables: tuple[Table, Table]) -> None:
    """Of twenty players who join on both nodes at once six get a seat, each their own, and the others hear so."""
    one, two = tables
    answers = await asyncio.gather(*(join((one, two)[number % 2], f"player {number}") for number in range(20)))
    assert sum(answer.ok for answer in answers) == 6
    assert {answer.code for answer in answers if not answer.ok} == {ErrorCode.FULL}
    assert await one.fresh() == await two.fresh()
    seated = {seat.player for seat in one.race.seats.values()}
    assert seated == {f"player {number}" for number, answer in enumerate(answers) if answer.ok}


async def test_one_player_on_both(tables: tuple[Table, Table]) -> None:
    """A player who joins on both nodes at once has one seat."""
    one, two = tables
    answers = await asyncio.gather(join(one, "ann"), join(two, "ann"))
    assert all(answer.ok for answer in answers)
    assert [answer.dup for answer in answers].count(True) == 1
    assert len(await one.fresh() and one.race.seats) == 1


async def test_last_readies_start_once(tables: tuple[Table, Table]) -> None:
    """The last two seats are ready on two nodes at once: the race starts, once, on one deal."""
    one, two = tables
    for number in range(6):
        await join(one, f"player {number}")
    for number in range(4):
        await ready(two, f"player {number}")
    await asyncio.gather(ready(one, "player 4"), ready(two, "player 5"))
    race = await one.fresh()
    assert race.started
    assert race == await two.fresh()


async def test_seats_never_conflict(node: Tables, other: Tables, redis: Redis) -> None:
    """Plays of two seats at once on two nodes are each appended at the first try."""
    one = await begun(node, "ann", "bob")
    two = await other.table(one.rid)
    await redis.config_resetstat()
    tried = Counter(node.metrics.appends.counts)
    for n, word in enumerate(("d", "5", "2", "d", "7"), 1):
        at_once = await asyncio.gather(
            one.ask(ask.Play("ann", n, word, node.clock.now())), two.ask(ask.Play("bob", n, word, other.clock.now()))
        )
        assert [answer.lane for answer in at_once] == [n, n]
    assert await calls(redis, "xadd") == 10
    # Counted here, for Redis also reads where a ring overtakes a reply.
    assert Counter(node.metrics.appends.counts) - tried == {"appended": 5}
    assert other.metrics.appends.counts == {"appended": 5}
    assert await one.fresh() == await two.fresh()


async def test_one_seat_on_two_nodes(node: Tables, other: Tables) -> None:
    """One seat played on both nodes at once has one move of each number: the same is a repeat, another is stale."""
    one = await begun(node, "ann", "bob")
    two = await other.table(one.rid)
    same = await asyncio.gather(play(node, one, "ann", "d", n=1), play(other, two, "ann", "d", n=1))
    assert sorted(answer.dup for answer in same) == [False, True]
    differ = await asyncio.gather(play(node, one, "ann", "5", n=2), play(other, two, "ann", "d", n=2))
    assert sorted(answer.ok for answer in differ) == [False, True]
    assert next(answer for answer in differ if not answer.ok).code is ErrorCode.STALE_LANE
    assert await one.fresh() == await two.fresh()


async def test_closed_once(node: Tables, other: Tables) -> None:
    """The last two seats end on two nodes at once: the race is closed exactly once, and both nodes know."""
    heard, elsewhere = Heard(), Heard()
    one = await begun(node, "ann", "bob")
    two = await other.table(one.rid)
    one.follow(heard)
    two.follow(elsewhere)
    await asyncio.gather(one.ask(ask.Done("ann", node.clock.now())), two.ask(ask.Done("bob", other.clock.now())))
    assert await heard.closing() == await elsewhere.closing()
    assert one.race.over is FinishReason.ALL
    assert heard.kinds == elsewhere.kinds
    assert heard.kinds.count("race.finished") == 1
    one.unfollow(heard)
    two.unfollow(elsewhere)


async def test_late_play_is_over(node: Tables) -> None:
    """A play that comes to the log just after the clear that ended the race is `over`, though it is written."""
    table = await begun(node, "ann", "bob", goal="first")
    await play(node, table, "ann", *WINNING[:-1])
    await play(node, table, "bob", "d")
    assert table.race.opening is not None
    clear = packed(Played(1, len(WINNING), WINNING[-1]))
    mac = entry_mac(bytes.fromhex(table.race.opening.salt), clear)
    await node.log.append(table.rid, table.race.cursor, "1", [(mac, clear)])  # As a node does that then dies.
    before = table.race.seq
    late = await play(node, table, "bob", "5")
    assert (late.ok, late.code, late.lane, late.seq) == (False, ErrorCode.OVER, 1, before + 2)
    assert table.race.seats[2].words == ("d",)


async def test_doorbell(node: Tables, other: Tables) -> None:
    """A node that follows a race is told what another appends, each entry once, without asking."""
    heard = Heard()
    one = await begun(node, "ann", "bob")
    two = await other.table(one.rid)
    two.follow(heard)
    await play(node, one, "ann", "d", "5", "2")
    await heard.reached(one.race.seq)
    assert [after.seq for _, _, after in heard.entries] == [one.race.seq - 2, one.race.seq - 1, one.race.seq]
    two.unfollow(heard)


async def test_created_once(node: Tables, other: Tables, redis: Redis) -> None:
    """The same player with the same key creates one race, on two nodes at once, and its bots are asked for once."""
    card = read_card({"code": CODE, "seats": 3, "bots": [{"bot": "solver"}, {"bot": "greedy", "pace": 2}]})
    tables = await asyncio.gather(*(where.offers.create(card, "ann", "key") for where in (node, other, node, other)))
    assert len({table.rid for table in tables}) == 1
    assert len(await redis.xrange(keys.race_log(tables[0].rid))) == 1
    assert await redis.xlen(keys.WANTED) == 2
    assert (await node.offers.create(card, "bob", "key")).rid != tables[0].rid
    assert (await node.offers.create(card, "ann", "other")).rid != tables[0].rid


async def test_storm(node: Tables, other: Tables) -> None:
    """Many commands of all kinds on both nodes at once leave one history that folds to what both nodes hold."""
    one = await begun(node, "ann", "bob", "eve")
    two = await other.table(one.rid)

    async def seat(where: Tables, table: Table, player: str, connection: int) -> None:
        words = ["d", "5", "2", "d", "7", "1", "d", "d", "4", "d", "4", "4", "2", "d", "1", "7", "5", "5"]
        for n, word in enumerate(words, 1):
            await table.ask(ask.Play(player, n, word, where.clock.now()))
            if n % 5 == 0:
                await table.ask(ask.MarkBack(player, connection + n))
                await table.ask(ask.MarkAbsent(1, connection))
            if n % 7 == 0:
                await table.ask(ask.Join("dan", "Dan", "person", 1))

    await asyncio.gather(
        *(
            seat(where, table, player, at * 100)
            for at, (where, table) in enumerate(((node, one), (other, two)))
            for player in ("ann", "bob", "eve")
        )
    )
    entries = await node.log.read(one.rid)
    assert await one.fresh() == await two.fresh() == fold(Race(one.rid), entries, node.secrets)
    assert all(seat.lane == 18 for seat in one.race.seats.values())
