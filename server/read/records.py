"""What a server keeps beside its races: accounts, rulings, results and ratings."""

from __future__ import annotations

from typing import Any

import msgspec
from redis.asyncio import Redis
from redis.exceptions import RedisError

from engine.race.model import Race
from server.read.ratings import Ratings
from server.read.results import Results
from server.store import keys
from server.store.accounts import Accounts
from server.store.batch import Write
from server.store.connect import StoreUnavailable
from server.store.rulings import Rulings

__all__ = ["Records"]


class Records:
    """The books of a server, as one node reads and writes them; `write` writes what no log could make anew."""

    def __init__(self, client: Redis, write: Write | None = None) -> None:
        self._client = client
        self.accounts = Accounts(client, write)
        self.rulings = Rulings(client, write)
        self.ratings = Ratings(client)
        self.results = Results(client, self.accounts, self.rulings, self.ratings)

    async def open(self) -> None:
        """Know what was ruled before anybody is let in. Raises StoreUnavailable."""
        try:
            await self.rulings.read()
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault

    async def heard_of(self, player: str) -> bool:
        """Tell whether a player is known by more than a token: by an account, a seat in a listed race, or a ban.

        Raises StoreUnavailable.
        """
        if self.rulings.banned(player):
            return True
        try:
            if await self.accounts.account(player) is not None:
                return True
            listed = [await self._client.exists(name) for name in (keys.lobby_player(player), keys.results_of(player))]
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault
        return any(listed)

    async def foresight(self, rid: str) -> list[dict[str, Any]] | None:
        """Return what is known of how a race's seats played as if they knew more. Raises StoreUnavailable."""
        try:
            kept = await self._client.hget(keys.FORESIGHT, rid)
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault
        return None if kept is None else msgspec.json.decode(kept)

    async def keep_foresight(self, rid: str, seats: list[dict[str, Any]]) -> None:
        """Keep what was found about a race's seats, for admins. Raises StoreUnavailable."""
        try:
            await self._client.hset(keys.FORESIGHT, rid, msgspec.json.encode(seats))
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault

    async def record(self, race: Race) -> None:
        """See that a closed race counts, or that one ruled void does not. Raises StoreUnavailable."""
        try:
            await self.results.record(race)
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault
