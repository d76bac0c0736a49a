"""The ratings of all pools: which races count, and what a player is rated."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from redis.asyncio import Redis
from redis.exceptions import RedisError

from engine.race.model import Race
from engine.race.standings import standings
from engine.ratings import RatedRace, Rating, pools
from server.read.pool import Pool
from server.store import keys
from server.store.connect import StoreUnavailable

__all__ = ["Ratings", "rated_race"]


class Ratings:
    """What the races of accounts have come to, by pool (`engine.ratings.pool_name`)."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    def pool(self, name: str) -> Pool:
        """Return a pool by its name, whether any race counts in it or not."""
        return Pool(self._client, name)

    async def names(self) -> list[str]:
        """Return the names of all pools with a rated race. Raises RedisError."""
        found = cast(set[bytes], await self._client.smembers(keys.RATING_POOLS))
        return sorted(name.decode() for name in found)

    async def rating(self, player: str, pool: str) -> Rating:
        """Return what a player is rated in a pool; with mu, sigma, shown, provisional. Raises StoreUnavailable."""
        try:
            return await self.pool(pool).rating(player) or Rating()
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault

    async def of_player(self, player: str) -> dict[str, tuple[Rating, int | None]]:
        """Return a player's rating and rank in each pool where there is one. Raises RedisError."""
        found = {}
        for name in await self.names():
            rating = await self.pool(name).rating(player)
            if rating is not None:
                found[name] = (rating, await self.pool(name).place(player))
        return found

    async def apply(self, race: Race, accounts: Collection[str]) -> None:
        """Let a race count for those of its players who had an account at its start. Raises RedisError."""
        for name, rated in rated_race(race, accounts).items():
            await self.pool(name).apply(rated)

    async def take_out(self, rid: str) -> None:
        """Let a race count no more, in any pool. Raises RedisError."""
        for name in await self.names():
            await self.pool(name).take_out(rid)


def rated_race(race: Race, accounts: Collection[str]) -> dict[str, RatedRace]:
    """Return what a race is in each pool in which it counts: rated ones that came to an end, between accounts only."""
    if race.card is None or not race.card.rated or not race.closed or race.voided is not None or race.over_at is None:
        return {}
    kinds = {seat.player: seat.kind for seat in race.seats.values()}
    ranks = {one.player: one.rank for one in standings(race) if one.player in accounts}
    found = pools(race.card.game, kinds, ranks)
    return {name: RatedRace(race.over_at, race.id, members) for name, members in found.items()}
