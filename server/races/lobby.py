"""The lobby: which races there are, newest first. A projection in Redis that the logs can always make anew."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final, cast

import msgspec
import structlog
from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import RedisError

from engine.race.model import Race, RaceStatus
from engine.race.views import card_for, standings_of
from server.races.clock import Clock
from server.store import keys

__all__ = ["MAX_PAGE", "MAX_PER_CODE", "Listed", "Lobby", "LobbyCursorError", "listed_of"]

MAX_PAGE: Final = 100
"""Races on one page."""
MAX_LISTED: Final = 10_000
"""Races that are kept of each status; older ones are found by their id."""
MAX_PER_CODE: Final = 200
"""Races listed for one code or one player."""
RETRY_S: Final = 1.0
RECOVERY: Final = 1 << 32
"""More than any seq: after a recovery all is newer than before, though history went back to a lower seq."""

# What another node has written of a later state stays: a value is which state it shows, then JSON. Voided races are
# kept in a list as well, so that nobody who is late lists them again, but no page shows them.
_WRITE: Final = """
local races, rid, seq, text, place = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local newest, created, most_listed, most_indexed = ARGV[5], ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8])
local old = redis.call('HGET', races, rid)
if old and tonumber(string.match(old, '^%d+')) > seq then
  return 1
end
redis.call('HSET', races, rid, ARGV[2] .. text)
for i = 2, 5 do
  if i == place + 1 then
    redis.call('ZADD', KEYS[i], newest, rid)
    for _, oldest in ipairs(redis.call('ZRANGE', KEYS[i], 0, -most_listed - 1)) do
      redis.call('HDEL', races, oldest)
      redis.call('ZREM', KEYS[i], oldest)
    end
  else
    redis.call('ZREM', KEYS[i], rid)
  end
end
for i = 6, #KEYS do
  redis.call('ZADD', KEYS[i], created, rid)
  redis.call('ZREMRANGEBYRANK', KEYS[i], 0, -most_indexed - 1)
