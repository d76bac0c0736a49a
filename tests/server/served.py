"""A server under test, and clients that keep every frame they got."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import msgspec
from aiohttp import ClientResponse, ClientSession, ClientWebSocketResponse, WSMsgType
from msgspec import Struct

from engine.wire import inbound
from engine.wire.codec import Subprotocol, decode_outbound, encode
from engine.wire.outbound import Error, Outbound, Res, Snap, Welcome

WAIT_S: Final = 10.0
"""How long a frame is waited for before a test fails."""

M = TypeVar("M", bound=Outbound)


class Guest(Struct, frozen=True):
    """A player made over HTTP."""

    player: str
    name: str
    token: str

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


class Talker:
    """One WebSocket client: says typed messages, keeps every frame in `frames` (raw) and `heard` (typed)."""

    def __init__(self, socket: ClientWebSocketResponse, subprotocol: Subprotocol) -> None:
        self.socket = socket
        self.subprotocol = subprotocol
        self.frames: list[bytes] = []
        self.heard: list[Outbound] = []
        self.welcome: Welcome | None = None
        self._ids = 0

    async def say(self, *messages: inbound.Inbound) -> None:
        for message in messages:
            await self.raw(encode(message, self.subprotocol))

    async def raw(self, payload: bytes) -> None:
        if self.subprotocol is Subprotocol.JSON:
            await self.socket.send_str(payload.decode())
        else:
            await self.socket.send_bytes(payload)

    async def next(self) -> Outbound:
        """The next message; ClosedEarly when the socket is closed."""
        try:
            async with asyncio.timeout(WAIT_S):
                frame = await self.socket.receive()
        except ConnectionError:  # A ping could not be answered any more.
            raise ClosedEarly(self.socket.close_code) from None
        if frame.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
            raise ClosedEarly(frame.data if frame.type is WSMsgType.CLOSE else self.socket.close_code)
        payload = frame.data.encode() if isinstance(frame.data, str) else frame.data
        assert (frame.type is WSMsgType.TEXT) is (self.subprotocol is Subprotocol.JSON)
        self.frames.append(payload)
        message = decode_outbound(payload, self.subprotocol)
        self.heard.append(message)
        return message

    async def until(self, kind: type[M], wanted: Callable[[M], bool] = lambda _: True) -> M:
        """The next message of a kind for which the condition holds; those before it are kept in `heard`."""
        while True:
            message = await self.next()
            if isinstance(message, kind) and wanted(message):
                return message

    async def had(self, kind: type[M], wanted: Callable[[M], bool] = lambda _: True) -> M:
        """The first message of a kind for which the condition holds, heard before or yet to come."""
        for message in self.heard:
            if isinstance(message, kind) and wanted(message):
                return message
        return await self.until(kind, wanted)

    async def ask(self, message: inbound.Inbound) -> Res:
        """Say a command with a fresh id and return its answer."""
        self._ids += 1
        command_id = f"c{self._ids}"
        await self.say(msgspec.structs.replace(message, id=command_id))
        return await self.until(Res, lambda res: res.id == command_id)

    async def join(self, race: str) -> Snap:
        """Take a seat, and return the snapshot that follows the answer."""
        res = await self.ask(inbound.Join(race))
        assert res.ok, res
        return await self.until(Snap)

    async def watch(self, race: str) -> Snap:
        """Watch, and return the snapshot that follows the answer."""
        res = await self.ask(inbound.Watch(race))
        assert res.ok, res
        return await self.until(Snap)

    async def play(self, race: str, words: str, first: int = 1) -> None:
        """Play words as the operations from `first` on, pipelined; each must be accepted."""
        for n, word in enumerate(words.split(), first):
            await self.say(inbound.Play(race, n, word, id=f"p{n}"))
        for n, _ in enumerate(words.split(), first):
            res = await self.until(Res, lambda res, n=n: res.id == f"p{n}")  # type: ignore[misc]
            assert res.ok, res
            assert res.lane == n

    async def closed(self) -> int | None:
        """Read until the server closes the socket; return its close code."""
        try:
            while True:
                await self.next()
        except ClosedEarly as closed:
            return closed.code

    async def error(self) -> Error:
        return await self.until(Error)

    async def close(self) -> None:
        await self.socket.close()


class ClosedEarly(Exception):
    """The server closed the socket."""

    def __init__(self, code: int | None) -> None:
        self.code = code
        super().__init__(f"closed with {code}")


class Server:
    """A running server: calls over HTTP, clients over WebSocket; an asynchronous context that closes its clients."""

    def __init__(self, url: str, stop: Callable[[], Awaitable[None]]) -> None:
        self.url = url
        self.stop = stop
        self.http = ClientSession(url)
        self._talkers: list[Talker] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for talker in self._talkers:
            await talker.close()
        await self.http.close()

    async def guest(self, name: str = "", **more: Any) -> Guest:
        async with self.http.post("/api/players", json={"name": name, **more}) as answer:
            assert answer.status == 201
            return msgspec.json.decode(await answer.read(), type=Guest)

    async def race(self, creator: Guest, **card: Any) -> str:
        """Offer a race and return its id."""
        answer = await self.offer(creator, card)
        body = await answer.json()
        assert answer.status == 201, body
        return str(body["race"])

    async def offer(self, creator: Guest, card: object, **headers: str) -> ClientResponse:
        return await self.http.post("/api/races", json=card, headers=creator.bearer | headers)

    async def connect(self, subprotocol: Subprotocol | None = Subprotocol.MSGPACK, **options: Any) -> Talker:
        """Open a WebSocket; nothing is said on it."""
        offered = () if subprotocol is None else (subprotocol.value,)
        socket = await self.http.ws_connect("/ws", protocols=offered, **options)
        talker = Talker(socket, subprotocol or Subprotocol.JSON)
        self._talkers.append(talker)
        return talker

    async def talker(
        self, guest: Guest | None = None, subprotocol: Subprotocol = Subprotocol.MSGPACK, **hello: Any
    ) -> Talker:
        """Open a WebSocket and say hello; what comes after `welcome` is not read yet."""
        talker = await self.connect(subprotocol)
        await talker.say(inbound.Hello(1, token=guest.token if guest else None, **hello))
        talker.welcome = await talker.until(Welcome)
        return talker

    async def started(self, *players: Talker, **card: Any) -> str:
        """Offer a race, seat the players in order, and return its id once each has the boards."""
        race = await self.race(await self.guest(), seats=len(players), **card)
        for player in players:
            await player.join(race)
        for player in players:
            assert (await player.ask(inbound.Ready(race))).ok
        for player in players:
            await player.had(Snap, lambda snap: snap.reason == "start" and snap.race == race)
        return race
