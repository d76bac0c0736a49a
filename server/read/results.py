"""What finished races have come to, by code and by player: each race once, however often it is recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import msgspec
from msgspec import Struct
from redis.asyncio import Redis

from engine.codes import SEALED_LETTERS
from engine.race.model import DAY_MS, Race
from engine.race.views import standings_of
from server.read.ratings import Ratings
from server.store import keys
from server.store.accounts import Accounts
from server.store.rulings import Rulings

__all__ = ["MAX_BEST", "MAX_OF_PLAYER", "MAX_ON_CODE", "Best", "Results"]

MAX_ON_CODE: Final = 10_000
MAX_OF_PLAYER: Final = 1_000
"""Races that are listed of one code and of one player; older ones are found by their id."""
MAX_BEST: Final = 100
"""Results that are kept as the best of a code."""
_TOLD: Final = ("player", "name", "kind", "score", "status", "moves", "cleared", "time_ms")
"""What the table of a day shows of each try."""
_TIMES: Final = 10**8
"""More ms than any race takes, so that one number sorts by score first, then by time."""


Places = list[tuple[str, int]]
"""Races and the times (ms) at which they ended."""


class Best(Struct, frozen=True, order=True):
    """One of the best results on a code: what sorts it (less is better), its race and its seat."""

    sorts: int
    race: str
    seat: int


class Results:
    """The results of all races that are finished and listed, and what they do to ratings. May raise RedisError."""

    def __init__(self, client: Redis, accounts: Accounts, rulings: Rulings, ratings: Ratings) -> None:
        self._client = client
        self._accounts = accounts
        self._rulings = rulings
        self._ratings = ratings

    async def record(self, race: Race) -> None:
        """See that a closed race counts where it is to count, and nowhere if it was voided or ruled so."""
        await self.enter(race)
        await self.enter_try(race)
        await self.rate(race)

    async def enter(self, race: Race) -> None:
        """See that a race is in the lists where it belongs."""
        if not _counts(race):
            return
        voided = self._rulings.voided(race.id)
        async with self._client.pipeline(transaction=False) as pipe:
            for name, most in _lists(race).items():
                if voided:
                    pipe.zrem(name, race.id)
                else:
                    pipe.zadd(name, {race.id: race.over_at or 0})
                    pipe.zremrangebyrank(name, 0, -most - 1)
            for name, best in _best(race).items():
                if voided:
                    pipe.zrem(name, *best)
                else:
                    pipe.zadd(name, best)
                    pipe.zremrangebyrank(name, MAX_BEST, -1)
            await pipe.execute()

    async def enter_try(self, race: Race) -> None:
        """See that a try on a deal of the day is in the table of that day, if its account is older than the day."""
        if not _counts(race) or race.daily is None or race.card is None:
            return
        name = keys.results_of_day(race.daily, race.card.game)
        known = await self._accounts.accounts([seat.player for seat in race.seats.values()])
        ranked = {player for player, account in known.items() if account.since < race.daily * DAY_MS}
        for standing in standings_of(race):
            if standing["player"] not in ranked:
                continue
            told = msgspec.json.encode({name: standing[name] for name in _TOLD} | {"race": race.id})
            if self._rulings.voided(race.id):
                await self._client.zrem(name, told)
            else:
                await self._client.zadd(name, {told: _sorts(standing)})

    async def of_day(self, day: int, game: str, count: int) -> list[dict[str, Any]]:
        """Return the best ranked tries of a day on a game's deal, each with its rank: equal ones share it."""
        found = await self._client.zrange(keys.results_of_day(day, game), 0, count - 1, withscores=True)
        rows: list[dict[str, Any]] = []
        last, rank = None, 0
        for place, (one, sorts) in enumerate(cast(Any, found), 1):
            rank, last = (rank if sorts == last else place), sorts
            rows.append({"rank": rank, **msgspec.json.decode(one)})
        return rows

    async def tries(self, day: int, game: str) -> int:
        """Return how many ranked tries a day had on a game's deal."""
        return int(await self._client.zcard(keys.results_of_day(day, game)))

    async def rate(self, race: Race) -> None:
        """See that a race counts in the pools where it belongs."""
        if not _counts(race) or race.card is None or not race.card.rated:
            return
        if self._rulings.voided(race.id):
            await self._ratings.take_out(race.id)
            return
        known = await self._accounts.accounts([seat.player for seat in race.seats.values()])
        since = race.start_at or 0
        await self._ratings.apply(race, {player for player, account in known.items() if account.since <= since})

    async def on_code(self, code: str, start: int, count: int) -> Places:
        """Return (race, ms of its end) of so many races on a code from a place on (from 0), the newest first."""
        return await self._newest(keys.results_on(code), start, count)

    async def of_player(self, player: str, start: int, count: int) -> Places:
        """Return (race, ms of its end) of so many races of a player from a place on (from 0), the newest first."""
        return await self._newest(keys.results_of(player), start, count)

    async def best(self, code: str, count: int) -> list[Best]:
        """Return the best results on a code, the best first."""
        found = await self._client.zrange(keys.best_on(code), 0, count - 1, withscores=True)
        return [Best(int(sorts), one[:-4].decode(), int(one[-3:])) for one, sorts in cast(Any, found)]

    async def _newest(self, name: str, start: int, count: int) -> Places:
        found = await self._client.zrevrange(name, start, start + count - 1, withscores=True)
        return [(rid.decode(), int(at)) for rid, at in cast(Any, found)]


def _counts(race: Race) -> bool:
    return race.closed and race.voided is None and race.over_at is not None


def _code(race: Race) -> str | None:
    """Return the code under which a race is listed: an open one; a sealed deal is nobody's to race again."""
    return str(race.code) if race.code is not None and len(race.code.number) != SEALED_LETTERS else None


def _lists(race: Race) -> Mapping[str, int]:
    """Return the lists that name a race, and how long each may grow; none where it is private by its link."""
    if race.card is None or not race.card.listed:
        return {}
    code = _code(race)
    lists = {keys.results_of(seat.player): MAX_OF_PLAYER for seat in race.seats.values()}
    return lists if code is None else {**lists, keys.results_on(code): MAX_ON_CODE}


def _best(race: Race) -> Mapping[str, dict[str, int]]:
    """Return what a race may add to the best results on its code: `RACE:SEAT` of each, and what sorts it."""
    code = _code(race)
    if race.card is None or not race.card.listed or code is None:
        return {}
    results = {f"{race.id}:{one['seat']:03}": _sorts(one) for one in standings_of(race)}
    return {keys.best_on(code): results} if results else {}


def _sorts(standing: Mapping[str, Any]) -> int:
    """Return what sorts a result among those of its deal, by score, then by time: less is better.

    However soon somebody gave up, one card cleared is more than none.
    """
    return int(_TIMES * -standing["score"] + (standing["time_ms"] if standing["cleared"] else _TIMES - 1))
