"""Accounts: a name belongs to one player, whoever asks first, and a link lets in once."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from engine.names import look, shown_name
from server.store import keys
from server.store.accounts import Account, Accounts, NameTaken
from server.store.log import Log

pytestmark = pytest.mark.either_redis


async def test_a_claimed_name_is_one_players(redis: Redis, log: Log) -> None:
    """Nobody else can have it, nor what looks like it; who claims another name gives the first one back."""
    accounts = Accounts(redis, log.keep)
    first = await accounts.claim("ann", "Anna Kiss")
    assert await accounts.account("ann") == first == Account("ann", "Anna Kiss", first.since)
    for name in ("Anna Kiss", "anna.kiss", "Аnnа K1ss", "ANNA  KISS"):
        assert await accounts.taken(name, "bob")
        assert not await accounts.taken(name, "ann")
        with pytest.raises(NameTaken, match="choose another"):
            await accounts.claim("bob", name)
    assert await accounts.account("bob") is None
    await asyncio.sleep(0.002)
    renamed = await accounts.claim("ann", "Ádám")
    assert (renamed.name, renamed.since) == ("Ádám", first.since)
    assert (await accounts.claim("bob", "Anna Kiss")).since > first.since
    assert await redis.hlen(keys.ACCOUNT_NAMES) == 2


async def test_who_claims_first_has_it(redis: Redis) -> None:
    """Of many who claim a name at once exactly one gets it."""
    accounts = Accounts(redis)
    got = await asyncio.gather(*(accounts.claim(f"p{n}", "Anna") for n in range(20)), return_exceptions=True)
    assert sum(isinstance(one, Account) for one in got) == 1
    assert sum(isinstance(one, NameTaken) for one in got) == 19


async def test_a_link_lets_in_once(redis: Redis, log: Log) -> None:
    """A link is good for one use, and its secret is nowhere in Redis; what is no link lets nobody in."""
    accounts = Accounts(redis, log.keep)
    secret = await accounts.make_link("token")
    assert not [key async for key in redis.scan_iter() if secret.encode() in key]
    used = await asyncio.gather(*(accounts.use_link(secret) for _ in range(5)))
    assert sorted(used, key=str) == [None] * 4 + ["token"]
    for wrong in ("", "x", secret):
        assert await accounts.use_link(wrong) is None
    await accounts.make_link("token")
    [key] = [key async for key in redis.scan_iter("*link*")]
    assert 0 < await redis.ttl(key) <= 600


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        pytest.param("Anna", "Аnnа", True, id="Cyrillic letters"),
        pytest.param("Anna", "ᎪNNᎪ", True, id="Cherokee letters"),
        pytest.param("Hans Bob", "Ηanѕ Вօb", True, id="Greek, Cyrillic and Armenian letters"),
        pytest.param("iris", "İrıs", True, id="i with and without its dot"),
        pytest.param("Aelia", "Ælia", True, id="two letters in one"),
        pytest.param("lain", "Iain", True, id="l and I"),
        pytest.param("Bob", "B0b", True, id="o and 0"),
        pytest.param("modern", "modem", True, id="rn and m"),
        pytest.param("Anna Kiss", "anna_kiss", True, id="case, spaces, punctuation"),
        pytest.param("ＡＮＮＡ", "anna", True, id="full width"),
        pytest.param("Nguyễn", "Nguyễn".encode().decode(), True, id="the same"),
        pytest.param("Nguyễn", "Nguyen", False, id="marks are letters of their own"),
        pytest.param("★★", "★", False, id="signs only"),
        pytest.param("Anna", "Hanna", False, id="another name"),
    ],
)
def test_looks(one: str, other: str, alike: bool) -> None:
    """Names look alike when people would take one for the other."""
    assert (look(one) == look(other)) is alike
    assert look(one)
    assert " " not in look(one)


@pytest.mark.parametrize(
    "blank",
    ["\u3164", "\u115f", "\u1160", "\uffa0", "\u2800", "\u034f", "\u17b4", "\u180b", "\ufe0f", "\U000e0100", "\u200b"],
    ids=ascii,
)
def test_what_is_drawn_as_nothing_is_no_part_of_a_name(blank: str) -> None:
    """A name is no other one for a letter, sign or mark that nobody sees, and is none where it has nothing else."""
    assert shown_name(f"An{blank}na{blank}", 40) == "Anna"
    assert shown_name(blank * 3, 40) == ""


def test_names_are_counted_in_letters() -> None:
    """A letter counts once, however many marks it takes to write it, and bears no tower of them."""
    assert shown_name("Nguye\u0302\u0303n" * 10, 12) == "NguyễnNguyễn"
    assert shown_name("e\u0323\u0302\u0301" * 5, 3) == "ệ\u0301" * 3
    assert len(shown_name("z" + "\u0301" * 50 + "algo", 40)) <= 5 + 3
    assert shown_name("\u0301\u0301", 40) == ""
