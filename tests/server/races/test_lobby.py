"""The lobby: which races there are, newest first, page by page."""

import pytest
from redis.asyncio import Redis

from engine.race import commands as ask
from engine.race.card import read_card
from server.races.lobby import Listed, LobbyCursorError
from server.races.table import Table
from server.races.tables import Tables
from tests.server.races.conftest import CODE, Heard, begun, join


async def listed(node: Tables, count: int = 1, **filters: str) -> list[Listed]:
    """The first page with these filters, as soon as it has so many races."""
    while len((await node.lobby.page(**filters))[0]) != count:
        pass
    return (await node.lobby.page(**filters))[0]


async def opened(node: Tables, key: str, **card: object) -> Table:
    return await node.create(read_card({"code": CODE, **card}), "host", key)


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
    drawn = await node.create(read_card({"game": "GO1-E", "seats": 1}), "host", "drawn")
    await join(drawn, "ann")
    await drawn.ask(ask.Ready("ann", "AAAAAAC", delay_ms=60_000))
    assert all("code" not in one.card for one in await listed(node, 2, status="live"))


async def test_cancelled(node: Tables) -> None:
    """A race that was called off is on no list."""
    table = await opened(node, "key")
    await listed(node, 1)
    await table.ask(ask.Cancel("host"))
    assert await listed(node, 0) == []


async def test_written_in_the_end(node: Tables, redis: Redis) -> None:
    """What cannot be written to the lobby now is written when it can be."""
    await redis.set("lobby:open", "in the way")
    table = await opened(node, "key")
    while not await redis.hexists("lobby:races", table.rid):
        pass
    await redis.delete("lobby:open")
    assert [one.race for one in await listed(node)] == [table.rid]
