"""The seats that want a bot: each is taken by one worker, and by another when that one dies."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from redis.asyncio import Redis

from bots.share import DEAD_AFTER_MS, MAX_BLOCK_MS, Share
from bots.share import Taken as Entry
from engine.roster import ROSTER
from engine.wish import GROUP, STREAM, WISH_FIELD, SeatWish, seat_token, unpack_wish

__all__ = ["DEAD_AFTER_MS", "Taken", "Wanted"]

ROSTER_KEPT_S: Final = 24 * 3600
TOKEN_KEPT_S: Final = 25 * 3600
"""Longer than any race: an hour to start, a day to play."""


class Taken(Struct, frozen=True):
    """A wish that this worker has taken and has to call done; None where it is no wish that can be read."""

    id: str
    wish: SeatWish | None

    @property
    def owner(self) -> str:
        """Whose wish it is, for the sake of fairness; nobody's where it cannot be read."""
        return "" if self.wish is None else self.wish.owner


class Wanted:
    """The wishes as one worker sees them. Each is taken at least once: joining twice must be harmless, and is.

    A `worker` is a name that no other living worker has. One that comes back under its name finds what it had taken.
    """

    def __init__(self, client: Redis, worker: str, dead_after_ms: int = DEAD_AFTER_MS) -> None:
        self._client = client
        self._share = Share(client, STREAM, GROUP, worker, dead_after_ms)

    async def mine(self) -> list[Taken]:
        """Return what a worker of this name had taken before it ended."""
        return [_taken(entry) for entry in await self._share.mine()]

    async def take(self, limit: int, block_ms: int = MAX_BLOCK_MS) -> list[Taken]:
        """Take up to `limit` wishes: those of dead workers first, else new ones, waiting for one up to `block_ms`."""
        return [_taken(entry) for entry in await self._share.take(limit, block_ms)]

    async def working(self, wish_id: str) -> bool:
        """Say that a wish is being served, more often than `dead_after_ms`; False if another has taken it over."""
        return await self._share.working(wish_id)

    async def done(self, wish_id: str) -> None:
        """Drop a wish that has been served, or that nobody can serve."""
        async with self._client.pipeline(transaction=True) as together:
            self._share.drop(together, wish_id)
            together.delete(seat_token(wish_id))
            await together.execute()

    async def token(self, wish_id: str) -> str | None:
        """Return the token with which the wish's seat is played, if somebody has begun to."""
        token = await self._client.get(seat_token(wish_id))
        return None if token is None else _text(token)

    async def keep_token(self, wish_id: str, token: str) -> str:
        """Keep a token for the wish's seat unless there is one; returns the one that is kept."""
        await self._client.set(seat_token(wish_id), token, nx=True, ex=TOKEN_KEPT_S)
        return await self.token(wish_id) or token

    async def offer(self, roster: bytes) -> None:
        """Make known to servers which bots are to be had (`engine.roster`)."""
        await self._client.set(ROSTER, roster, ex=ROSTER_KEPT_S)


def _taken(entry: Entry) -> Taken:
    try:
        wish = unpack_wish(entry.fields[WISH_FIELD])
    except (KeyError, ValueError):
        wish = None
    return Taken(entry.id, wish)


def _text(raw: object) -> str:
    return raw.decode() if isinstance(raw, bytes) else str(raw)
