"""The first message, the two subprotocols, and what is no message."""

from __future__ import annotations

import msgpack
import msgspec
import pytest
from aiohttp import WSServerHandshakeError

from engine.log.entry import GENESIS
from engine.wire import inbound
from engine.wire.codec import Subprotocol
from engine.wire.outbound import Error, Pong, Res, Resumed, Welcome
from tests.server.conftest import Serve
from tests.server.served import Server

UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


@pytest.mark.parametrize("subprotocol", list(Subprotocol))
async def test_welcome_says_who_and_how(server: Server, subprotocol: Subprotocol) -> None:
    """`welcome` names the player, a token for the next time, the server's clock, its limits and its durability."""
    anna = await server.talker(subprotocol=subprotocol, name="  Anna \u202e\n Kiss ")
    assert anna.welcome is not None
    assert anna.welcome.name == "Anna Kiss"
    assert anna.welcome.durability == "fsync"
    assert anna.welcome.heartbeat_ms == 10_000
    assert anna.welcome.limits["play"] == {"burst": 100, "per_s": 30}
    assert anna.welcome.limits["max_msg_bytes"] == 16_384
    again = await server.talker(None)
    assert again.welcome is not None
    assert again.welcome.player != anna.welcome.player


async def test_token_keeps_the_player(server: Server) -> None:
    """The token of a guest, and that of a welcome, bring the same player back, under another name if one is given."""
    guest = await server.guest("Anna")
    first = await server.talker(guest)
    assert first.welcome is not None
    assert (first.welcome.player, first.welcome.name) == (guest.player, "Anna")
    second = await server.connect()
    await second.say(inbound.Hello(1, token=first.welcome.token, name="Panni"))
    welcome = await second.until(Welcome)
    assert (welcome.player, welcome.name) == (guest.player, "Panni")


async def test_a_race_is_resumed_once(server: Server) -> None:
    """A greeting that names one race again and again is told once what it has missed there, from the last place."""
    anna, watcher = await server.talker(), await server.talker()
    race = await server.started(anna, code="GO1-E-AAAAAAB")
    seen = await watcher.watch(race)
    await anna.play(race, "d 5")
    again = await server.talker(
        resume=(*[inbound.Resume(race, "watch", 0, GENESIS)] * 15, inbound.Resume(race, "watch", seen.seq, seen.hash))
    )
    await again.watch(race)
    assert [one.from_ for one in again.heard if isinstance(one, Resumed)] == [seen.seq + 1]


def _packed(**message: object) -> bytes:
    return msgspec.msgpack.encode(message)


@pytest.mark.parametrize(
    ("payload", "error", "code"),
    [
        pytest.param(_packed(t="hello", v=2), "version", 4426, id="another version"),
        pytest.param(_packed(t="hello", v=1, token="x.y"), "auth", 4401, id="a token that is not ours"),
        pytest.param(_packed(t="ping", c=1), "bad_frame", 4400, id="another message first"),
        pytest.param(_packed(t="join", race="r"), "bad_frame", 4400, id="a command first"),
    ],
)
async def test_wrong_beginnings(server: Server, payload: bytes, error: str, code: int) -> None:
    """Whoever begins wrongly is told how, and the socket is closed with the code for it."""
    talker = await server.connect()
    await talker.raw(payload)
    assert (await talker.error()).code == error
    assert await talker.closed() == code


async def test_no_hello(serve: Serve) -> None:
    """Who says nothing is told so and closed."""
    talker = await (await serve(hello_timeout_ms=10)).connect()
    assert (await talker.error()).code == "bad_frame"
    assert await talker.closed() == 4400


async def test_hello_twice(server: Server) -> None:
    """A second `hello` says nothing new: the socket goes on."""
    anna = await server.talker()
    await anna.say(inbound.Hello(1), inbound.Ping(7))
    assert (await anna.error()).code == "bad_frame"
    assert (await anna.until(Pong)).c == 7


async def test_a_frame_of_the_other_kind(server: Server) -> None:
    """A text frame on msgpack, or a binary one on JSON, is the end."""
    packed, text = await server.talker(), await server.talker(subprotocol=Subprotocol.JSON)
    await packed.socket.send_str('{"t":"ping"}')
    await text.socket.send_bytes(msgpack.packb({"t": "ping"}))
    for talker in (packed, text):
        assert (await talker.error()).code == "bad_frame"
        assert await talker.closed() == 4400


