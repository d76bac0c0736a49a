"""Deals proved winnable, as races take them out of the stock: `bots.analysis` has the side of those who prove them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from engine.stock import SHELVES, Proved, shelf_key, shelf_of, unpack_proved
from server.store.batch import Write
from server.store.connect import StoreUnavailable

__all__ = ["RETRY_MS", "Stock", "StockEmpty"]

RETRY_MS: Final = 2_000
"""When more may have been proved."""

log = structlog.get_logger("stock")


class StockEmpty(StoreUnavailable):
    """No deal of a game is proved winnable at the moment; more are soon, unless nobody proves any."""

    def __init__(self, shelf: str) -> None:
        super().__init__(f"no proved deal of {shelf}", RETRY_MS)
        self.shelf = shelf


class Stock:
    """Gives each proved deal to one race, or to none: what is taken is gone, whatever becomes of the race.

    `write` takes it: no failover may bring back what a race has shown.
    """

    def __init__(self, client: Redis, write: Write | None = None) -> None:
        self._client = client
        self._write = write or client.execute_command

    async def take(self, game: str, sealed: bool, kids: Collection[str]) -> Proved:
        """Take a deal of a game (`GO1-C`) that was proved with one of these keys.

        Raises StockEmpty, which asks for more, and StoreUnavailable.
        """
        shelf = shelf_of(game, sealed)
        try:
            while (text := await self._write("LPOP", shelf_key(shelf))) is not None:
                assert isinstance(text, bytes)
                proved = unpack_proved(text)
                if proved.kid in kids:
                    return proved
                log.warning("proved with a key that is not in the ring", kid=proved.kid)
            await self._client.sadd(SHELVES, shelf)
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault
        raise StockEmpty(shelf)
