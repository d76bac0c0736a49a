"""Keeps deals proved winnable in stock for races: a prover holds the key that makes deals, and takes no seats."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import Final

import structlog
from redis.asyncio import Redis

from bots.analysis.analyst import Compute
from bots.analysis.position import reach, warm_up
from engine.game import first_board
from engine.stock import NUMBER_BITS, SHELVES, Proved, deal_of, pack_proved, shelf_key, shelf_of

__all__ = ["ALWAYS", "StockProver"]

ALWAYS: Final = tuple(
    shelf_of(game, sealed) for game in ("GO1-E", "GO1-C", "GO1-S", "DS1-D1N", "DS1-D3N") for sealed in (False, True)
)
"""The shelves that are kept full though nobody has asked yet."""
DEAL_MS: Final = 1_000.0
"""What one deal may take; another may be easier."""
SPELL_MS: Final = 500.0
"""How long deals are tried before something else has its turn."""
FIRST_REST_S: Final = 1.0
LONGEST_REST_S: Final = 600.0
"""Where deals are hardly ever won, or cannot be proved, a shelf is left alone for longer each time."""

log = structlog.get_logger("stock")


class StockProver:
    """Fills shelves up to `most` deals each, the emptiest first; several provers may work on the same stock."""

    def __init__(self, client: Redis, kid: str, key: bytes, most: int, always: Sequence[str] = ALWAYS) -> None:
        self._client = client
        self._kid, self._key, self._most = kid, key, most
        self._always = always
        self._rests: dict[str, tuple[float, float]] = {}
        """Shelf → when its rest is over (of the monotonic clock), and how long it was (seconds)."""

    async def restock(self, compute: Compute) -> bool:
        """Try deals of the emptiest shelf for a spell; False where all are full or rest."""
        shelf = await self._emptiest()
        if shelf is None:
            return False
        number = await compute(lambda: self._proved(shelf))
        if number is None:
            self._rest(shelf)
            return True
        self._rests.pop(shelf, None)
        await self._client.rpush(shelf_key(shelf), pack_proved(Proved(self._kid, number)))
        return True

    async def _emptiest(self) -> str | None:
        asked = await self._client.smembers(SHELVES)
        shelves = list(dict.fromkeys([*self._always, *map(_text, asked)]))
        async with self._client.pipeline(transaction=False) as pipe:
            for shelf in shelves:
                pipe.llen(shelf_key(shelf))
            lengths = await pipe.execute()
        now = time.monotonic()
        open_to_more = [
            (length, shelf)
            for shelf, length in zip(shelves, lengths, strict=True)
            if length < self._most and self._rests.get(shelf, (0.0, 0.0))[0] <= now
        ]
        return min(open_to_more, default=(0, None), key=lambda one: one[0])[1]

    def _rest(self, shelf: str) -> None:
        _, before_s = self._rests.get(shelf, (0.0, FIRST_REST_S / 2))
        rest_s = min(2 * before_s, LONGEST_REST_S)
        self._rests[shelf] = (time.monotonic() + rest_s, rest_s)
        log.info("no deal proved", shelf=shelf, again_s=rest_s)

    def _proved(self, shelf: str) -> int | None:
        """Return the number of a deal that can be won: the solver's line was replayed through the engine."""
        warm_up(shelf[:2])
        begun = time.thread_time()
        while (time.thread_time() - begun) * 1000 < SPELL_MS:
            number = secrets.randbits(NUMBER_BITS)
            if reach(first_board(deal_of(shelf, self._key, number)), DEAL_MS).winnable:
                return number
        return None


def _text(raw: bytes | str) -> str:
    return raw.decode() if isinstance(raw, bytes) else raw
