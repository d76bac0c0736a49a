"""The lobby: which races there are, newest first, page by page."""

import pytest
from redis.asyncio import Redis

from engine.race import commands as ask
from engine.race.card import read_card
from server.races import lobby
from server.races.lobby import Listed, Lobby, LobbyCursorError
from server.races.table import Table
from server.races.tables import Tables
from server.store import keys
from tests.server.cut import cut
from tests.server.races.conftest import CODE, WINNING, Heard, begun, join, play

pytestmark = pytest.mark.either_redis


async def listed(node: Tables, count: int = 1, **filters: str) -> list[Listed]:
    """The first page with these filters, as soon as it has so many races."""
    while len((await node.lobby.page(**filters))[0]) != count:
        pass
    return (await node.lobby.page(**filters))[0]


async def opened(node: Tables, key: str, **card: object) -> Table:
    return await node.offers.create(read_card({"code": CODE, **card}), "host", key)


async def finished(node: Tables, key: str, *players: str) -> Table:
    heard = Heard()
    table = await begun(node, *players, key=key)
    table.follow(heard)
    for player in players:
        await table.ask(ask.Done(player, node.clock.now()))
    await heard.closing()
    table.unfollow(heard)
    return table


async def test_status(node: Tables, other: Tables) -> None:
    """A race is listed as what it is, on every node: open, live (or starting), finished with its standings."""
    waiting = await opened(node, "open")
    live = await begun(node, "ann", "bob", key="live")
    over = await finished(node, "finished", "ann", "eve")
    assert [one.race for one in await listed(other, status="open")] == [waiting.rid]
    [shown] = await listed(other, status="live")
    assert (shown.race, [seat["player"] for seat in shown.seats]) == (live.rid, ["ann", "bob"])
    [shown] = await listed(other, status="finished")
    assert shown.race == over.rid
    assert shown.standings is not None
    assert [standing["rank"] for standing in shown.standings] == [1, 1]
    assert [one.race for one in await listed(other, 3)] == [over.rid, live.rid, waiting.rid]


async def test_moves_are_not_news(node: Tables) -> None:
    """Of moves that leave a seat in play the first alone is news: no other changes what is shown, or what is due."""
    table, heard = await opened(node, "moves", seats=1), Heard()
    table.follow(heard)
    await join(table, "ann")
    await table.ask(ask.Ready("ann", "AAAAAAC", delay_ms=50))
    while not (await play(node, table, "ann", WINNING[0])).ok:
        pass  # It has not started yet.
    await play(node, table, "ann", *WINNING[1:])
    table.unfollow(heard)
    first, *others = [(before, after) for before, event, after in heard.entries if event.KIND == "seat.played"]
    won = others.pop()
    assert won[1].seats[1].end is not None
    assert lobby._shows(*first)
    assert not any(lobby._shows(*move) for move in others)
    assert {after.due() for _, after in others} == {first[0].due()} != {won[1].due()}


async def test_status_after_a_loss(node: Tables, redis: Redis) -> None:
    """A race that was shown as finished, and whose end a failover has lost, is shown as live again."""
    table = await finished(node, "key", "ann", "bob")
    await listed(node, status="finished")
    await cut(redis, table.rid, -3)
    await table.fresh()
    [shown] = await listed(node, status="live")
    assert (shown.race, shown.standings) == (table.rid, None)
    assert not (await node.lobby.page(status="finished"))[0]


async def test_pages(node: Tables) -> None:
    """Pages follow each other by cursor without a gap or a repeat, though races come meanwhile."""
    rids = [(await opened(node, f"key {number}")).rid for number in range(7)]
    await listed(node, 7)
    first, cursor = await node.lobby.page(limit=3)
    await opened(node, "meanwhile")
    await listed(node, 8)
    second, cursor = await node.lobby.page(limit=3, cursor=cursor)
    third, end = await node.lobby.page(limit=3, cursor=cursor)
    assert end is None
    assert [one.race for one in (*first, *second, *third)] == rids[::-1]


@pytest.mark.parametrize("cursor", ["", "x", "12", "12-", "-abc", "１２-abc", "9" * 20 + "-abc"])
async def test_wrong_cursor(node: Tables, cursor: str) -> None:
    """A cursor that no page gave is refused."""
    with pytest.raises(LobbyCursorError):
        await node.lobby.page(cursor=cursor)


