"""One WebSocket to the server that comes back by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from random import Random
from typing import Final, Protocol
from urllib.parse import urlencode

import aiohttp
import structlog
from aiohttp import WSMsgType

from bots.client.faults import Closed
from bots.client.retry import retry_ms
from bots.client.seen import SeenFile
from engine.wire.codec import BadFrame, Subprotocol, decode_outbound, encode
from engine.wire.inbound import Hello, Inbound
from engine.wire.outbound import Outbound, Welcome

__all__ = ["Connection", "Ears"]

HEARTBEAT_S: Final = 16.0
"""A ping goes out after that much silence, and half as long without an answer is death: 24 s, as with the server."""
MAX_MESSAGE: Final = 1 << 22
CLOSING: Final = aiohttp.ClientWSTimeout(ws_close=2.0)
LOST: Final = 1006

log = structlog.get_logger()


class Ears(Protocol):
    """What the owner of a connection is asked and told."""

    def hello(self) -> Hello:
        """Return the first message, asked for anew at each connection."""
        ...

    def welcomed(self, welcome: Welcome) -> Iterable[Inbound]:
        """Return what is to be sent again, in order, now that the server has answered."""
        ...

    def hear(self, message: Outbound) -> None:
        """Take a message, the welcome included."""
        ...


class Connection:
    """Keeps one socket open: connects again, with jitter, whenever it is lost, unless its close code is final."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        server: str,
        subprotocol: Subprotocol,
        ears: Ears,
        chance: Random,
        seen: SeenFile | None = None,
        race: str | None = None,
    ) -> None:
        self._session = session
        self._url = f"{server}/ws" if race is None else f"{server}/ws?{urlencode({'race': race})}"
        self._subprotocol = subprotocol
        self._ears = ears
        self._chance = chance
        self._seen = seen
        self._outgoing: asyncio.Queue[Inbound] | None = None
        """None between a loss and the next welcome: what is said meanwhile is the owner's to send again."""
        self._answered = False

    def send(self, message: Inbound) -> None:
        """Send a message if there is a connection."""
        if self._outgoing is not None:
            self._outgoing.put_nowait(message)

    async def keep(self) -> None:
        """Stay connected until a close code says not to; then raises Closed."""
        attempt = 0
        while True:
            self._answered = False
            try:
                code, why = await self._serve()
            except (aiohttp.ClientError, OSError, TimeoutError) as error:
                code, why = LOST, str(error)
            attempt = 0 if self._answered else attempt + 1
            wait = retry_ms(code, attempt, self._chance.random())
            if wait is None:
                raise Closed(code, why)
            log.debug("connection lost", url=self._url, code=code, why=why, retry_ms=wait)
            await asyncio.sleep(wait / 1000)

    async def _serve(self) -> tuple[int, str]:
        """Serve one socket to its end; returns its close code and what is known of why."""
        async with self._session.ws_connect(
            self._url, protocols=[self._subprotocol], heartbeat=HEARTBEAT_S, max_msg_size=MAX_MESSAGE, timeout=CLOSING
        ) as socket:
            outgoing: asyncio.Queue[Inbound] = asyncio.Queue()
            outgoing.put_nowait(self._ears.hello())
            writer = asyncio.create_task(self._write(socket, outgoing), name=f"writer to {self._url}")
            try:
                while (frame := await socket.receive()).type in (WSMsgType.BINARY, WSMsgType.TEXT):
                    message = self._read(frame.data.encode() if isinstance(frame.data, str) else frame.data)
                    if isinstance(message, Welcome):
                        self._answered = True
                        for again in self._ears.welcomed(message):
                            outgoing.put_nowait(again)
                        self._outgoing = outgoing
                    if message is not None:
                        self._ears.hear(message)
            finally:
                self._outgoing = None
                writer.cancel()
                await asyncio.wait([writer])
            # The socket says 1006 where its own close frame finds the connection cut already.
            code = frame.data if frame.type is WSMsgType.CLOSE else socket.close_code
            return code or LOST, frame.extra or ""

    async def _write(self, socket: aiohttp.ClientWebSocketResponse, outgoing: asyncio.Queue[Inbound]) -> None:
        """Send what is queued, in order; a socket that breaks is noticed by its reader."""
        while True:
            frame = encode(await outgoing.get(), self._subprotocol)
            try:
                if self._subprotocol is Subprotocol.JSON:
                    await socket.send_str(frame.decode())
                else:
                    await socket.send_bytes(frame)
            except (ConnectionError, aiohttp.ClientError):
                return

    def _read(self, frame: bytes) -> Outbound | None:
        if self._seen is not None:
            self._seen.keep(frame, self._subprotocol)
        try:
            return decode_outbound(frame, self._subprotocol)
        except BadFrame as fault:
            # A message that a newer server has and this client does not.
            log.debug("message not understood", url=self._url, why=str(fault))
            return None