end
return 1
"""

log = structlog.get_logger("lobby")


class Listed(Struct, frozen=True, omit_defaults=True):
    """A race as the lobby shows it."""

    race: str
    status: str
    card: dict[str, Any]
    seats: tuple[dict[str, Any], ...]
    created_at: int
    start_at: int | None = None
    ended_at: int | None = None
    standings: tuple[dict[str, Any], ...] | None = None


class LobbyCursorError(ValueError):
    """A cursor that no page gave."""

    def __init__(self, cursor: str) -> None:
        super().__init__(f"cursor: expected the cursor of an earlier page, found {cursor!r}")


class Lobby:
    """The lists of open, live and finished races, by code and by player.

    Writing is a task of its own: a race that has changed is noted, and the newest state of each goes out.
    """

    def __init__(self, client: Redis, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._noted: dict[str, Race] = {}
        self._wake = asyncio.Event()
        self._write = client.register_script(_WRITE)

    def note(self, before: Race, race: Race) -> None:
        """Take note that a race has changed, if it is to be shown otherwise than before."""
        if _public(race) and _shows(before, race):
            self._noted[race.id] = race
            self._wake.set()

    async def write(self) -> None:
        """Write what is noted, for ever; what cannot be written now is tried again."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            noted, self._noted = self._noted, {}
            try:
                await self.put(list(noted.values()))
            except (RedisError, OSError) as fault:
                log.warning("lobby not written", fault=str(fault), races=len(noted))
                self._noted = noted | self._noted
                self._wake.set()
                await asyncio.sleep(RETRY_S)

    async def put(self, races: Sequence[Race]) -> None:
        """Write races that are to be listed, unless what is written is of a later state. Raises RedisError."""
        async with self._client.pipeline(transaction=False) as pipe:
            for race in races:
                if not _public(race):
                    continue
                listed = listed_of(race, self._clock.now())
                names = [keys.LOBBY_RACES, *map(keys.lobby, _LISTS), *_indexed(race)]
                place = 1 + _LISTS.index(_list_of(listed.status))
                newest = listed.ended_at or race.created_at
                text = msgspec.json.encode(listed)
                args: list[str | bytes | int] = [
                    race.id,
                    race.recoveries * RECOVERY + race.seq,
                    text,
                    place,
                    newest,
                    race.created_at,
                    MAX_LISTED,
                    MAX_PER_CODE,
                ]
                await self._write(keys=names, args=args, client=pipe)
            await pipe.execute()

    async def page(
        self,
        *,
        status: str | None = None,
        code: str | None = None,
        player: str | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> tuple[list[Listed], str | None]:
        """Return a page of races, newest first, and the cursor of the next page if there is one.

        Filters: status `open`, `live` or `finished`; canonical code; player. Raises LobbyCursorError, RedisError.
        """
        after = _place(cursor)
        limit = max(1, min(limit, MAX_PAGE))
        if code is not None:
            names = [keys.lobby_code(code)]
        elif player is not None:
            names = [keys.lobby_player(player)]
        else:
            names = [keys.lobby(one) for one in _SHOWN if status in (None, one)]
        found: list[tuple[_Place, Listed]] = []
        while places := await self._places(names, after):
            texts = await self._client.hmget(keys.LOBBY_RACES, [rid for _, rid in places])
            for place, text in zip(places, texts, strict=True):
                listed = None if text is None else _read(text)
                if listed is not None and _wanted(listed, status, code, player):
                    found.append((place, self._up_to_now(listed)))
                if len(found) > limit:
                    last, _ = found[limit - 1]
                    return [listed for _, listed in found[:limit]], f"{last[0]}-{last[1]}"
            after = places[-1]
        return [listed for _, listed in found], None

    async def shown(self, rids: Sequence[str]) -> dict[str, Listed]:
        """Return races that the lobby has, by id: the newest ones of each status. Raises RedisError."""
        texts = await self._client.hmget(keys.LOBBY_RACES, list(rids)) if rids else []
        return {rid: _read(text) for rid, text in zip(rids, texts, strict=True) if text is not None}

    def _up_to_now(self, listed: Listed) -> Listed:
        """Return a race as it stands now: a start needs nobody to write it down."""
        if listed.status == RaceStatus.STARTING.value and (listed.start_at or 0) <= self._clock.now():
            return msgspec.structs.replace(listed, status=RaceStatus.LIVE.value)
        return listed

    async def _places(self, names: list[str], after: _Place | None) -> list[_Place]:
        """Return time and id of the next races of some lists taken together, newest first, at most MAX_PAGE."""
        places: list[_Place] = []
        for name in names:
            places += await self._next(name, after)
        return sorted(places, reverse=True)[:MAX_PAGE]

    async def _next(self, name: str, after: _Place | None) -> list[_Place]:
        """Return the next places of one list, at least MAX_PAGE if there are so many."""
        newest = "+inf" if after is None else after[0]
        places: list[_Place] = []
        start = 0
        while True:
            read = await self._client.zrevrangebyscore(name, newest, "-inf", start, MAX_PAGE, withscores=True)
            scored = [(int(at), rid.decode()) for rid, at in cast(list[tuple[bytes, float]], read)]
            # Of those of the cursor's own millisecond some were shown before.
            places += [place for place in scored if after is None or place < after]
            start += MAX_PAGE
            if len(scored) < MAX_PAGE or len(places) >= MAX_PAGE:
                return places


_Place = tuple[int, str]
_LISTS: Final = tuple(one.value for one in RaceStatus if one is not RaceStatus.STARTING)
_SHOWN: Final = tuple(one for one in _LISTS if one != RaceStatus.VOIDED.value)


def _shows(before: Race, race: Race) -> bool:
    """Tell whether the lobby shows a race otherwise than before: moves it does not show, but the first one.

    That is the first entry after the start, from which on the code of a drawn deal may be shown.
    """
    if not race.started:
        return before is not race
    return (
        before.start_at != race.start_at
        or before.recoveries != race.recoveries
        or before.closed != race.closed
        or (race.start_at is not None and before.at < race.start_at <= race.at)
    )


def _public(race: Race) -> bool:
    """Tell whether a race is for everybody to see: no unlisted one, nor one that is open to two alone."""
    return race.card is not None and race.card.listed and not (race.private and not race.started)


def _list_of(status: str) -> str:
    return RaceStatus.LIVE.value if status == RaceStatus.STARTING.value else status


def _place(cursor: str | None) -> _Place | None:
    if cursor is None:
        return None
    at, _, rid = cursor.partition("-")
    if not (at.isascii() and at.isdigit() and len(at) <= 16 and rid):
        raise LobbyCursorError(cursor)
    return int(at), rid


def _read(value: bytes | str) -> Listed:
    text = value if isinstance(value, bytes) else value.encode()
    return msgspec.json.decode(text[text.index(b"{") :], type=Listed)


def _wanted(listed: Listed, status: str | None, code: str | None, player: str | None) -> bool:
    return (
        listed.status in (*_SHOWN, RaceStatus.STARTING.value)
        and (status is None or _list_of(listed.status) == status)
        and (code is None or listed.card.get("code") == code)
        and (player is None or any(seat["player"] == player for seat in listed.seats))
    )


def _indexed(race: Race) -> list[str]:
    names = [keys.lobby_player(seat.player) for seat in race.seats.values()]
    public = card_for(race, race.at).get("code")
    return names if public is None else [*names, keys.lobby_code(public)]


def listed_of(race: Race, now: int) -> Listed:
    """Return a race as the lobby shows it at `now` (ms)."""
    return Listed(
        race=race.id,
        status=race.status(now).value,
        card=card_for(race, now),
        seats=tuple(
            {"seat": seat.seat, "player": seat.player, "name": seat.name, "kind": seat.kind}
            for seat in race.seats.values()
        ),
        created_at=race.created_at,
        start_at=race.start_at,
        ended_at=race.over_at,
        standings=standings_of(race) if race.closed and race.voided is None else None,
    )
