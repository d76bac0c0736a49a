"""What was ruled about races and players later than their logs: one stream, never trimmed, that is its own audit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final, cast

import msgspec
import structlog
from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import RedisError

from server.store import keys
from server.store.batch import Write

__all__ = ["WHY_LENGTH", "Act", "Ruling", "Rulings"]

WHY_LENGTH: Final = 500
READ_EVERY_S: Final = 1.0
"""How soon every node knows a ruling that another one took down."""
PAGE: Final = 1_000
_FIELD: Final = b"r"

log = structlog.get_logger("rulings")


class Act(StrEnum):
    """What a ruling does: to a race, or to a player and all of the player's tokens."""

    VOID = "void"
    RESTORE = "restore"
    CLOSE = "close"
    BAN = "ban"
    UNBAN = "unban"
    SIGN_OUT = "sign_out"


class Ruling(Struct, frozen=True, omit_defaults=True):
    """Who has ruled what, on which race or player, and why; `at` (ms) is Redis's time.

    A sign-out ends tokens dated up to `until`, which may be a little later: nodes date tokens by clocks of their own.
    """

    act: Act
    by: str
    why: str = ""
    race: str | None = None
    player: str | None = None
    at: int = 0
    before: int = 0

    @property
    def until(self) -> int:
        """The date (ms) of the last tokens that a sign-out ends."""
        return max(self.at, self.before)


class Rulings:
    """All rulings, folded on this node; read again every second, and at once after a ruling made here.

    Where a failover has lost some they are in force no more here either: all that are left are read anew. `write` takes
    them down, for what is told of them is to last.
    """

    def __init__(self, client: Redis, write: Write | None = None) -> None:
        self._client = client
        self._write = write or client.execute_command
        self._last: tuple[bytes, dict[bytes, bytes]] | None = None
        self._reading = asyncio.Lock()
        self._voided: set[str] = set()
        self._banned: set[str] = set()
        self._signed_out: dict[str, int] = {}
        self._listeners: list[Callable[[Ruling], None]] = []

    def on_ruling(self, listener: Callable[[Ruling], None]) -> None:
        """Tell a listener every ruling from now on, once it is in force here. It must not raise."""
        self._listeners.append(listener)

    def voided(self, rid: str) -> bool:
        """Tell whether a race was ruled not to count."""
        return rid in self._voided

    def banned(self, player: str) -> bool:
        """Tell whether a player may do nothing any more."""
        return player in self._banned

    def signed_out(self, player: str, issued_at: int) -> bool:
        """Tell whether a player's tokens of a time (ms) count no more."""
        return issued_at <= self._signed_out.get(player, -1)

    async def rule(self, ruling: Ruling) -> Ruling:
        """Take a ruling down; it is in force here at once and on every node soon.

        Raises RedisError, StoreUnavailable: then it may be in force all the same.
        """
        entry = await self._write("XADD", keys.RULINGS, "*", _FIELD, msgspec.json.encode(ruling))
        await self.read()
        return msgspec.structs.replace(ruling, at=_at(cast(bytes, entry)))

    async def all(self, newest: int) -> list[Ruling]:
        """Return the newest rulings, the last one first. Raises RedisError."""
        return [_ruling(*one) for one in cast(list[Any], await self._client.xrevrange(keys.RULINGS, count=newest))]

    async def read(self) -> None:
        """Take note of what was ruled since the last time. Raises RedisError."""
        async with self._reading:
            while page := await self._next():
                for entry_id, fields in page:
                    self._take(_ruling(entry_id, fields))
                self._last = page[-1]

    async def keep(self) -> None:
        """Read on for ever."""
        while True:
            try:
                await self.read()
            except (RedisError, OSError) as fault:
                log.warning("rulings not read", fault=str(fault))
            await asyncio.sleep(READ_EVERY_S)

    async def _next(self) -> list[tuple[bytes, dict[bytes, bytes]]]:
        """Return rulings after the last one that was read, which is still to be there."""
        first = "-" if self._last is None else self._last[0]
        page = cast(list[Any], await self._client.xrange(keys.RULINGS, first, "+", PAGE))
        if self._last is None:
            return page
        if page and page[0] == self._last:
            return page[1:]
        log.error("rulings are gone", last=self._last[0].decode())
        page = cast(list[Any], await self._client.xrange(keys.RULINGS, "-", "+", PAGE))
        # Not before what is left could be read: a Redis that has just failed over may well not answer.
        self._last = None
        self._voided.clear()
        self._banned.clear()
        self._signed_out.clear()
        return page

    def _take(self, ruling: Ruling) -> None:
        race, player = ruling.race or "", ruling.player or ""
        match ruling.act:
            case Act.VOID | Act.CLOSE:
                self._voided.add(race)
            case Act.RESTORE:
                self._voided.discard(race)
            case Act.BAN:
                self._banned.add(player)
            case Act.UNBAN:
                self._banned.discard(player)
            case Act.SIGN_OUT:
                self._signed_out[player] = ruling.until
        for listener in self._listeners:
            listener(ruling)


def _ruling(entry_id: bytes, fields: dict[bytes, bytes]) -> Ruling:
    return msgspec.structs.replace(msgspec.json.decode(fields[_FIELD], type=Ruling), at=_at(entry_id))


def _at(entry_id: bytes) -> int:
    return int(entry_id.partition(b"-")[0])
