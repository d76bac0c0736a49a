"""Seats that want a bot: a stream that any worker takes from, and that no worker's death empties."""

from collections.abc import Sequence
from typing import Final, cast

import msgspec
from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import ResponseError

from server.store import keys

GROUP: Final = "workers"
WISH_FIELD: Final = b"w"
DEAD_AFTER_MS: Final = 30_000
MAX_BLOCK_MS: Final = 2000
"""Shorter than the timeout of a client, and how late a dead consumer's wish may be noticed on top of its time."""


ASKED_FOR_S: Final = 7200
"""How long it is known that a race's bots were asked for; longer than a race may wait for its start."""

_ASK_ONCE: Final = """
if redis.call('SET', KEYS[2], '', 'NX', 'EX', ARGV[1]) then
  for i = 2, #ARGV do
    redis.call('XADD', KEYS[1], '*', 'w', ARGV[i])
  end
end
return 1
"""


class SeatWish(Struct, frozen=True, omit_defaults=True):
    """A seat in a race that wants a bot of the roster, and its pace in moves per second if not the bot's own."""

    rid: str
    bot: str
    pace: float | None = None


class Wanted(Struct, frozen=True):
    """A wish that this consumer has taken and has to call done; `again` if another took it before and died."""

    id: str
    wish: SeatWish
    again: bool


class WantedBots:
    """The seats that want a bot. Each is taken at least once: joining twice must be harmless, and is."""

    def __init__(self, client: Redis, dead_after_ms: int = DEAD_AFTER_MS) -> None:
        self._client = client
        self._dead_after_ms = dead_after_ms
        self._ask_once = client.register_script(_ASK_ONCE)

    async def ask_once(self, rid: str, wishes: Sequence[SeatWish]) -> None:
        """Ask for all bots of a race, unless that was done before: safe to call again, also from other nodes."""
        if wishes:
            packed = [msgspec.msgpack.encode(wish) for wish in wishes]
            await self._ask_once(keys=[keys.WANTED, keys.bots_asked(rid)], args=[ASKED_FOR_S, *packed])

    async def ask(self, wish: SeatWish) -> str:
        """Ask for a bot; returns the id of the wish."""
        return _text(await self._client.xadd(keys.WANTED, {WISH_FIELD: msgspec.msgpack.encode(wish)}))

    async def take(self, consumer: str, block_ms: int, limit: int = 1) -> list[Wanted]:
        """Take up to `limit` wishes: those of dead consumers first, else new ones, waiting for one.

        The wait is `block_ms`, at most `MAX_BLOCK_MS`; nothing taken is an empty list.
        """
        try:
            return await self._left_behind(consumer, limit) or await self._new(consumer, block_ms, limit)
        except ResponseError as error:
            if not str(error).startswith("NOGROUP"):
                raise
        await self._create_group()
        return await self._new(consumer, block_ms, limit)

    async def working(self, consumer: str, wish_id: str) -> bool:
        """Say that a wish is being served, more often than `dead_after_ms`; False if another has taken it over."""
        held = await self._client.xpending_range(keys.WANTED, GROUP, min=wish_id, max=wish_id, count=1)
        if not held or _text(held[0]["consumer"]) != consumer:
            return False
        await self._client.xclaim(keys.WANTED, GROUP, consumer, 0, [wish_id], justid=True)
        return True

    async def done(self, wish_id: str) -> None:
        """Drop a wish that has been served, or that nobody can serve."""
        async with self._client.pipeline(transaction=True) as both:
            both.xack(keys.WANTED, GROUP, wish_id)
            both.xdel(keys.WANTED, wish_id)
            await both.execute()

    async def _left_behind(self, consumer: str, limit: int) -> list[Wanted]:
        claimed = await self._client.xautoclaim(keys.WANTED, GROUP, consumer, self._dead_after_ms, count=limit)
        return [_wanted(wish_id, fields, again=True) for wish_id, fields in claimed[1] if fields]

    async def _new(self, consumer: str, block_ms: int, limit: int) -> list[Wanted]:
        block = max(1, min(block_ms, MAX_BLOCK_MS))  # 0 would block for ever.
        reply = await self._client.xreadgroup(GROUP, consumer, {keys.WANTED: ">"}, count=limit, block=block)
        streams = cast(list[tuple[bytes, list[tuple[bytes, dict[bytes, bytes]]]]], reply)  # As RESP2 has it.
        return [_wanted(wish_id, fields, again=False) for _, wishes in streams for wish_id, fields in wishes]

    async def _create_group(self) -> None:
        try:
            await self._client.xgroup_create(keys.WANTED, GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if not str(error).startswith("BUSYGROUP"):
                raise


def _wanted(wish_id: object, fields: dict[bytes, bytes], *, again: bool) -> Wanted:
    return Wanted(_text(wish_id), msgspec.msgpack.decode(fields[WISH_FIELD], type=SeatWish), again)


def _text(raw: object) -> str:
    return raw.decode() if isinstance(raw, bytes) else str(raw)
