"""Many races at a time, one after the other, until the time is up; then all of them are checked."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Final, TypeVar

import aiohttp

from bots.client import Client, Closed, Http, Refused, ServerUnreachable
from bots.client.outbox import AGAIN
from bots.swarm.audit import Ended, SeatPlayed
from bots.swarm.hand import Hand
from bots.swarm.tally import Tally
from bots.swarm.terms import Terms
from engine.codes import ALPHABET, OPEN_LETTERS
from engine.wire.codec import Subprotocol

__all__ = ["Swarm"]

AGAIN_S: Final = 0.25
FAST: Final = 50
"""Moves a second of bots where the seats play as many as they can."""
SUBPROTOCOLS: Final = tuple(Subprotocol)
TIME_LIMIT_S: Final = 7_200
"""Races are to end because their seats settle, not by their time limit."""

T = TypeVar("T")


class Swarm:
    """Races on one server or several nodes. `tally` is kept up to date; what clients receive goes to `folder`."""

    def __init__(self, terms: Terms, folder: Path, tally: Tally | None = None) -> None:
        terms.check()
        self.terms = terms
        self._folder = folder
        self.tally = Tally() if tally is None else tally
        self._numbers = count(1)
        self._chance = Random(terms.seed)

    async def run(self, enough: Callable[[], bool], ended: Callable[[Ended], None]) -> None:
        """Hold races until it is enough, and hand over each that has ended; returns when the last one has.

        A server that does not answer is asked again, without end.
        """
        async with aiohttp.ClientSession() as session, asyncio.TaskGroup() as slots:
            for _ in range(self.terms.races):
                slots.create_task(self._slot(session, enough, ended))

    async def _slot(
        self, session: aiohttp.ClientSession, enough: Callable[[], bool], ended: Callable[[Ended], None]
    ) -> None:
        while not enough():
            number = next(self._numbers)
            try:
                over = await self._race(session, number, enough)
            except (Refused, Closed) as fault:
                if not any(known.endswith(f": {fault}") for known in self.tally.faults):
                    self.tally.faults.append(f"race number {number}: {fault}")
                return  # The next one would fare no better, and others may have fared alike.
            ended(over)

    async def _race(self, session: aiohttp.ClientSession, number: int, enough: Callable[[], bool]) -> Ended:
        """Hold one race from its creation to its replay file."""
        terms = self.terms
        folder = self._folder / str(number)
        folder.mkdir()
        code = f"{terms.game}-{''.join(self._chance.choice(ALPHABET) for _ in range(OPEN_LETTERS))}"
        host = self._http(session, number)
        host.token = (await _patiently(lambda: host.new_player(f"host {number}"))).token
        card = {
            "code": code,
            "seats": terms.seats + len(terms.bots),
            "bots": [{"bot": name, "pace": terms.rate or FAST} for name in terms.bots],
            "time_limit_s": TIME_LIMIT_S,
            "listed": False,
        }
        race = await _patiently(lambda: host.create_race(card, f"{terms.seed}-{number}"))
        self.tally.races += 1
        seen: list[Path] = []
        async with AsyncExitStack() as stack:

            async def come(name: str, *, boards: bool) -> Client:
                seen.append(folder / f"{name}.jsonl")
                client = self._client(session, number + len(seen), seen[-1], boards=boards)
                return await stack.enter_async_context(client)

            hands = []
            for seat in range(1, terms.seats + 1):
                client = await come(f"seat-{seat}", boards=seat % 2 == 0)
                hands.append(Hand(client, race, code, terms, self.tally, f"{terms.seed} {number} {seat}"))
            watching = []
            for spectator in range(1, terms.spectators + 1):
                client = await come(f"spectator-{spectator}", boards=True)
                watching.append(await client.watch(race))
            await asyncio.gather(*(hand.sit() for hand in hands))
            await asyncio.gather(*(hand.play(enough) for hand in hands))
            await asyncio.gather(*(hand.ended() for hand in hands))
            for following in watching:
                await following.until(lambda race: race.over)
        record = await _patiently(lambda: host.record(race))
        return Ended(race, record, [SeatPlayed.by(hand) for hand in hands], seen)

    @asynccontextmanager
    async def _client(
        self, session: aiohttp.ClientSession, number: int, seen: Path, *, boards: bool
    ) -> AsyncIterator[Client]:
        """A client of a fresh guest; they take turns in servers and subprotocols."""
        http = self._http(session, number)
        token = (await _patiently(lambda: http.new_player(f"{seen.stem} {number}"))).token
        spoken = SUBPROTOCOLS[number // len(self.terms.servers) % len(SUBPROTOCOLS)]
        chance = Random(f"{self.terms.seed} {seen}")
        async with Client(
            self._server(number), token, boards=boards, subprotocol=spoken, seen=seen, chance=chance
        ) as client:
            yield client

    def _http(self, session: aiohttp.ClientSession, number: int) -> Http:
        return Http(session, self._server(number))

    def _server(self, number: int) -> str:
        return self.terms.servers[number % len(self.terms.servers)]


async def _patiently(call: Callable[[], Awaitable[T]]) -> T:
    """Ask a server until it answers: it may be restarted, or be kept from answering, under load."""
    while True:
        wait_s = AGAIN_S
        with contextlib.suppress(ServerUnreachable):
            try:
                return await call()
            except Refused as refused:
                if refused.code not in AGAIN:
                    raise
                if refused.retry_ms is not None:
                    wait_s = refused.retry_ms / 1000
        await asyncio.sleep(wait_s)
