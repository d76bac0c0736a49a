"""Yardsticks: the least that a server of the kind does.

`python -m tests.load.bare echo|logged REDIS|steps REDIS|crowd` prints its port.

`echo` answers each msgpack message with one of the size of an answer, over aiohttp; `logged REDIS` does that once an
entry of the message is durable in a stream, with an event before it, in group commits; `steps REDIS` carries out a
move by the product's own functions, with nothing around them (tests/load/steps.py); `crowd` writes a frame to
every socket that is open whenever a byte comes on one of them, over bare asyncio transports.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, cast

import msgpack
import uvloop
from aiohttp import WSMsgType, web

from engine.wire.codec import Subprotocol
from server.live.frames import framed
from server.store.append import SCRIPT
from server.store.batch import Batch
from server.store.connect import connect
from server.store.log import Log
from tests.load.steps import Steps

LOG: Final = web.AppKey("log", Batch)
ANSWER: Final = {"t": "res", "id": "", "ok": True, "seq": 1, "hash": "0" * 32, "lane": 1, "sig": "0" * 64}
FRAME_BYTES: Final = 180
"""As long as the event of a move is, with its WebSocket header."""


async def echo(request: web.Request) -> web.WebSocketResponse[bool]:
    """Decode, answer with the same id, encode: no state, no store."""
    socket = web.WebSocketResponse(compress=False, autoping=True)
    await socket.prepare(request)
    async for frame in socket:
        if frame.type is WSMsgType.BINARY:
            message = msgpack.unpackb(frame.data)
            await socket.send_bytes(msgpack.packb({**ANSWER, "id": message.get("id")}))
    return socket


async def logged(request: web.Request) -> web.WebSocketResponse[bool]:
    """Decode, append, answer with an event and with the same id: no rules, no races, nobody else told."""
    socket = web.WebSocketResponse(compress=False, autoping=True)
    await socket.prepare(request)
    transport, log = request.transport, request.app[LOG]
    assert transport is not None
    async for frame in socket:
        if frame.type is WSMsgType.BINARY:
            message = msgpack.unpackb(frame.data)
            frames = EVENT + _framed({**ANSWER, "id": message.get("id")})
            write = partial(_written, transport, frames)
            log.put(("XADD", "log", "MAXLEN", "~", 1000, "*", "b", frame.data), write)
    return socket


def _written(transport: asyncio.Transport, frames: bytes, _: object) -> None:
    transport.write(frames)


def _framed(message: dict[str, object]) -> bytes:
    return framed(msgpack.packb(message), Subprotocol.MSGPACK)


EVENT: Final = _framed({"t": "ev", "race": "r" * 26, "d": bytes(FRAME_BYTES - 50)})


class Crowd(asyncio.Protocol):
    """One socket among many."""

    everybody: Final[set[asyncio.Transport]] = set()
    frame: Final = b"\x82\x7e" + FRAME_BYTES.to_bytes(2, "big") + bytes(FRAME_BYTES)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's own kind does not derive from it.
        self.everybody.add(self.transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.everybody.discard(self.transport)

    def data_received(self, data: bytes) -> None:
        for _ in data:
            for transport in self.everybody:
                transport.write(self.frame)


async def serve_echo() -> int:
    return await _serve(web.Application(), echo)


async def serve_logged() -> int:
    app = web.Application()
    app[LOG] = await Batch(connect(sys.argv[2]), "logged").__aenter__()
    return await _serve(app, logged)


async def serve_steps() -> int:
    client = connect(sys.argv[2])
    await client.script_load(SCRIPT)
    log = await Log(client).__aenter__()
    return await _serve(web.Application(), Steps(client, log).serve)


async def _serve(app: web.Application, answer: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> int:
    app.add_routes([web.get("/ws", answer)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return int(runner.addresses[0][1])


async def serve_crowd() -> int:
    server = await asyncio.get_running_loop().create_server(Crowd, "127.0.0.1", 0, backlog=4096)
    return int(server.sockets[0].getsockname()[1])


SERVED: Final = {"echo": serve_echo, "logged": serve_logged, "steps": serve_steps, "crowd": serve_crowd}


async def main() -> None:
    sys.stdout.write(f"{await SERVED[sys.argv[1]]()}\n")
    sys.stdout.flush()
    await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    uvloop.run(main())
