"""Who is let in: by token, by name, by how many are there already; and who is sent away by a ruling."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from aiohttp import WSServerHandshakeError
from redis.asyncio import Redis

from engine.wire import inbound
from engine.wire.outbound import Error, Pong, Res
from server.address import origin_of
from server.live.limits import rate_of_player
from server.settings import Settings
from server.store.accounts import Accounts
from server.store.rulings import Act, Ruling, Rulings
from tests.server.conftest import Serve
from tests.server.served import Server, Talker

CODE = "GO1-E-AAAAAAB"


async def test_an_account_keeps_its_name(server: Server, redis: Redis) -> None:
    """Who has claimed a name is greeted by it on any device, whatever the client asks for."""
    anna = await server.guest("Anna")
    await Accounts(redis).claim(anna.player, "Anna Kiss")
    for wanted in (None, "Someone else"):
        talker = await server.talker(anna, name=wanted)
        assert talker.welcome is not None
        assert talker.welcome.name == "Anna Kiss"


async def test_nobody_is_greeted_by_anothers_name(server: Server, redis: Redis) -> None:
    """A name that looks like an account's is given to nobody else: they keep the one they had, or are guests."""
    bela = await server.guest("Béla")
    eve = await server.guest("Anna")
    await Accounts(redis).claim((await server.guest()).player, "Anna")
    for guest, wanted, name in ((bela, "Аnnа", "Béla"), (None, "anna", "Guest "), (eve, None, "Guest ")):
        talker = await server.talker(guest, name=wanted)
        assert talker.welcome is not None
        assert talker.welcome.name.startswith(name)


async def test_commands_wait_for_the_greeting(server: Server) -> None:
    """What is sent right behind `hello` is carried out after it, as that player."""
    anna = await server.guest("Anna")
    race = await server.race(anna, code=CODE, seats=1)
    talker = await server.connect()
    await talker.say(inbound.Hello(1, token=anna.token), inbound.Join(race, id="j"), inbound.Ready(race, id="r"))
    assert (await talker.until(Res, lambda res: res.id == "j")).ok
    assert (await talker.until(Res, lambda res: res.id == "r")).ok
    assert [type(message).__name__ for message in talker.heard[:2]] == ["Welcome", "Res"]


@pytest.mark.parametrize(("act", "code"), [(Act.BAN, 4403), (Act.SIGN_OUT, 4401)])
async def test_rulings_close_sockets(serve: Serve, redis: Redis, act: Act, code: int) -> None:
    """The sockets of a player who is banned, or has signed out, are closed on every node; others stay."""
    server, other = await serve(), await serve()
    eve = await server.guest("Eve")
    sockets = [await node.talker(eve) for node in (server, other)]
    anna = await server.talker(await server.guest("Anna"))
    await Rulings(redis).rule(Ruling(act, "admin", "x", player=eve.player))
    assert [await talker.closed() for talker in sockets] == [code, code]
    again = await server.connect()
    await again.say(inbound.Hello(1, token=eve.token))
    error = await again.until(Error)
    assert (error.code, error.reason) == (("forbidden", "banned") if act is Act.BAN else ("auth", None))
    assert await again.closed() == code
    await anna.say(inbound.Ping(1))
    assert (await anna.until(Pong)).c == 1


async def test_a_token_for_watching(server: Server) -> None:
    """A token that is not good for playing watches, and takes no seat."""
    guest = await server.guest("Screen", kind="bot", scopes=[])
    screen = await server.talker(guest)
    race = await server.race(await server.guest(), code=CODE)
    assert (await screen.ask(inbound.Join(race))).reason == "scope"
    assert (await screen.ask(inbound.Queue("GO1-E"))).code == "forbidden"
    await screen.watch(race)