async def test_json_without_a_subprotocol(server: Server) -> None:
    """A client that offers no subprotocol speaks JSON."""
    talker = await server.connect(None)
    assert talker.socket.protocol is None
    await talker.say(inbound.Hello(1))
    assert isinstance(await talker.next(), Welcome)


async def test_another_subprotocol(server: Server) -> None:
    """A client that offers only what is not spoken here is told what is; of several the first known one counts."""
    async with server.http.get("/ws", headers=UPGRADE | {"Sec-WebSocket-Protocol": "chat, fairdeal.v2.json"}) as answer:
        told = await answer.json()
        assert (answer.status, told["reason"]) == (400, "Sec-WebSocket-Protocol")
        assert Subprotocol.JSON in told["message"]
    socket = await server.http.ws_connect("/ws", protocols=("chat", Subprotocol.JSON, Subprotocol.MSGPACK))
    assert socket.protocol == Subprotocol.JSON


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(b"\xc1", id="no msgpack"),
        pytest.param(b"", id="empty"),
        pytest.param(_packed(t="dance"), id="unknown message"),
        pytest.param(_packed(race="r"), id="no t"),
        pytest.param(msgpack.packb([1, 2]), id="no map"),
        pytest.param(msgpack.packb({"t": "ping", 1: 2}), id="keys that are no text"),
        pytest.param(b"\x91" * 10_000, id="nested too deep"),
    ],
)
async def test_garbage_is_told_and_counted(server: Server, payload: bytes) -> None:
    """A frame that holds no message is answered by `error`, and the socket goes on."""
    anna = await server.talker()
    await anna.raw(payload)
    assert (await anna.error()).code == "bad_frame"
    await anna.say(inbound.Ping("still here"))
    assert (await anna.until(Pong)).c == "still here"


async def test_a_command_that_cannot_be_read_is_answered(server: Server) -> None:
    """Where the id can be read, the answer is a `res`: a command has exactly one."""
    anna = await server.talker()
    await anna.raw(_packed(t="play", id="p1", race="r", n="one", m="d"))
    res = await anna.until(Res)
    assert (res.id, res.ok, res.code) == ("p1", False, "bad_frame")
    assert "`$.n`" in (res.message or "")
    assert not any(isinstance(message, Error) for message in anna.heard)


async def test_garbage_without_end(server: Server) -> None:
    """Who sends nothing but garbage is closed as breaking the rules."""
    anna = await server.talker()
    for _ in range(20):
        await anna.raw(b"\xc1")
    assert await anna.closed() == 1008


async def test_a_message_too_long(server: Server) -> None:
    """A message longer than the limit closes the socket (RFC 6455: 1009)."""
    anna = await server.talker()
    await anna.raw(_packed(t="ping", c="x" * 20_000))
    assert await anna.closed() == 1009


async def test_origin(server: Server) -> None:
    """A browser's page may open a socket only to the server that it came from."""
    host = server.url.removeprefix("http://").rstrip("/")
    own = await server.connect(origin=f"http://{host}")
    assert not own.socket.closed
    for origin in ("https://elsewhere.example", "null", "http://127.0.0.1:1", "http://[::1"):
        with pytest.raises(WSServerHandshakeError) as refused:
            await server.connect(origin=origin)
        assert refused.value.status == 403


async def test_origin_behind_a_proxy(serve: Serve) -> None:
    """The page at the public address is this server's own, whatever the proxy makes of the host."""
    server = await serve(public_url="https://fairdeal.example")
    assert not (await server.connect(origin="https://fairdeal.example")).socket.closed


async def test_the_dead_are_dropped(serve: Serve) -> None:
    """A client that is silent for too long, pongs included, is cut off; one that pongs lives."""
    server = await serve(heartbeat_ms=20, dead_after_ms=60)
    dead = await server.connect(autoping=False)
    await dead.say(inbound.Hello(1))
    assert await dead.closed() in (1006, None)
    living = await server.talker()
    await living.say(inbound.Ping(1))
    assert (await living.until(Pong)).c == 1
