"""Clients that mean harm, over bare TCP: each is answered or cut off within its limit, and others go on."""

from __future__ import annotations

import asyncio
import base64
import os
import struct
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import pytest

from engine.wire import inbound
from engine.wire.outbound import Pong
from tests.server.conftest import Serve
from tests.server.served import WAIT_S, Server

HANDSHAKE = (
    "GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n{more}\r\n"
)
TEXT, BINARY, CONTINUES, PING, PONG, RESERVED = 0x1, 0x2, 0x0, 0x9, 0xA, 0x3
JSON, MSGPACK = "Sec-WebSocket-Protocol: fairdeal.v1.json\r\n", "Sec-WebSocket-Protocol: fairdeal.v1.msgpack\r\n"
HELLO = b'{"t":"hello","v":1}'


class Line:
    """One TCP connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def all(self) -> bytes:
        """All that comes until the other end closes."""
        async with asyncio.timeout(WAIT_S):
            try:
                return await self.reader.read()
            except ConnectionError:
                return b""


@asynccontextmanager
async def line(server: Server) -> AsyncIterator[Line]:
    address = urlsplit(server.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        yield Line(reader, writer)
    finally:
        writer.close()


@asynccontextmanager
async def socket_line(server: Server, more: str = JSON) -> AsyncIterator[Line]:
    """A connection on which the handshake of `/ws` is done."""
    async with line(server) as opened:
        key = base64.b64encode(os.urandom(16)).decode()
        opened.writer.write(HANDSHAKE.format(host=urlsplit(server.url).netloc, key=key, more=more).encode())
        head = await opened.reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in head, head
        yield opened


def frame(payload: bytes, opcode: int = TEXT, *, first: int = 0x80, length: int | None = None) -> bytes:
    """One WebSocket frame (RFC 6455, 5.2); `length` may claim another length than the payload's."""
    claimed = len(payload) if length is None else length
    head = bytes([first | opcode])
    if claimed < 126:
        head += bytes([0x80 | claimed])
    elif claimed < 1 << 16:
        head += bytes([0x80 | 126]) + struct.pack(">H", claimed)
    else:
        head += bytes([0x80 | 127]) + struct.pack(">Q", claimed)
    return head + bytes(4) + payload


def close_code(data: bytes) -> int | None:
    """The code of the close frame that data ends with, if it does."""
    at = data.rfind(b"\x88")
    return struct.unpack(">H", data[at + 2 : at + 4])[0] if at >= 0 and len(data) >= at + 4 else None


@pytest.mark.parametrize(
    "begun",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\nX-A: ", id="half a header"),
        pytest.param(b"GET / HTTP/1.1\r\n" + b"X-A: b\r\n" * 50, id="headers without an end"),
    ],
)
async def test_slow_header(serve: Serve, begun: bytes) -> None:
    """A connection that brings no whole request in time is closed (slowloris)."""
    server = await serve(idle_ms=200)
    async with line(server) as slow:
        slow.writer.write(begun)
        assert await slow.all() == b""


async def test_slow_body(serve: Serve) -> None:
    """A call whose body does not come in time is refused."""
    server = await serve(body_ms=100)
    async with line(server) as slow:
        slow.writer.write(b"POST /api/players HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{")
        answer = await slow.all()
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"expected a body within 100 ms" in answer


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        pytest.param(b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", b"400", id="long path"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\nX-A: " + b"a" * 20_000 + b"\r\n\r\n", b"400", id="long header"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"400", id="TLS"),
        pytest.param(
            b"GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", b"400", id="smuggled"
        ),
        pytest.param(
            b"POST /api/players HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999999\r\nConnection: close\r\n\r\n"
            + b"a" * 99_999,
            b"413",
            id="long body",
        ),
    ],
)
async def test_bad_requests(serve: Serve, request_bytes: bytes, status: bytes) -> None:
    """What is no request, or too long a one, is refused and the connection closed."""
    server = await serve(idle_ms=500)
    async with line(server) as hostile:
        hostile.writer.write(request_bytes)
        assert (await hostile.all()).split(b" ")[1] == status


