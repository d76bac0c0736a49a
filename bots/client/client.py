"""The client: one player on a server, with commands that are sent until they are answered."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Final, Literal, Self

import aiohttp

from bots.client.connection import Connection
from bots.client.faults import Closed, Refused
from bots.client.following import Following
from bots.client.http import Http
from bots.client.later import Later
from bots.client.messages import Messages
from bots.client.outbox import AGAIN, RETRY_MS, Asked, Outbox
from bots.client.seen import SeenFile
from engine.race.events import DeclineReason
from engine.wire import inbound
from engine.wire.codec import Subprotocol
from engine.wire.inbound import Hello, Inbound
from engine.wire.outbound import Error, Ev, Matched, Outbound, Progress, Res, Resumed, Skip, Snap, Welcome

__all__ = ["Client"]

VERSION: Final = 1
MAX_RESUMES: Final = 16


class Client:
    """A player on a server. Use it as an async context manager; without a token it becomes a new guest.

    With a token, `name` gives the player another name; `kind` and `engine` are those that the token was made for.

    Commands return the server's `res` and raise Refused; they wait through lost connections, for as long as it takes.
    They raise Closed, like everything else that waits, when the server ends the connection for good. With `boards`
    events bring whole boards, so that no rules are needed here. Every frame received is added to the file `seen`.
    Whoever connects to play in one `race` says so: the server then has its seats in one process.
    """

    def __init__(
        self,
        server: str,
        token: str | None = None,
        *,
        name: str | None = None,
        kind: Literal["person", "bot"] = "person",
        engine: str | None = None,
        subprotocol: Subprotocol = Subprotocol.MSGPACK,
        boards: bool = True,
        lang: str | None = None,
        seen: Path | None = None,
        race: str | None = None,
        chance: Random | None = None,
    ) -> None:
        self.server = server.rstrip("/")
        self.token = token
        self.name = name
        self.player: str | None = None
        self.races: dict[str, Following] = {}
        self._kind: Literal["person", "bot"] = kind
        self._engine = engine
        self._subprotocol = subprotocol
        self._boards = boards
        self._lang = lang
        self._seen_path = seen
        self._race = race
        self._chance = chance or Random()
        self._ids = count(1)
        self._outbox = Outbox()
        self._listeners: set[Messages] = set()
        self._fault: Exception | None = None
        self._ahead_ms = 0.0
        self._welcomed = asyncio.Event()
        self._later = Later()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Become a guest if need be, connect, and wait for the server's welcome."""
        async with AsyncExitStack() as stack:
            session = await stack.enter_async_context(aiohttp.ClientSession())
            self.http = Http(session, self.server, self.token)
            if self.token is None:
                guest = await self.http.new_player(self.name, self._kind, self._engine)
                self.token = self.http.token = guest.token
                self.player, self.name = guest.player, guest.name
            seen = None if self._seen_path is None else stack.enter_context(SeenFile(self._seen_path))
            self._connection = Connection(session, self.server, self._subprotocol, self, self._chance, seen, self._race)
            task = asyncio.create_task(self._stay_connected(), name=f"client {self.player or self.name}")
            stack.push_async_callback(self._stop, task)
            await self._welcomed.wait()
            if self._fault is not None:
                raise self._fault
            self._stack = stack.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    def messages(self) -> Messages:
        """Return an iterator over all messages from now on."""
        messages = Messages()
        if self._fault is not None:
            messages.end(self._fault)
        else:
            self._listeners.add(messages)
        return messages

    def ignore(self, messages: Messages) -> None:
        """Keep no more messages for an iterator."""
        self._listeners.discard(messages)

    async def create_race(self, card: Mapping[str, Any], idempotency_key: str | None = None) -> str:
        """Offer a race by its card (protocol.md) and return its id; the creator is not seated."""
        return await self.http.create_race(card, idempotency_key)

    async def challenge(self, player: str, card: Mapping[str, Any], idempotency_key: str | None = None) -> str:
        """Challenge a player and return the id of the race that waits for the two; one's own seat is to be joined.

        `Challenged` tells of such a race (see `messages`): `join` it, or `leave` it to decline.
        """
        return await self.http.challenge(player, card, idempotency_key)

    async def join(self, race: str) -> Following:
        """Take a seat, or find it again; returns with the race as it stands."""
        return await self._follow(race, "seat")

    async def watch(self, race: str) -> Following:
        """Watch a race; returns with it as it stands."""
        return await self._follow(race, "watch")

    async def leave(self, race: str, reason: DeclineReason | None = None) -> Res:
        """Give the seat back before the start, decline the one that is kept (and say why), or stop watching."""
        res = await self._ask(inbound.Leave(race, self._next_id(), reason))
        self.races.pop(race, None)
        return res

    async def ready(self, race: str) -> Res:
        """Be ready."""
        return await self._ask(inbound.Ready(race, self._next_id()))

    async def unready(self, race: str) -> Res:
        """Be ready no longer."""
        return await self._ask(inbound.Unready(race, self._next_id()))

    async def start(self, race: str) -> Res:
        """Start a race as its creator."""
        return await self._ask(inbound.Start(race, self._next_id()))

    async def cancel(self, race: str) -> Res:
        """Call a race off as its creator."""
        return await self._ask(inbound.Cancel(race, self._next_id()))

    async def play(self, race: str, m: str) -> Res:
        """Play a word (notation.md) as the next operation of one's own lane, after those on their way.

        When it returns, the race shows what the operation did.

        When an operation is refused, those sent after it are too (`stale_lane`), and their numbers are used anew.
        """
        if race not in self.races:
            raise LookupError(f"expected a race that this client has joined, found {race}: join it first")
        following = self.races[race]
        n = max([following.lane, following.confirmed, *(play.n for play in self._outbox.plays(race))]) + 1
        res = await self._ask(inbound.Play(race, n, m, self._next_id()))
        await following.shows(res)
        return res

    async def done(self, race: str) -> Res:
        """Settle with the present position."""
        return await self._ask(inbound.Done(race, self._next_id()))

    async def resign(self, race: str) -> Res:
        """Give up."""
        return await self._ask(inbound.Resign(race, self._next_id()))

    async def queue(self, game: str, goal: str | None = None, *, rated: bool = False) -> Res:
        """Wait for a quick race; `Matched` tells of one (see `messages`). It ends with the connection."""
        return await self._ask(inbound.Queue(game, goal, rated, self._next_id()))

    async def unqueue(self, game: str | None = None) -> Res:
        """Wait no longer, for one game or for any."""
        return await self._ask(inbound.Unqueue(game, self._next_id()))

    def server_now(self) -> int:
        """Return the server's time in ms, as far as its welcome told it."""
        return round(self._ahead_ms + asyncio.get_running_loop().time() * 1000)

    async def rematch(self, race: str) -> Res:
        """Ask for the next race; its id is the `race` of the answer."""
        return await self._ask(inbound.Rematch(race, self._next_id()))

    def hello(self) -> Hello:
        """Return the first message of a connection: who this is and what it resumes."""
        resumes = [following.resume() for following in self.races.values()]
        return Hello(
            VERSION,
            token=self.token,
            name=self.name,
            lang=self._lang,
            boards=self._boards,
            resume=tuple(resume for resume in resumes if resume is not None)[:MAX_RESUMES],
        )

    def welcomed(self, welcome: Welcome) -> list[Inbound]:
        """Return all that was not answered, in its order, after a new join of each race that hello did not resume."""
        self.player, self.name = welcome.player, welcome.name
        self._ahead_ms = welcome.now - asyncio.get_running_loop().time() * 1000
        self.token = self.http.token = welcome.token
        resumed = [following for following in self.races.values() if following.seq][:MAX_RESUMES]
        waiting = self._outbox.all()
        asked = {command.race for command in waiting if isinstance(command, inbound.Join | inbound.Watch)}
        lost = [one for one in self.races.values() if one not in resumed and one.race not in asked]
        self._welcomed.set()
        return [*map(self._follow_anew, lost), *waiting]

    def hear(self, message: Outbound) -> None:
        """Take in a message and pass it on."""
        match message:
            case Snap() | Ev() | Skip() | Progress() | Resumed() if message.race in self.races:
                self.races[message.race].take(message)
            case Res():
                self._settle(message)
            case Matched(previous=str(race)) if race in self.races:
                self.races[race].go_on(message.race)
            case Error(race=str(race)) if race in self.races:
                self._follow_later(self.races[race], message)
        for listener in self._listeners:
            listener.hear(message)

    def _next_id(self) -> str:
        return str(next(self._ids))

    async def _follow(self, race: str, role: Literal["seat", "watch"]) -> Following:
        before = self.races.get(race)
        following = before if before is not None and before.role == role else Following(race, role)
        self.races[race] = following
        renewed = following.renewed
        command = inbound.Join if role == "seat" else inbound.Watch
        try:
            await self._ask(command(race, self._next_id()))
        except BaseException:
            if before is None:
                self.races.pop(race, None)
            else:
                self.races[race] = before
            raise
        await following.until(lambda following: following.renewed > renewed)
        return following

    def _follow_later(self, following: Following, fault: Error) -> None:
        """Take a race up again that the server could not resume; give it up where it may not be followed."""
        if fault.retry_ms is None and fault.code not in AGAIN:
            self._lose(following, Refused(fault.code, fault.message))
            return

        def follow() -> None:
            followed = self.races.get(following.race)
            if followed is not None:  # It has not been left meanwhile.
                self._connection.send(self._follow_anew(followed))

        wait_ms = RETRY_MS if fault.retry_ms is None else fault.retry_ms
        self._later.call(f"follow {following.race}", wait_ms, follow)

    def _follow_anew(self, following: Following) -> Inbound:
        """Return the command that finds a seat or watches again; the race is given up if it is refused."""
        command = inbound.Join if following.role == "seat" else inbound.Watch
        asked = command(following.race, self._next_id())

        def answered(answer: asyncio.Future[Res]) -> None:
            if not answer.cancelled() and (fault := answer.exception()) is not None:
                self._lose(following, fault)

        self._outbox.add(asked).add_done_callback(answered)
        return asked

    def _lose(self, following: Following, fault: BaseException) -> None:
        """Follow a race no longer, and tell whoever waits for it."""
        if self.races.get(following.race) is following:
            del self.races[following.race]
        following.end(fault)

    async def _ask(self, asked: Asked) -> Res:
        """Send a command until it is answered."""
        if self._fault is not None:
            raise self._fault
        answer = self._outbox.add(asked)
        self._connection.send(asked)
        try:
            return await answer
        finally:
            self._outbox.forget(asked.id or "")

    def _settle(self, res: Res) -> None:
        asked = self._outbox.asked(res.id)
        if asked is None:
            return
        if not isinstance(asked, inbound.Queue | inbound.Unqueue) and asked.race in self.races:
            self.races[asked.race].sign(res)
        wait_ms = self._outbox.settle(res)
        if wait_ms is not None:
            self._send_later(wait_ms, asked)

    def _send_later(self, wait_ms: int, asked: Asked) -> None:
        """Send a command again after a while, with whatever else waits in its race, in order.

        That is once for all that the race has refused: once for each, six commands would be 36, then 216.
        """

        def send() -> None:
            for waiting in self._outbox.with_it(asked):
                self._connection.send(waiting)

        together = asked.id if isinstance(asked, inbound.Queue | inbound.Unqueue) else asked.race
        self._later.call(f"commands {together}", wait_ms, send)

    async def _stay_connected(self) -> None:
        try:
            await self._connection.keep()
        except Closed as closed:
            self._end(closed)
        except Exception as fault:
            self._end(fault)
            raise

    async def _stop(self, task: asyncio.Task[None]) -> None:
        task.cancel()
        await asyncio.wait([task])
        if self._fault is None:
            self._end(None)
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error

    def _end(self, fault: Exception | None) -> None:
        """Tell everybody who waits that nothing more will come."""
        self._fault = fault or Closed(1000, "by this client")
        self._outbox.fail(self._fault)
        for following in self.races.values():
            following.end(self._fault)
        for listener in self._listeners:
            listener.end(fault)
        self._listeners.clear()
        self._later.end()
        self._welcomed.set()
