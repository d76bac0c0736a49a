"""A server that does what a test tells it, connection by connection: for faults that a real one does not make."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiohttp import WSMsgType, web
from aiohttp.test_utils import TestServer

from engine.wire.codec import Subprotocol, decode_inbound, encode
from engine.wire.inbound import Hello, Inbound
from engine.wire.outbound import MySeat, Outbound, SeatView, Snap, Welcome

TOKEN = "token of Ann"
BOARD = {"legal": ["1", "d"]}


class Hung(Exception):
    """The client closed the connection."""


class Peer:
    """The server's end of one connection."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self._socket = socket
        self._subprotocol = Subprotocol(socket.ws_protocol or "")

    async def hear(self) -> Inbound:
        """The client's next message."""
        frame = await self._socket.receive()
        if frame.type not in (WSMsgType.BINARY, WSMsgType.TEXT):
            raise Hung
        data = frame.data.encode() if isinstance(frame.data, str) else frame.data
        return decode_inbound(data, self._subprotocol)

    async def say(self, *messages: Outbound) -> None:
        """Send messages."""
        for message in messages:
            await self.say_bytes(encode(message, self._subprotocol))

    async def say_bytes(self, frame: bytes) -> None:
        """Send a frame, whatever it holds."""
        if self._subprotocol is Subprotocol.JSON:
            await self._socket.send_str(frame.decode())
        else:
            await self._socket.send_bytes(frame)

    async def welcome(self) -> Hello:
        """Hear the hello and answer it."""
        hello = await self.hear()
        assert isinstance(hello, Hello)
        await self.say(WELCOME)
        return hello

    async def close(self, code: int) -> None:
        """End the connection with a close code."""
        await self._socket.close(code=code)

    def cut(self) -> None:
        """End the connection without a word."""
        transport = self._socket._req.transport if self._socket._req else None
        assert transport is not None
        transport.abort()


Script = Callable[[Peer], Awaitable[None]]

WELCOME = Welcome("ann", "Ann", TOKEN, 1_000, 10_000, {}, "fsync")


def snap(seq: int, lane: int = 0, status: str = "live", race: str = "r") -> Snap:
    """A race in which Ann holds seat 1 and has played `lane` operations."""
    seat = SeatView(1, "ann", "Ann", "person", "playing", True, True, 0)
    return Snap(
        race, seq, f"h{seq}", {"game": "GO1-E"}, status, (seat,), "join", 0, my=MySeat(1, lane, "playing", BOARD)
    )


@asynccontextmanager
async def scripted(*scripts: Script) -> AsyncIterator[str]:
    """Serve one connection by each script, in turn; yields the server's address and checks that all were played out."""
    waiting = list(scripts)
    faults: list[BaseException] = []
    ended = asyncio.Event()

    async def connect(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(protocols=list(Subprotocol))
        await socket.prepare(request)
        try:
            await waiting.pop(0)(Peer(socket))
        except Hung:
            pass
        except Exception as fault:
            faults.append(fault)
            raise
        finally:
            if not waiting:
                ended.set()
        return socket

    async def players(request: web.Request) -> web.Response:
        asked = await request.json()
        return web.json_response({"player": "ann", "name": asked.get("name", "Guest"), "token": TOKEN})

    app = web.Application()
    app.router.add_get("/ws", connect)
    app.router.add_post("/api/players", players)
    async with TestServer(app) as server:
        yield str(server.make_url("")).rstrip("/")
        async with asyncio.timeout(5):
            await ended.wait()
    assert faults == []
    assert waiting == []
