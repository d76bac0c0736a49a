"""Winnable deals from their proof to the race that is played on one, on a real Redis."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest
from redis.asyncio import Redis

from bots.analysis.position import reach
from bots.analysis.prover import StockProver
from engine.codes import OPEN_LETTERS, SEALED_LETTERS, Code, parse_code
from engine.game import first_board
from engine.stock import SHELVES, deal_of, shelf_key, shelf_of, unpack_proved
from engine.wire import inbound
from engine.wire.outbound import Snap
from server.store.keyring import KeyRing, new_key_ring, rotated
from server.store.stock import Stock, StockEmpty
from tests.server.conftest import Serve, ring, serve, server
from tests.server.served import Server

__all__ = ["ring", "serve", "server"]

KEY = b"k" * 32
T = TypeVar("T")


async def compute(work: Callable[[], T]) -> T:
    return work()


async def filled(redis: Redis, ring: KeyRing, *shelves: str, most: int = 2) -> None:
    """Prove deals until these shelves are full."""
    prover = StockProver(redis, ring.current, ring.key(ring.current), most, shelves)
    while await prover.restock(compute):
        pass


@pytest.mark.parametrize("game", ["GO1-E", "GO1-C", "GO1-S", "GO1-CJ1X", "DS1-D3N"])
@pytest.mark.parametrize("sealed", [False, True], ids=["open", "sealed"])
async def test_shelves_are_filled_with_what_can_be_won(redis: Redis, game: str, sealed: bool) -> None:
    """As many deals as asked for, each of the right width, each winnable, each another; then nothing is to be done."""
    shelf = shelf_of(game, sealed)
    prover = StockProver(redis, "kid", KEY, 2, [shelf])
    while await prover.restock(compute):
        assert await redis.llen(shelf_key(shelf)) <= 2
    proved = [unpack_proved(text) for text in await redis.lrange(shelf_key(shelf), 0, -1)]
    codes = [deal_of(shelf, KEY, one.number) for one in proved]
    assert [one.kid for one in proved] == ["kid", "kid"]
    assert len(set(codes)) == 2
    for code in codes:
        assert len(code.number) == (SEALED_LETTERS if sealed else OPEN_LETTERS)
        assert str(code) == str(parse_code(str(code)))
        assert reach(first_board(code)).winnable


async def test_a_shelf_where_nothing_is_won_rests(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no deal is proved for a spell, others have their turn."""
    monkeypatch.setattr("bots.analysis.prover.SPELL_MS", 0.0)
    prover = StockProver(redis, "kid", KEY, 1, ["DS1-D3V:open"])
    assert await prover.restock(compute)
    assert not await prover.restock(compute)


async def test_what_was_asked_for_is_kept_too(redis: Redis) -> None:
    """A game that is not always kept is, once somebody has asked for it; the option O makes no difference."""
    stock = Stock(redis)
    with pytest.raises(StockEmpty, match="DS1-D1N:open"):
        await stock.take("DS1-D1NO", False, ["kid"])
    assert await redis.smembers(SHELVES) == {b"DS1-D1N:open"}
    prover = StockProver(redis, "kid", KEY, 1, [])
    while await prover.restock(compute):
        pass
    first = await stock.take("DS1-D1NO", False, ["kid"])
    assert first.kid == "kid"
    with pytest.raises(StockEmpty):
        await stock.take("DS1-D1N", False, ["kid"])


async def test_deals_of_a_key_that_is_gone_are_left(redis: Redis) -> None:
    """Deals that nobody here can make are passed over; those of a key that was replaced are used."""
    old = new_key_ring()
    stranger = new_key_ring()
    await filled(redis, stranger, "GO1-E:open", most=1)
    await filled(redis, old, "GO1-E:open", most=2)
    ring = rotated(old)
    assert (await Stock(redis).take("GO1-E", False, ring.keys)).kid == old.current
    with pytest.raises(StockEmpty):
        await Stock(redis).take("GO1-E", False, ring.keys)


async def test_no_stock_is_busy(server: Server) -> None:
    """Without a proved deal the call is refused for now; a deal that is named is as it is."""
    guest = await server.guest()
    async with await server.offer(guest, {"game": "GO1-E", "winnable": True}) as answer:
        body = await answer.json()
        assert (answer.status, body["code"], body["reason"]) == (503, "busy", "winnable")
        assert answer.headers["Retry-After"] == "2"
    async with await server.offer(guest, {"code": "GO1-E-AAAAAAB", "winnable": True}) as answer:
        assert (answer.status, (await answer.json())["reason"]) == (400, "winnable")


@pytest.mark.parametrize("sealed", [False, True], ids=["open", "sealed"])
async def test_a_winnable_race_is_on_a_proved_deal(serve: Serve, redis: Redis, ring: KeyRing, sealed: bool) -> None:
    """The race's deal is the one that was proved, told only when it may be; it is used once, also on a repeat."""
    server = await serve()
    shelf = shelf_of("GO1-C", sealed)
    await filled(redis, ring, shelf)
    expected = [_deal(shelf, ring, text) for text in await redis.lrange(shelf_key(shelf), 0, -1)]
    guest = await server.guest()
    card = {"game": "GO1-C", "winnable": True, "sealed": sealed, "seats": 1}
    for _ in range(2):
        async with await server.offer(guest, card, **{"Idempotency-Key": "k"}) as answer:
            assert answer.status == 201
            race = (await answer.json())["race"]
    assert await redis.llen(shelf_key(shelf)) == 1

    anna = await server.talker(guest)
    joined = await anna.join(race)
    assert joined.card["winnable"] is True
    assert "code" not in joined.card
    assert (await anna.ask(inbound.Ready(race))).ok
    await anna.had(Snap, lambda snap: snap.reason == "start")
    assert (await anna.ask(inbound.Resign(race))).ok
    end = await anna.until(Snap, lambda snap: snap.reason == "end")
    assert end.card["code"] == str(expected[0])
    async with server.http.post(
        "/api/verify", data=await (await server.http.get(f"/api/races/{race}/record")).read()
    ) as answer:
        assert (await answer.json())["ok"] is True


def _deal(shelf: str, ring: KeyRing, text: bytes) -> Code:
    proved = unpack_proved(text)
    return deal_of(shelf, ring.key(proved.kid), proved.number)
