"""The lobby: which races there are, newest first. A projection in Redis that the logs can always make anew."""

from __future__ import annotations

import asyncio
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

__all__ = ["MAX_PAGE", "MAX_PER_CODE", "Listed", "Lobby", "LobbyCursorError"]

MAX_PAGE: Final = 100
"""Races on one page."""
MAX_FINISHED: Final = 10_000
"""Finished races that are listed; older ones are found by their id."""
MAX_PER_CODE: Final = 200
"""Races listed for one code or one player."""
RETRY_S: Final = 1.0

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

    def note(self, before: Race, race: Race) -> None:
        """Take note that a race has changed, if it is to be shown otherwise than before."""
        if race.card is not None and _shows(before, race):
            self._noted[race.id] = race
            self._wake.set()

    async def write(self) -> None:
        """Write what is noted, for ever; what cannot be written now is tried again."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            noted, self._noted = self._noted, {}
            try:
                await self._put(list(noted.values()))
            except (RedisError, OSError) as fault:
                log.warning("lobby not written", fault=str(fault), races=len(noted))
                self._noted = noted | self._noted
                self._wake.set()
                await asyncio.sleep(RETRY_S)

    async def _put(self, noted: list[Race]) -> None:
        async with self._client.pipeline(transaction=False) as pipe:
            for race in noted:
                listed = _listed(race, self._clock.now())
                pipe.hset(keys.LOBBY_RACES, race.id, msgspec.json.encode(listed))
                shown = race.card is not None and race.card.listed and race.voided is None
                for status in _LISTS:
                    if shown and status == _list_of(listed.status):
                        pipe.zadd(keys.lobby(status), {race.id: listed.ended_at or race.created_at})
                    else:
                        pipe.zrem(keys.lobby(status), race.id)
                for name in _indexed(race) if shown else ():
                    pipe.zadd(name, {race.id: race.created_at})
                    pipe.zremrangebyrank(name, 0, -MAX_PER_CODE - 1)
            pipe.zremrangebyrank(keys.lobby(RaceStatus.FINISHED), 0, -MAX_FINISHED - 1)
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
            names = [keys.lobby(one) for one in _LISTS if status in (None, one)]
        places = [place for place in await self._places(names) if after is None or place < after]
        found: list[tuple[_Place, Listed]] = []
        for at in range(0, len(places), MAX_PAGE):
            part = places[at : at + MAX_PAGE]
            texts = await self._client.hmget(keys.LOBBY_RACES, [rid for _, rid in part])
            for place, text in zip(part, texts, strict=True):
                listed = None if text is None else msgspec.json.decode(text, type=Listed)
                if listed is not None and _wanted(listed, status, code, player):
                    found.append((place, self._up_to_now(listed)))
                if len(found) > limit:
                    last, _ = found[limit - 1]
                    return [listed for _, listed in found[:limit]], f"{last[0]}-{last[1]}"
        return [listed for _, listed in found], None

    def _up_to_now(self, listed: Listed) -> Listed:
        """Return a race as it stands now: a start needs nobody to write it down."""
        if listed.status == RaceStatus.STARTING.value and (listed.start_at or 0) <= self._clock.now():
            return msgspec.structs.replace(listed, status=RaceStatus.LIVE.value)
        return listed

    async def _places(self, names: list[str]) -> list[_Place]:
        """Return time and id of all races in some lists, newest first."""
        places: list[_Place] = []
        for name in names:
            scored = cast(list[tuple[bytes, float]], await self._client.zrange(name, 0, -1, withscores=True))
            places += [(int(at), rid.decode()) for rid, at in scored]
        return sorted(places, reverse=True)


_Place = tuple[int, str]
_LISTS: Final = (RaceStatus.OPEN.value, RaceStatus.LIVE.value, RaceStatus.FINISHED.value)


def _shows(before: Race, race: Race) -> bool:
    """Tell whether the lobby shows a race otherwise than before: moves it does not show, but the first one.

    That is the first entry after the start, from which on the code of a drawn deal may be shown.
    """
    if not race.started:
        return before is not race
    return (
        before.start_at != race.start_at
        or before.ended != race.ended
        or before.closed != race.closed
        or (race.start_at is not None and before.at < race.start_at <= race.at)
    )


def _list_of(status: str) -> str:
    return RaceStatus.LIVE.value if status == RaceStatus.STARTING.value else status


def _place(cursor: str | None) -> _Place | None:
    if cursor is None:
        return None
    at, _, rid = cursor.partition("-")
    if not (at.isascii() and at.isdigit() and len(at) <= 16 and rid):
        raise LobbyCursorError(cursor)
    return int(at), rid


def _wanted(listed: Listed, status: str | None, code: str | None, player: str | None) -> bool:
    return (
        (status is None or _list_of(listed.status) == status)
        and (code is None or listed.card.get("code") == code)
        and (player is None or any(seat["player"] == player for seat in listed.seats))
    )


def _indexed(race: Race) -> list[str]:
    names = [keys.lobby_player(seat.player) for seat in race.seats.values()]
    public = card_for(race, race.at).get("code")
    return names if public is None else [*names, keys.lobby_code(public)]


def _listed(race: Race, now: int) -> Listed:
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