async def test_unlisted(node: Tables) -> None:
    """A race that is not to be listed is on no list, whoever asks."""
    hidden = await begun(node, "ann", "bob", key="hidden", listed=False)
    shown = await begun(node, "ann", "bob", key="shown")
    for filters in ({}, {"code": CODE}, {"player": "ann"}, {"status": "live"}):
        assert [one.race for one in await listed(node, **filters)] == [shown.rid] != [hidden.rid]


async def test_filters(node: Tables) -> None:
    """Races are found by canonical code and by player, alone and together with a status."""
    one = await begun(node, "ann", "bob", key="one")
    two = await begun(node, "ann", "eve", key="two", code="GO1-C-AAAAAAC")
    assert [race.race for race in await listed(node, 1, code=CODE)] == [one.rid]
    assert [race.race for race in await listed(node, 2, player="ann")] == [two.rid, one.rid]
    assert [race.race for race in await listed(node, 1, player="eve")] == [two.rid]
    assert await listed(node, 0, player="ann", status="finished") == []
    assert [race.race for race in await listed(node, 1, player="ann", code=CODE)] == [one.rid]


async def test_left_player_is_not_found(node: Tables) -> None:
    """Who gave the seat back is not found as a player of that race."""
    table = await opened(node, "key")
    await join(table, "ann")
    await listed(node, 1, player="ann")
    await table.ask(ask.Leave("ann"))
    assert await listed(node, 0, player="ann") == []


async def test_drawn_and_sealed_deals_are_not_told(node: Tables) -> None:
    """The lobby never shows a deal that is not public yet."""
    await begun(node, "ann", "bob", key="sealed", code=None, game="GO1-E", sealed=True)
    drawn = await node.offers.create(read_card({"game": "GO1-E", "seats": 1}), "host", "drawn")
    await join(drawn, "ann")
    await drawn.ask(ask.Ready("ann", "AAAAAAC", delay_ms=60_000))
    assert all("code" not in one.card for one in await listed(node, 2, status="live"))


async def test_cancelled(node: Tables, redis: Redis) -> None:
    """A race that was called off is on no list, not even when another node writes late that it was open."""
    table = await opened(node, "key")
    was = table.race
    await listed(node, 1)
    await table.ask(ask.Cancel("host"))
    assert await listed(node, 0) == []
    late = Lobby(redis, node.clock)
    await late.put([was])
    assert await listed(node, 0) == []
    assert await listed(node, 0, code=CODE) == []


async def test_same_millisecond(node: Tables, redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages follow each other without a gap also where many races were created in one millisecond."""
    monkeypatch.setattr(lobby, "MAX_PAGE", 4)
    rids = [(await opened(node, f"key {number}")).rid for number in range(11)]
    await listed_count(redis, 11)
    await redis.zadd(keys.lobby("open"), dict.fromkeys(rids[2:], node.clock.now()))
    shown: list[str] = []
    page, cursor = await node.lobby.page(limit=3)
    shown += [one.race for one in page]
    while cursor is not None:
        page, cursor = await node.lobby.page(limit=3, cursor=cursor)
        shown += [one.race for one in page]
    assert shown == [*sorted(rids[2:], reverse=True), rids[1], rids[0]]


async def test_bounded(node: Tables, redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each status so many races are kept, the newest; nothing is left of the others."""
    monkeypatch.setattr(lobby, "MAX_LISTED", 3)
    rids = [(await opened(node, f"key {number}")).rid for number in range(5)]
    while {one.race for one in (await node.lobby.page())[0]} != set(rids[2:]):
        pass
    assert await redis.hlen(keys.LOBBY_RACES) == 3


async def listed_count(redis: Redis, count: int) -> None:
    """Wait until so many races are written."""
    while await redis.hlen(keys.LOBBY_RACES) != count:
        pass


async def test_written_in_the_end(node: Tables, redis: Redis) -> None:
    """What cannot be written to the lobby now is written when it can be."""
    await redis.set(keys.lobby("open"), "in the way")
    table = await opened(node, "key")
    while not await redis.hexists(keys.LOBBY_RACES, table.rid):
        pass
    await redis.delete(keys.lobby("open"))
    assert [one.race for one in await listed(node)] == [table.rid]
