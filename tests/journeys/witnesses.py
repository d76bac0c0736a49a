"""Players and spectators who keep what they are told, in races that go on whatever history loses."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Final, Literal, TypeVar

from bots.client import Client, Closed, Refused, ServerUnreachable
from bots.client.following import Following
from bots.client.outbox import AGAIN
from engine.codes import ALPHABET, OPEN_LETTERS
from engine.solo import UNDO
from engine.wire.outbound import Error, Ev, Matched, Res, Skip, Snap

__all__ = ["Crowd", "Witness", "crowd"]

GAME: Final = "GO1-E"
PLAYS_PER_S: Final = 15
AGAIN_S: Final = 0.2
MATCHED_WITHIN_S: Final = 20.0
OPENED_WITHIN_S: Final = 20.0
T = TypeVar("T")

SHOWN_AS_LOST: Final = frozenset({"recovered", "hash", "ahead"})


class Witness:
    """One client in one race: the entries that it was told, which of them with a receipt, and whether it saw a loss."""

    def __init__(self, client: Client, race: str, role: Literal["seat", "watch"], *, rated: bool = False) -> None:
        self.race = race
        self.role = role
        self.rated = rated
        self.told: set[tuple[int, str]] = set()
        self.proved: set[tuple[int, str]] = set()
        self.saw_loss = False
        self.here = True
        self._client = client

    @property
    def following(self) -> Following | None:
        """The race as the client sees it."""
        return self._client.races.get(self.race)

    def take(self, message: object) -> None:
        """Keep what a message tells of the race."""
        match message:
            case Ev(race=self.race) | Snap(race=self.race):
                self.told.add((message.seq, message.hash))
                if isinstance(message, Snap):
                    self.saw_loss |= message.reason in SHOWN_AS_LOST
            case Skip(race=self.race):
                self.told.add((message.to, message.hash))
            case Res(ok=True, seq=int(seq), hash=str(h)):
                self.told.add((seq, h))
                self.proved.add((seq, h))
            case Error(race=self.race) if message.code not in AGAIN:
                self.saw_loss = True
            case _:
                pass


class Crowd:
    """Everybody, on several nodes: so many races of two seats and a spectator, and so many players of rated ones.

    Each player of rated races has an address of its own to come from: that is what `sources` lead to.
    """

    def __init__(self, servers: Sequence[str], sources: Sequence[str], races: int, seed: int) -> None:
        self.witnesses: list[Witness] = []
        self.confirmed = 0
        self.faults: list[str] = []
        self._servers = servers
        self._sources = sources
        self._races = races
        self._chance = Random(seed)

    @property
    def rated_under_way(self) -> bool:
        """True while a rated race is played."""
        seats = (one.following for one in self.witnesses if one.rated and one.here)
        return any(following is not None and following.playing for following in seats)

    async def race(self) -> None:
        """Hold races for ever."""
        async with asyncio.TaskGroup() as slots:
            for number in range(self._races):
                slots.create_task(self._again(self._open_races, number), name=f"slot {number}")
            for source in self._sources:
                slots.create_task(self._again(self._rated_races, source), name=f"rated from {source}")

    async def _again(self, hold: Callable[[T], Awaitable[None]], which: T) -> None:
        """Begin anew where a race was lost altogether, or a server was not there yet."""
        while True:
            try:
                await hold(which)
            except* (Refused, Closed, ServerUnreachable, TimeoutError):
                await asyncio.sleep(AGAIN_S)

    async def _open_races(self, number: int) -> None:
        here = [self._servers[(number + seat) % len(self._servers)] for seat in range(3)]
        async with AsyncExitStack() as stack:
            one, two, spectator = [
                await stack.enter_async_context(Client(server, chance=self._chance)) for server in here
            ]
            while True:
                code = f"{GAME}-{''.join(self._chance.choice(ALPHABET) for _ in range(OPEN_LETTERS))}"
                async with asyncio.timeout(OPENED_WITHIN_S):
                    race = await one.create_race({"code": code, "seats": 2, "listed": False})
                async with (
                    self._witness(one, race, "seat"),
                    self._witness(two, race, "seat"),
                    self._witness(spectator, race, "watch"),
                    asyncio.TaskGroup() as seats,
                ):
                    await spectator.watch(race)
                    for client in (one, two):
                        seats.create_task(self._play(client, race), name="seat")

    async def _rated_races(self, source: str) -> None:
        async with Client(source, chance=self._chance) as client:
            while True:
                heard = client.messages()
                try:
                    async with asyncio.timeout(MATCHED_WITHIN_S):
                        await client.queue(GAME, rated=True)
                        race = await anext(one.race async for one in heard if isinstance(one, Matched))
                finally:
                    client.ignore(heard)
                async with self._witness(client, race, "seat", rated=True):
                    await self._play(client, race)

    @asynccontextmanager
    async def _witness(
        self, client: Client, race: str, role: Literal["seat", "watch"], *, rated: bool = False
    ) -> AsyncIterator[Witness]:
        """Keep what a client is told while it is in a race."""
        witness = Witness(client, race, role, rated=rated)
        self.witnesses.append(witness)
        heard = client.messages()

        async def keep() -> None:
            with contextlib.suppress(Closed):
                async for message in heard:
                    witness.take(message)

        keeping = asyncio.create_task(keep(), name=f"{role} of {race}")
        try:
            yield witness
        except* (Refused, Closed):
            witness.saw_loss = True
            raise
        finally:
            witness.here = False
            keeping.cancel()
            client.ignore(heard)

    async def _play(self, client: Client, race: str) -> None:
        """Play by chance from what the board shows until the race is over, whatever is refused meanwhile."""
        following = await client.join(race)
        await client.ready(race)
        await following.until(lambda race: race.playing or race.over)
        while following.playing and race in client.races:
            legal = following.board["legal"] if following.board else []
            word = self._chance.choice(legal) if legal else UNDO
            try:
                await client.play(race, word)
                self.confirmed += 1
            except Refused:
                if word == UNDO and following.playing:
                    await client.done(race)
            await asyncio.sleep(1 / PLAYS_PER_S)
        await following.until(lambda race: race.over)


@asynccontextmanager
async def crowd(servers: Sequence[str], sources: Sequence[str], races: int, seed: int) -> AsyncIterator[Crowd]:
    """A crowd that races for the length of the block."""
    everybody = Crowd(servers, sources, races, seed)
    async with asyncio.TaskGroup() as group:
        racing = group.create_task(everybody.race(), name="crowd")
        yield everybody
        racing.cancel()
