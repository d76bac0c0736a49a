"""A run over a server: every deal is a real race, with its clock, its pace and its network (`bench --race`)."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from msgspec import Struct

from bots.bench.contestant import Contestant
from bots.bench.deals import Deal
from bots.bench.regret import given_away
from bots.bench.rows import End, Row
from bots.client import Client, Following
from bots.conditions import Conditions
from bots.contender import Failure, Spent
from bots.external.racer import Racer
from bots.pace import pace_of
from bots.roster import Entry, entry
from bots.seat import play_seat, seed_of
from bots.thinking import Thinking
from engine.codes import parse_code
from engine.game import Board
from engine.record import Record, replay
from engine.refusals import Status
from engine.wire.outbound import Ev

__all__ = ["Races", "race_deals"]


class Races(Struct, frozen=True):
    """How races are held: where, how fast bots move, how many at a time."""

    server: str
    conditions: Conditions
    pace: str
    at_a_time: int


class Entrant(Struct):
    """A bot with its connection; of a program also that."""

    who: Contestant
    client: Client
    bot: Entry
    racer: Racer | None


async def race_deals(
    races: Races, bots: Sequence[Contestant], deals: Iterable[Deal], keep: Callable[[Sequence[Row]], None]
) -> None:
    """Race all bots on each deal; `keep` gets the rows of a race when it is over."""
    waiting = deque(deals)

    async def hold() -> None:
        async with _entrants(races, bots) as entrants:
            with Thinking() as thinking:
                while waiting:
                    keep(await _race(races, entrants, waiting.popleft(), thinking))

    async with asyncio.TaskGroup() as group:
        for number in range(min(races.at_a_time, len(waiting))):
            group.create_task(hold(), name=f"races {number}")


@asynccontextmanager
async def _entrants(races: Races, bots: Sequence[Contestant]) -> AsyncIterator[list[Entrant]]:
    async with AsyncExitStack() as stack:
        entrants = []
        for who in bots:
            client = await stack.enter_async_context(
                Client(races.server, name=who.name, kind="bot", engine=who.version)
            )
            racer = None
            if who.command:
                racer = await asyncio.to_thread(Racer, who.command, races.conditions)
                stack.push_async_callback(asyncio.to_thread, racer.__exit__, None, None, None)
            entrants.append(Entrant(who, client, entry(who.name) if racer is None else racer.entry(races.pace), racer))
        yield entrants


async def _race(races: Races, entrants: Sequence[Entrant], deal: Deal, thinking: Thinking) -> list[Row]:
    """Hold one race to its end."""
    conditions = races.conditions
    card = {
        "code": deal.code,
        "seats": len(entrants),
        "goal": conditions.goal,
        "undo": conditions.undo.value,
        "listed": False,
    }
    rid = await entrants[0].client.create_race(card)
    moves_per_s = pace_of(races.pace).moves_per_s
    async with asyncio.TaskGroup() as group:
        for one in entrants:
            group.create_task(
                play_seat(one.client, rid, one.bot, moves_per_s, thinking), name=f"seat of {one.who.name}"
            )
    events = [event for event in await entrants[0].client.http.events(rid) if isinstance(event, Ev)]
    return [_row(one, deal, one.client.races[rid], events, conditions) for one in entrants]


def _row(one: Entrant, deal: Deal, race: Following, events: Iterable[Ev], conditions: Conditions) -> Row:
    """Return what a seat's part in a race comes to; its record replays to the same score in the arena."""
    standing = next(standing for standing in race.standings or () if standing["seat"] == race.seat)
    record = Record(parse_code(deal.code), _words(events, race.seat))
    board = replay(record)[0].board
    spent = Spent(0.0, 0.0)
    failed = None
    if one.racer is not None:
        failed = one.racer.failed
        spent = one.racer.settle(standing["status"], standing["score"], standing["moves"])
    reason = failed.reason if failed is not None else _limit(standing, len(record.words), conditions, deal)
    golf = record.code.game == "GO"
    regret, dropped = given_away(record, standing["score"])
    return Row(
        code=deal.code,
        bot=one.who.spec,
        seed=seed_of(race),
        status=_end(board, reason, failed=failed is not None),
        score=standing["score"],
        moves=standing["moves"],
        record=str(record),
        wall_ms=float(standing["time_ms"]),
        cpu_ms=round(spent.cpu_ms, 3),
        memory_mb=round(spent.memory_mb, 1),
        removed=board.cleared if golf else None,
        placed=None if golf else board.cleared,
        reason=reason,
        detail=failed.detail if failed is not None else None,
        regret=regret,
        dropped=dropped,
    )


def _words(events: Iterable[Ev], seat: int | None) -> tuple[str, ...]:
    played = (event for event in events if event.s == seat and event.k in ("seat.played", "seat.undone"))
    return tuple(str(event.d["m"]) for event in played)


def _limit(standing: dict[str, Any], operations: int, conditions: Conditions, deal: Deal) -> Failure | None:
    if standing["status"] in ("time", "gone"):
        return Failure.CLOCK
    settled = standing["status"] == "done" and operations >= conditions.operations(deal.code[:2])
    return Failure.MAX_OPS if settled else None


def _end(board: Board, reason: Failure | None, *, failed: bool) -> End:
    if reason is not None:
        return End.FAILED if failed else End.LIMIT
    if board.status is Status.WON:
        return End.WON
    return End.DONE if board.legal() else End.STUCK
