"""The races that a node has open: found, put away, found again."""

import asyncio
import gc

import pytest
from redis.asyncio import Redis

from engine.race import commands as ask
from engine.race.card import read_card
from engine.secrets import receipt_holds
from engine.stock import Proved, pack_proved, shelf_key, shelf_of
from server.races.hiring import TooManyBots
from server.races.offers import random_number
from server.races.table import Table
from server.races.tables import Tables, UnknownRace
from server.store import keys
from server.store.keyring import KeyRing, new_key_ring
from server.store.log import LogError
from server.store.stock import StockEmpty
from tests.server.races.conftest import Heard, NewNode, begun, join, play


async def test_unknown_race(node: Tables, redis: Redis) -> None:
    """A race that was never created is unknown, and asking for it leaves nothing behind."""
    with pytest.raises(UnknownRace):
        await node.table("nowhere")
    assert await redis.keys("race:*") == []
    assert "nowhere" not in node._tables


async def test_bots_of_a_race_that_was_not_made(new_node: NewNode) -> None:
    """However often a race is asked for whose deal is not proved yet, its bots are not counted."""
    node = await new_node(bots_per_player=2)
    card = read_card({"game": "GO1-E", "winnable": True, "seats": 2, "bots": [{"bot": "greedy"}]})
    for key in ("first", "second", "third"):
        with pytest.raises(StockEmpty):
            await node.offers.create(card, "ann", key)


async def test_bots_of_a_race_that_two_make(new_node: NewNode, redis: Redis, ring: KeyRing) -> None:
    """Asked for twice at a time, with one deal for both, a race is made once, and its bots count."""
    node = await new_node(bots_per_player=1)
    await redis.rpush(shelf_key(shelf_of("GO1-E", False)), pack_proved(Proved(ring.current, 1)))
    card = read_card({"game": "GO1-E", "winnable": True, "seats": 2, "bots": [{"bot": "greedy"}]})
    twice = await asyncio.gather(*(node.offers.create(card, "ann", "key") for _ in range(2)), return_exceptions=True)
    assert {one.rid for one in twice if isinstance(one, Table)} == {(await node.offers.create(card, "ann", "key")).rid}
    with pytest.raises(TooManyBots, match="found 1 and 1 more"):
        await node.offers.create(card, "ann", "another")


async def test_put_away(new_node: NewNode) -> None:
    """Of many races a node keeps no more than it may, but all that are followed, and each is as it was when back."""
    node = await new_node(races_cached=4)
    heard = Heard()
    followed = [await begun(node, "ann", key=f"followed {number}", seats=2) for number in range(10)]
    for table in followed:
        table.follow(heard)
    others = [(await begun(node, "ann", key=f"other {number}", seats=2)).rid for number in range(20)]
    gc.collect()
    assert all(node._alive[table.rid] is table for table in followed)
    assert len(node._alive) <= len(followed) + 4
    back = await node.table(others[0])
    assert back.race.seats[1].player == "ann"
    assert (await join(back, "bob")).ok
    for table in followed:
        table.unfollow(heard)


async def test_held_and_followed_later(new_node: NewNode, other: Tables) -> None:
    """A race that was put away while somebody held it is still the only one of its name, and hears the doorbell."""
    node = await new_node(races_cached=1)
    heard = Heard()
    held = await begun(node, "ann", "bob")
    await begun(node, "ann", key="another", seats=2)
    assert await node.table(held.rid) is held
    await begun(node, "ann", key="yet another", seats=2)
    held.follow(heard)
    answer = await play(other, await other.table(held.rid), "ann", "d")
    await heard.reached(answer.seq)
    held.unfollow(heard)


async def test_receipt(node: Tables, ring: KeyRing) -> None:
    """A receipt proves an entry of this race, at its own place."""
    table = await begun(node, "ann", "bob")
    race = table.race
    sig, key = node.secrets.receipt(race), ring.key(race.kid)
    assert receipt_holds(sig, key, race.id, 0, race.seq, race.h)
    assert not receipt_holds(sig, key, race.id, 1, race.seq, race.h)
    assert node.secrets.receipt(race, 1, "00" * 16) != sig


async def test_key_missing(redis: Redis, redis_url: str, node: Tables) -> None:
    """A node whose ring lacks the key that a log names says so, and which key it has."""
    from server.settings import Settings
    from server.store.connect import connect

    table = await begun(node, "ann", "bob")
    client = connect(redis_url)
    async with Tables(Settings(), client, new_key_ring()) as stranger:
        with pytest.raises(LogError, match="give all nodes one ring"):
            await stranger.table(table.rid)
    await client.aclose()


async def test_log_of_another_version(node: Tables, redis: Redis) -> None:
    """An entry of a kind from the future is an error with its place; nothing is decided on such a race."""
    table = await begun(node, "ann", "bob")
    fields = {b"h": b"ab" * 16, b"a": b"%d" % table.race.at, b"l": b"*", b"b": b"\x94\xa6race.x\x01\xc0\x80"}
    await redis.xadd(keys.race_log(table.rid), fields, f"{table.race.seq + 1}-0")
    with pytest.raises(LogError) as caught:
        await table.ask(ask.Join("dan", "Dan", "person", 1))
    assert caught.value.seq == table.race.seq + 1
    with pytest.raises(LogError):
        await node.table(table.rid)


def test_random_number() -> None:
    """A drawn number is one of a seven-letter code."""
    assert {len(random_number()) for _ in range(100)} == {7}
    assert len({random_number() for _ in range(100)}) > 90
