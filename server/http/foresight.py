"""Calls for admins: who plays as if the unseen cards were known, in one race or over many."""

from __future__ import annotations

from typing import Any, Final

from aiohttp import web
from redis.exceptions import RedisError

from engine.question import ForesightQuestion
from engine.race.model import Race
from engine.refusals import ErrorCode
from server.http.analysis import ANALYSES, RETRY_MS, answer_as_shown
from server.http.calls import TABLES, player
from server.http.errors import CallRefused, json_of
from server.players import Scope
from server.store.analyses import Pending
from server.store.connect import StoreUnavailable

__all__ = ["show_foresight", "show_players_foresight"]

RACES: Final = 20
"""Of so many races, a player's last, the sums are told."""
SUMMED: Final = ("decisions", "occasions", "taken")


async def show_foresight(request: web.Request) -> web.Response:
    """`GET /api/admin/races/{race}/foresight`: how often each seat of a race that is over played as if it knew more.

    Kept for ever once it is known. 202 while the solvers are at it.
    """
    player(request, Scope.ADMIN)
    race = (await request.app[TABLES].table(request.match_info["race"])).race
    if not race.closed:
        raise CallRefused(409, ErrorCode.FORBIDDEN, "expected a race that is over", reason="not_over")
    seats = await _weighed(request, race)
    return _later({"race": race.id}) if seats is None else json_of({"race": race.id, "seats": seats})


async def show_players_foresight(request: web.Request) -> web.Response:
    """`GET /api/admin/players/{player}/foresight`: the same of a player's last listed races together.

    202 while the solvers are at some of them, with what is known.
    """
    player(request, Scope.ADMIN)
    tables, whom = request.app[TABLES], request.match_info["player"]
    try:
        places = await tables.records.results.of_player(whom, 0, RACES)
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(str(fault)) from fault
    races = [await _weighed(request, (await tables.table(rid)).race) for rid, _ in places]
    mine = [seat for seats in races for seat in seats or () if seat["player"] == whom and "taken" in seat]
    body = {"player": whom, "races": len(mine), **{name: sum(seat[name] for seat in mine) for name in SUMMED}}
    return _later(body) if None in races else json_of(body)


async def _weighed(request: web.Request, race: Race) -> list[dict[str, Any]] | None:
    """Return what was found of each seat of a race that is over; None while the solvers are at it."""
    records = request.app[TABLES].records
    kept = await records.foresight(race.id)
    if kept is not None:
        return kept
    asked = {} if race.code is None else {number: seat.words for number, seat in sorted(race.seats.items())}
    answers = await request.app[ANALYSES].ask([ForesightQuestion(str(race.code), words) for words in asked.values()])
    if any(isinstance(answer, Pending) for answer in answers):
        return None
    found = [
        {"seat": seat, "player": race.seats[seat].player, **answer_as_shown(answer)}
        for seat, answer in zip(asked, answers, strict=True)
        if not isinstance(answer, Pending)
    ]
    await records.keep_foresight(race.id, found)
    return found


def _later(body: dict[str, Any]) -> web.Response:
    return json_of({**body, "retry_ms": RETRY_MS}, 202, {"Retry-After": str(-(-RETRY_MS // 1000))})