def deflated(payload: bytes) -> bytes:
    squeezer = zlib.compressobj(wbits=-15)
    return squeezer.compress(payload) + squeezer.flush(zlib.Z_SYNC_FLUSH)[:-4]


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        pytest.param(frame(b"a" * 20_000), 1009, id="oversized"),
        pytest.param(frame(b"", length=1 << 40), 1009, id="a claim of a terabyte"),
        pytest.param(frame(b"", length=(1 << 63) + 5), 1009, id="a claim of more than there is"),
        pytest.param(frame(b"x", RESERVED), 1002, id="reserved kind"),
        pytest.param(frame(b"x", first=0x90), 1002, id="reserved bit"),
        pytest.param(frame(deflated(b"a" * 10_000_000), first=0xC0), 1002, id="compressed bomb"),
        pytest.param(frame(b"a" * 200, PING), 1002, id="long ping"),
        pytest.param(frame(b'{"t":"hello","v":' + b"9" * 400 + b"}"), 4426, id="a version of 400 digits"),
        pytest.param(frame(HELLO, BINARY), 4400, id="the other kind of frame"),
        pytest.param(
            b"".join(frame(b"a" * 1_000, TEXT if not n else CONTINUES, first=0) for n in range(30)),
            1009,
            id="endless parts",
        ),
    ],
)
async def test_bad_frames(serve: Serve, sent: bytes, code: int) -> None:
    """A frame that is none, or holds no `hello`, closes the socket with the code for it; another client goes on."""
    server = await serve()
    other = await server.talker()
    async with socket_line(server) as hostile:
        hostile.writer.write(sent)
        assert close_code(await hostile.all()) == code
    await other.say(inbound.Ping(7))
    assert (await other.until(Pong)).c == 7


@pytest.mark.parametrize(
    "garbage",
    [
        pytest.param(b"\xff\xfe\xfd", id="invalid UTF-8"),
        pytest.param(b"[" * 15_000, id="deep nesting"),
        pytest.param(b'{"t":"hello","v":1,"name":"\\ud800"}', id="half a surrogate"),
        pytest.param(b'{"t":"hello","v":1,"resume":' + b"[{}," * 3_000 + b"{}]}", id="nested resumes"),
    ],
)
async def test_garbage(serve: Serve, garbage: bytes) -> None:
    """A frame that can be read but holds no message is answered with an error; too many close the socket."""
    server = await serve()
    async with socket_line(server) as hostile:
        hostile.writer.write(frame(garbage) * 12)
        heard = await hostile.all()
    assert heard.count(b'"code":"bad_frame"') == 11
    assert close_code(heard) == 1008


@pytest.mark.parametrize("opcode", [pytest.param(PING, id="pings"), pytest.param(PONG, id="pongs to no ping")])
@pytest.mark.parametrize("before", [b"", frame(HELLO)])
async def test_a_flood_of_control_frames(serve: Serve, opcode: int, before: bytes) -> None:
    """Frames that say nothing cost as much to hear as those that do: who sends them without end is closed, too."""
    server = await serve()
    async with socket_line(server) as hostile:
        hostile.writer.write(before + frame(b"x", opcode) * 700)
        assert close_code(await hostile.all()) == 4429


async def test_a_client_may_ping(serve: Serve) -> None:
    """A client that asks now and then whether the server is there is answered."""
    server = await serve()
    async with socket_line(server) as client:
        client.writer.write(b"".join(frame(b"%d" % n, PING) for n in range(20)))
        async with asyncio.timeout(WAIT_S):
            assert await client.reader.readuntil(b"19")


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(b"-9223372036854775809", id="below 64 bits"),
        pytest.param(b"18446744073709551616", id="above 64 bits"),
        pytest.param(b"1e308", id="a float"),
        pytest.param(b"true", id="a truth"),
        pytest.param(b"-1", id="negative"),
        pytest.param(b"9223372036854775807", id="most"),
    ],
)
async def test_integer_extremes(serve: Serve, value: bytes) -> None:
    """A number of an operation that cannot be is refused, and the socket goes on."""
    server = await serve()
    async with socket_line(server) as hostile:
        hostile.writer.write(frame(HELLO))
        hostile.writer.write(frame(b'{"t":"play","id":"x","race":"' + b"a" * 26 + b'","n":' + value + b',"m":"d"}'))
        hostile.writer.write(frame(b'{"t":"ping","c":"on"}'))
        heard = b""
        async with asyncio.timeout(WAIT_S):
            while not (b'"pong"' in heard and b'"id":"x"' in heard):
                heard += await hostile.reader.read(4096)
    assert b'"ok":false' in heard


async def test_silent_socket(serve: Serve) -> None:
    """A socket that never says hello is closed in time."""
    server = await serve(hello_timeout_ms=100)
    async with socket_line(server, MSGPACK) as silent:
        assert close_code(await silent.all()) == 4400
