"""What the tests of races share: nodes on one Redis, races begun, and listeners that remember."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from typing import Any, Final

import pytest
from redis.asyncio import Redis

from engine.race import commands as ask
from engine.race.card import read_card
from engine.race.events import Event
from engine.race.model import Race
from server.races.answer import Answer
from server.races.table import Table
from server.races.tables import Tables
from server.settings import Settings
from server.store.connect import StoreUnavailable, connect
from server.store.keyring import KeyRing, new_key_ring
from tests.engine.golf.printed import WON

__all__ = ["CODE", "WINNING", "Heard", "NewNode", "begun", "calls", "join", "play", "ready"]

CODE, *WINNING = WON.split()
RING: Final = new_key_ring()
NewNode = Callable[..., Awaitable[Tables]]


class Heard:
    """A listener that remembers all that it was told."""

    def __init__(self) -> None:
        self.entries: list[tuple[Race, Event, Race]] = []
        self.resets: list[Race] = []
        self._news = asyncio.Event()

    def on_entry(self, before: Race, event: Event, after: Race) -> None:
        self.entries.append((before, event, after))
        self._news.set()

    def on_reset(self, race: Race) -> None:
        self.resets.append(race)

    @property
    def kinds(self) -> list[str]:
        return [event.KIND for _, event, _ in self.entries]

    async def closing(self) -> Race:
        """Wait until the race is closed."""
        while "race.finished" not in self.kinds:
            self._news.clear()
            await self._news.wait()
        return self.entries[-1][2]

    async def reached(self, seq: int) -> None:
        """Wait until an entry has been told."""
        while not self.entries or self.entries[-1][2].seq < seq:
            self._news.clear()
            await self._news.wait()


@pytest.fixture
def ring() -> KeyRing:
    """The key ring that all nodes share."""
    return RING


@pytest.fixture
async def new_node(redis_url: str, redis: Redis, ring: KeyRing) -> AsyncIterator[NewNode]:
    """Opens nodes on one Redis, emptied before; each has connections of its own."""
    async with AsyncExitStack() as stack:

        async def open_node(url: str = redis_url, give_up_ms: int | None = None, **settings: Any) -> Tables:
            client = connect(url)
            stack.push_async_callback(client.aclose)
            tables = Tables(Settings(**settings), client, ring, give_up_ms=give_up_ms)
            return await stack.enter_async_context(tables)

        yield open_node


@pytest.fixture
async def node(new_node: NewNode) -> Tables:
    """One node."""
    return await new_node()


@pytest.fixture
async def other(new_node: NewNode) -> Tables:
    """Another node on the same Redis."""
    return await new_node()


async def join(table: Table, player: str, kind: str = "person") -> Answer:
    """Join over a connection numbered by the letter that the player's name begins with."""
    return await table.ask(ask.Join(player, player.title(), kind, ord(player[0])))  # type: ignore[arg-type]


async def ready(table: Table, player: str) -> Answer:
    """Be ready; the last one starts the race at once."""
    return await table.ask(ask.Ready(player, "AAAAAAC", delay_ms=0))


async def begun(node: Tables, *players: str, key: str = "key", **card: Any) -> Table:
    """Create a race, seat the players and start it without a countdown.

    A node that is soon to give up may have to be asked again, where the machine is busy.
    """
    terms = {"code": CODE, "seats": max(1, len(players)), **card}
    table = None
    while table is None:
        with suppress(StoreUnavailable):
            table = await node.offers.create(read_card(terms), "host", key)
    for ask_for in (join, ready):
        for player in players:
            while not (answer := await ask_for(table, player)).ok:
                assert answer.retry_ms is not None
    return table


async def play(node: Tables, table: Table, player: str, *words: str, n: int | None = None) -> Answer:
    """Play words as the next operations of a seat, one after the other, or as operation `n`."""
    for word in words:
        seat = table.race.seat_of(player)
        number = n if n is not None else (seat.lane if seat else 0) + 1
        answer = await table.ask(ask.Play(player, number, word, node.clock.now()))
    return answer


async def calls(redis: Redis, command: str) -> int:
    """How often Redis has carried out a command, in scripts too, since its statistics were reset."""
    stats = await redis.info("commandstats")
    return int(stats.get(f"cmdstat_{command}", {"calls": 0})["calls"])
