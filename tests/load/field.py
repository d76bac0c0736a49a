"""Clients as bare as can be: the same code loads the product and the echo, so that only the servers differ."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Any, Final

import aiohttp
import msgpack

__all__ = ["CODE", "Seat", "closed", "greeted", "opened", "read_events", "seats", "watching", "written_bare"]

CODE: Final = "GO1-E-AAAAAAB"
SUBPROTOCOL: Final = "fairdeal.v1.msgpack"
WAIT_S: Final = 60.0

BareSocket = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Seat:
    """One socket that plays: a card drawn, taken back, drawn… (with undo free that has no end)."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, race: str) -> None:
        self.socket, self.race = socket, race
        self.moves = 0

    async def move(self) -> float:
        """Play one operation and wait for its answer; returns the seconds that took."""
        n = self.moves = self.moves + 1
        begun = perf_counter()
        await self.say(t="play", id=str(n), race=self.race, n=n, m="d" if n % 2 else "u")
        while (answer := await self.until("res"))["id"] != str(n):
            pass  # That of something said before.
        if not answer["ok"]:
            raise RuntimeError(f"a play was not accepted: {answer}")
        return perf_counter() - begun

    async def say(self, **message: Any) -> None:
        await self.socket.send_bytes(msgpack.packb(message))

    async def until(self, t: str) -> dict[str, Any]:
        """The next message of a kind; others are read and dropped."""
        async with asyncio.timeout(WAIT_S):
            while True:
                frame = await self.socket.receive()
                if frame.type is not aiohttp.WSMsgType.BINARY:
                    raise RuntimeError(f"the socket was closed: {frame}")
                message: dict[str, Any] = msgpack.unpackb(frame.data)
                if message["t"] == t:
                    return message


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[aiohttp.ClientSession]:
    """A session that may open as many sockets as it likes."""
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(url, connector=connector) as session:
        yield session


async def seats(
    session: aiohttp.ClientSession, races: int, of_race: int, *, echo: bool = False, together: bool = False
) -> list[Seat]:
    """The seats of so many races under way, begun one by one or all together; on the echo, as many sockets."""
    if echo:
        sockets = [await session.ws_connect("/ws", compress=0) for _ in range(races * of_race)]
        return [Seat(socket, "r" * 26) for socket in sockets]
    async with session.post("/api/players", json={}) as answer:
        token = (await answer.json())["token"]
    found: list[Seat] = []
    for _ in range(races):
        card = {"code": CODE, "seats": of_race, "time_limit_s": 7200}
        headers = {"Authorization": f"Bearer {token}"}
        async with session.post("/api/races", json=card, headers=headers) as answer:
            race = (await answer.json())["race"]
        players = [await _seat(session, race, "join") for _ in range(of_race)]
        if not together:
            await _begin(players)
        found += players
    if together:
        await _begin(found)
    return found


async def _begin(players: list[Seat]) -> None:
    """Let all be ready, and wait until their races have started."""
    await asyncio.gather(*(player.say(t="ready", id="r", race=player.race) for player in players))
    for player in players:
        while (await player.until("snap"))["reason"] != "start":
            pass


async def watching(session: aiohttp.ClientSession, race: str, spectators: int) -> list[Seat]:
    """So many spectators of a race."""
    return [await _seat(session, race, "watch") for _ in range(spectators)]


async def greeted(session: aiohttp.ClientSession, race: str = "", *, seat: bool = False) -> Seat:
    """A socket that has said hello and no more; that of a seat is opened for its race."""
    path = f"/ws?race={race}" if seat else "/ws"
    socket = await session.ws_connect(path, protocols=[SUBPROTOCOL], compress=0, autoping=True)
    greeted = Seat(socket, race)
    await greeted.say(t="hello", v=1)
    await greeted.until("welcome")
    return greeted


async def _seat(session: aiohttp.ClientSession, race: str, way: str) -> Seat:
    seat = await greeted(session, race, seat=way == "join")
    await seat.say(t=way, id=way, race=race)
    await seat.until("snap")
    return seat


async def read_events(players: Sequence[Seat], events: int) -> None:
    """Read so many events on every socket."""

    async def read(player: Seat) -> None:
        for _ in range(events):
            await player.until("ev")

    await asyncio.gather(*map(read, players))


async def written_bare(crowd: Sequence[BareSocket], events: int) -> None:
    """Have so many frames written to every bare socket, and read them."""
    for _ in range(events):
        crowd[0][1].write(b"x")
        await asyncio.gather(*(reader.readexactly(184) for reader, _ in crowd))


async def closed(crowd: Sequence[BareSocket]) -> None:
    for _, writer in crowd:
        writer.close()
        await writer.wait_closed()
