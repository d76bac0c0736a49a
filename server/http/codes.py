"""Calls about codes: the cards of an open code and what was raced on it."""

from __future__ import annotations

from operator import itemgetter
from typing import Any, Final

import msgspec
from aiohttp import web

from engine.codes import Code, CodeError, deal, parse_code
from engine.layout import LaidOut
from engine.race.card import Goal, raced_under
from engine.refusals import ErrorCode
from server.http.calls import TABLES
from server.http.errors import CallRefused, json_of
from server.http.lobby import page
from server.races.lobby import Listed, Lobby

__all__ = ["show_code"]

RACES: Final = 50
BEST: Final = 10


async def show_code(request: web.Request) -> web.Response:
    """`GET /api/codes/{code}`: its cards, the finished races and best results on it."""
    try:
        code = parse_code(request.match_info["code"])
    except CodeError as fault:
        raise CallRefused(404, ErrorCode.UNKNOWN_CODE, str(fault), reason=fault.part.value) from None
    races = await _finished_on(request.app[TABLES].lobby, code)
    laid_out = LaidOut(code, deal(code)).as_json()
    return json_of({**laid_out, "published": code.published, "races": races, "best": _best(races)})


async def _finished_on(lobby: Lobby, code: Code) -> list[Listed]:
    """Return the finished races on a code, newest first, those by score among them that are played under `O`."""
    by_score = msgspec.structs.replace(code, rules=raced_under(code.rules, Goal.SCORE))
    races = [race for one in {code, by_score} for race in (await page(lobby, status="finished", code=str(one)))[0]]
    return sorted(races, key=lambda race: race.ended_at or 0, reverse=True)[:RACES]


def _best(races: list[Listed]) -> list[dict[str, Any]]:
    results = [{**standing, "race": race.race} for race in races for standing in race.standings or ()]
    results.sort(key=itemgetter("time_ms"))
    results.sort(key=itemgetter("score"), reverse=True)
    return [{key: value for key, value in one.items() if key not in ("rank", "seat")} for one in results[:BEST]]