async def test_sockets_are_counted(serve: Serve) -> None:
    """One player, and one address, has so many sockets and no more; who goes makes room."""
    server = await serve(sockets_per_player=2, sockets_per_address=4)
    anna = await server.guest("Anna")
    sockets = [await server.talker(anna) for _ in range(2)]
    third = await server.connect()
    await third.say(inbound.Hello(1, token=anna.token))
    assert await third.closed() == 4429
    await sockets.pop().close()
    while True:
        again = await once_there_is_room(server.connect)
        await again.say(inbound.Hello(1, token=anna.token))
        if type(await again.next()).__name__ == "Welcome":
            break
        await again.closed()
    others = [await once_there_is_room(server.talker) for _ in range(2)]
    with pytest.raises(WSServerHandshakeError, match="429"):
        await server.connect()
    assert len(others) == 2


async def once_there_is_room(come: Callable[[], Awaitable[Talker]]) -> Talker:
    """Come in; sockets that have been closed are counted a moment longer than their clients know."""
    while True:
        with suppress(WSServerHandshakeError):
            return await come()


async def test_sockets_that_come_together_are_counted(serve: Serve) -> None:
    """While it is looked up whose a name is, no more of a player's sockets come in than there may be."""
    server = await serve(sockets_per_player=2)
    anna = await server.guest("Anna")
    sockets = [await server.connect() for _ in range(8)]
    await asyncio.gather(*(socket.say(inbound.Hello(1, token=anna.token)) for socket in sockets))
    first = [type(await socket.next()).__name__ for socket in sockets]
    assert Counter(first) == {"Welcome": 2, "Error": 6}


async def test_sockets_of_one_player_share_a_rate(serve: Serve) -> None:
    """Whoever opens many sockets gets no more done than one player may, and each refusal says when to try again."""
    server = await serve(play_burst=100, play_rate=1)
    anna = await server.guest("Anna")
    race = await server.race(anna, code=CODE, seats=1)
    burst = rate_of_player(Settings(play_burst=100)).burst
    refused = 0
    for _ in range(burst // 100 + 2):
        talker = await server.talker(anna)
        for n in range(100):
            await talker.say(inbound.Play(race, 1, "d", id=f"p{n}"))
        answers = [await talker.until(Res) for _ in range(100)]
        refused += sum(res.code == "rate" and (res.retry_ms or 0) > 0 for res in answers)
    assert refused > 0


@pytest.mark.parametrize(
    ("peer", "forwarded", "hops", "origin"),
    [
        pytest.param("10.0.0.1", ["1.1.1.1"], 0, "10.0.0.1", id="no proxy is trusted"),
        pytest.param("10.0.0.1", ["1.1.1.1"], 1, "1.1.1.1", id="one proxy"),
        pytest.param("10.0.0.1", ["6.6.6.6, 1.1.1.1"], 1, "1.1.1.1", id="what the client wrote is passed over"),
        pytest.param("10.0.0.1", ["6.6.6.6", "1.1.1.1, 10.0.0.2"], 2, "1.1.1.1", id="two proxies, two headers"),
        pytest.param("10.0.0.1", [], 1, "10.0.0.1", id="past the proxy"),
        pytest.param("10.0.0.1", ["unknown"], 1, "10.0.0.1", id="no address"),
        pytest.param("2001:db8::1:2:3:4", [], 0, "2001:db8::/64", id="a network of IPv6"),
        pytest.param("10.0.0.1", ["2001:db8:0:1::9"], 1, "2001:db8:0:1::/64", id="IPv6 behind a proxy"),
        pytest.param("::ffff:1.2.3.4", [], 0, "1.2.3.4", id="IPv4 as IPv6"),
        pytest.param(None, [], 0, "", id="a unix socket"),
    ],
)
def test_origins(peer: str | None, forwarded: list[str], hops: int, origin: str) -> None:
    """A caller's address is what trusted proxies say, and no more."""
    assert origin_of(peer, forwarded, hops) == origin


async def test_limits_count_what_the_proxy_says(serve: Serve) -> None:
    """Behind a proxy each client has an address of its own; a forged header before it changes nothing."""
    server = await serve(proxy_hops=1, sockets_per_address=1)
    await server.connect(headers={"X-Forwarded-For": "1.1.1.1"})
    await server.connect(headers={"X-Forwarded-For": "2.2.2.2"})
    with pytest.raises(WSServerHandshakeError, match="429"):
        await server.connect(headers={"X-Forwarded-For": "9.9.9.9, 1.1.1.1"})
