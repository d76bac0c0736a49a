"""Making anew what spans races (lobby, results, ratings, timers) from the archive and the logs in Redis."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Final, cast

import structlog
from msgspec import Struct
from redis.asyncio import Redis

from engine.log.entry import LogError
from engine.race.evolve import fold
from engine.race.model import Race
from server.races.clock import Clock
from server.races.lobby import Lobby
from server.races.secrets import RaceSecrets
from server.read.records import Records
from server.store import keys
from server.store.append import Forked
from server.store.datadir import StartRefused
from server.store.history import History
from server.store.log import races_logged
from server.store.timers import Timers

__all__ = ["Rebuilt", "rebuild"]

AT_ONCE: Final = 200
"""Races of the lobby that are written together."""
PROJECTIONS: Final = ("{results}:*", "{ratings:*}:*", "{lobby}:*", keys.RATING_POOLS)

log = structlog.get_logger("rebuild")


class Rebuilt(Struct, frozen=True):
    """How many races were found in the archive and in Redis only, how many count, and which could not be read."""

    archived: int
    live: int
    counted: int
    damaged: tuple[str, ...]


async def rebuild(
    client: Redis, history: History, secrets: RaceSecrets, seen: Callable[[int], None] = lambda _: None
) -> Rebuilt:
    """Drop every projection and make it anew; `seen` is told how many races have been read so far.

    Servers may go on meanwhile: whatever they write comes to the same, but lists are short until this is done. Raises
    StartRefused where there are races and none can be read, before anything is dropped; StoreUnavailable, RedisError.
    """
    clock = Clock(history)
    await clock.sync()
    records, lobby, timers = Records(client), Lobby(client, clock), Timers(client)
    await records.open()
    await _expect_readable(client, history, secrets)
    await _drop(client)
    counts = dict.fromkeys((True, False), 0)
    shown: list[Race] = []
    rated: list[tuple[int, str]] = []
    damaged: list[str] = []
    async for rid, archived in _races(client, history):
        counts[archived] += 1
        try:
            race = await _folded(history, secrets, rid)
        except LogError as fault:
            log.error("a race cannot be read", race=rid, fault=str(fault))
            damaged.append(rid)
            continue
        if not archived:
            await timers.put(rid, clock.now())
        await records.results.enter(race)
        await records.results.enter_try(race)
        if race.card is not None and race.card.rated and race.over_at is not None:
            rated.append((race.over_at, rid))
        shown.append(race)
        if len(shown) == AT_ONCE:
            await lobby.put(shown)
            shown.clear()
        seen(sum(counts.values()))
    await lobby.put(shown)
    # In the order in which they ended: whatever is late makes all after it be done twice.
    for _, rid in sorted(rated):
        await records.results.rate(await _folded(history, secrets, rid))
    return Rebuilt(counts[True], counts[False], sum(counts.values()) - len(damaged), tuple(damaged))


async def _expect_readable(client: Redis, history: History, secrets: RaceSecrets) -> None:
    """Raise StartRefused unless a race can be read or there is none: with another key ring all would be gone."""
    first: str | None = None
    async for rid, _ in _races(client, history):
        try:
            await _folded(history, secrets, rid)
        except LogError as fault:
            first = first or f"{rid}, {fault}"
        else:
            return
    if first is not None:
        raise StartRefused(f"No race can be read, so all is left as it is; the first: {first}.")


async def _drop(client: Redis) -> None:
    for pattern in PROJECTIONS:
        async for name in client.scan_iter(pattern, count=1_000):
            # Who is about to write ratings is to see that they are others now.
            if not cast(bytes, name).endswith(b":version"):
                await client.unlink(name)


async def _races(client: Redis, history: History) -> AsyncIterator[tuple[str, bool]]:
    """Yield the id of every race, and whether it has a file in the archive."""
    known = set()
    if history.archive is not None:
        async for rid in history.archive.races():
            known.add(rid)
            yield rid, True
    async for rid in races_logged(client):
        if rid not in known:
            known.add(rid)
            yield rid, False


async def _folded(history: History, secrets: RaceSecrets, rid: str) -> Race:
    entries = await history.read(rid)
    return fold(Race(rid), () if isinstance(entries, Forked) else entries, secrets)
