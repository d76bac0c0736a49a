"""Seats that want a bot, as the server asks for them: `bots.wanted` has the side of the workers who take them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from redis.asyncio import Redis

from engine.wish import WISH_FIELD, SeatWish, pack_wish
from server.store import keys
from server.store.batch import Write

__all__ = ["ASKED_FOR_S", "WantedBots"]

ASKED_FOR_S: Final = 7200
"""How long it is known that a race's bots were asked for; longer than a race may wait for its start."""

_ASK_ONCE: Final = """
if redis.call('SET', KEYS[2], '', 'NX', 'EX', ARGV[1]) then
  for i = 3, #ARGV do
    redis.call('XADD', KEYS[1], '*', ARGV[2], ARGV[i])
  end
end
return 1
"""


class WantedBots:
    """The stream of wishes. Each is served at least once: joining twice must be harmless, and is.

    `write` asks: whoever is told of a race counts on its bots.
    """

    def __init__(self, client: Redis, write: Write | None = None) -> None:
        self._client = client
        self._write = write or client.execute_command

    async def ask_once(self, rid: str, wishes: Sequence[SeatWish]) -> None:
        """Ask for all bots of a race, unless that was done before: safe to call again, also from other nodes.

        Raises RedisError, StoreUnavailable.
        """
        if wishes:
            packed = [pack_wish(wish) for wish in wishes]
            names = (keys.WANTED, keys.bots_asked(rid))
            await self._write("EVAL", _ASK_ONCE, len(names), *names, ASKED_FOR_S, WISH_FIELD, *packed)

    async def waiting(self) -> int:
        """Return how many seats no worker has taken yet; a wish stays in the stream while it is served."""
        wishes = await self._client.xlen(keys.WANTED)
        if not wishes:
            return 0
        groups = await self._client.xinfo_groups(keys.WANTED)
        return max(0, wishes - sum(int(group["pending"]) for group in groups))
