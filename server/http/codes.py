"""Calls about codes: the cards of an open code, what was raced on it, and what solvers say of it."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from aiohttp import web
from redis.exceptions import RedisError

from engine.codes import SEALED_LETTERS, Code, CodeError, deal, literal_code, parse_code
from engine.layout import LaidOut
from engine.race.card import Goal, raced_under
from engine.refusals import ErrorCode
from server.http.analysis import ANALYSES, verdict_on
from server.http.calls import CALLERS, TABLES, address, whole
from server.http.errors import CallRefused, json_of
from server.http.lobby import finished, page
from server.races.lobby import Listed
from server.read.results import MAX_ON_CODE, Best, Results
from server.store.connect import StoreUnavailable

__all__ = ["show_code"]

RACES: Final = 50
BEST: Final = 10


async def show_code(request: web.Request) -> web.Response:
    """`GET /api/codes/{code}`: its cards, what was raced on it, who waits on it, and what solvers say of it.

    `again` is the race card to race it again with; `cursor` that of older races.
    """
    try:
        code = parse_code(request.match_info["code"])
    except CodeError as fault:
        raise CallRefused(404, ErrorCode.UNKNOWN_CODE, fault, reason=fault.part.value) from None
    tables = request.app[TABLES]
    start = whole(request, "cursor", 0, MAX_ON_CODE)
    places, best = await _raced_on(tables.records.results, code, start)
    races = await finished(tables, [rid for rid, _ in places[:RACES]])
    best_races = await finished(tables, [one.race for one in best])
    waiting, _ = await page(tables.lobby, status="open", code=str(code), limit=RACES)
    laid_out = LaidOut(code, deal(code)).as_json()
    may_ask = request.app[CALLERS].allows("analysis", address(request))
    verdict = await verdict_on(request.app[ANALYSES], code, ask=may_ask)
    body: dict[str, Any] = {
        **laid_out,
        "published": code.published,
        "races": races,
        "best": [_told(race, one.seat) for race, one in zip(best_races, best, strict=True)],
        "waiting": waiting,
        "again": {"code": str(_to_race(code))},
        **verdict,
    }
    return json_of({**body, "cursor": start + RACES} if len(places) > RACES else body)


def _to_race(code: Code) -> Code:
    """Return the code under which a deal may be raced: the literal one of a deal that was sealed before."""
    return literal_code(code.rules, deal(code)) if len(code.number) == SEALED_LETTERS else code


def _told(race: Listed, seat: int) -> dict[str, Any]:
    """Return what a seat came to in a race, as the best results show it; race and seat name the run, for a ghost."""
    standing = next(one for one in race.standings or () if one["seat"] == seat)
    return {name: value for name, value in standing.items() if name != "rank"} | {"race": race.race}


async def _raced_on(results: Results, code: Code, start: int) -> tuple[list[tuple[str, int]], list[Best]]:
    """Return the races on a code from a place on, newest first, one more than are shown, and the best results.

    Those by score on its deal are among them, which are played under `O`. Raises StoreUnavailable.
    """
    by_score = msgspec.structs.replace(code, rules=raced_under(code.rules, Goal.SCORE))
    places: list[tuple[str, int]] = []
    best: list[Best] = []
    try:
        for one in sorted({str(code), str(by_score)}):
            places += await results.on_code(one, 0, start + RACES + 1)
            best += await results.best(one, BEST)
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(str(fault)) from fault
    places.sort(key=lambda place: (-place[1], place[0]))
    return places[start : start + RACES + 1], sorted(best)[:BEST]
