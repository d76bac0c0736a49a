"""Calls about the deal of the day: one try for each player, sealed until the day (UTC) is over, then its table.

Who is not ranked tries another deal, or a guest could look at the deal for an account.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from aiohttp import web
from redis.exceptions import RedisError

from engine.codes import Code, parse_game
from engine.race.card import RaceCard, Watch, read_card
from engine.race.model import DAY_MS, Race
from engine.refusals import ErrorCode
from engine.secrets import daily_number, daily_rid
from engine.solo import UndoPolicy
from server.http.calls import CALLERS, TABLES, caller, link_base, player
from server.http.errors import CallRefused, json_of
from server.players import Scope
from server.races.tables import Tables
from server.store.connect import StoreUnavailable

__all__ = ["list_daily", "show_daily", "try_daily"]

GAMES: Final = ("GO1-E", "DS1-D1NO")
"""The game of each day, with its rules."""
SHOWN: Final = 100
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


async def list_daily(request: web.Request) -> web.Response:
    """`GET /api/daily`: for each game today's deal, the caller's try on it, and yesterday's code and table."""
    known, tables = caller(request), request.app[TABLES]
    now = tables.clock.now()
    day = now // DAY_MS
    ranked = known is not None and await _ranked(tables, known.id, day)
    games = []
    for game in GAMES:
        shown: dict[str, Any] = {"game": game, "date": _date(day), "ends_at": (day + 1) * DAY_MS, "ranked": ranked}
        tried = None if known is None else (await tables.look_up(_rid(request, known.id, day, game, ranked))).race
        if tried is not None and tried.card is not None:
            shown["try"] = _tried(tried)
        shown["yesterday"] = await _table(request, day - 1, game)
        games.append(shown)
    return json_of({"now": now, "games": games})


async def try_daily(request: web.Request) -> web.Response:
    """`POST /api/daily/{game}`: the caller's one race on today's deal, the same however often this is asked."""
    known, base = player(request, Scope.CREATE), link_base(request)
    request.app[CALLERS].check("races", known.id)
    game = _game(request)
    tables = request.app[TABLES]
    day = tables.clock.now() // DAY_MS
    ranked = await _ranked(tables, known.id, day)
    table = await tables.offers.offer(_rid(request, known.id, day, game, ranked), _card(game), known.id, daily=day)
    return json_of({"race": table.rid, "join_url": f"{base}/r/{table.rid}", "date": _date(day), "ranked": ranked}, 201)


async def show_daily(request: web.Request) -> web.Response:
    """`GET /api/daily/{game}/{date}`: code and table of a day that is over."""
    game, day = _game(request), _day(request.match_info["date"])
    if request.app[TABLES].clock.now() < (day + 1) * DAY_MS:
        raise CallRefused(409, ErrorCode.FORBIDDEN, "expected a day that is over (UTC)", reason="not_over")
    return json_of({"game": game, **await _table(request, day, game)})


def _game(request: web.Request) -> str:
    """Return the game that a path names, with its rules or without. Raises CallRefused."""
    asked = request.match_info["game"]
    found = next((game for game in GAMES if asked in (game, game[:2])), None)
    if found is None:
        raise CallRefused(404, ErrorCode.UNKNOWN_CODE, f"expected one of {', '.join(GAMES)}", reason="game")
    return found


def _day(date: str) -> int:
    try:
        return (datetime.strptime(date, "%Y-%m-%d").replace(tzinfo=UTC) - EPOCH).days
    except ValueError:
        raise CallRefused(404, ErrorCode.BAD_FRAME, "expected a date such as 2026-11-30", reason="date") from None


def _date(day: int) -> str:
    return (EPOCH + timedelta(days=day)).date().isoformat()


def _card(game: str) -> RaceCard:
    return read_card(
        {
            "game": game,
            "seats": 1,
            "sealed": True,
            "listed": False,
            "watch": Watch.OFF.value,
            "undo": UndoPolicy.UNREVEALED.value,
        }
    )


def _rid(request: web.Request, known: str, day: int, game: str, ranked: bool) -> str:
    return daily_rid(request.app[TABLES].secrets.ring.rid_key, known, day, game, ranked)


async def _ranked(tables: Tables, known: str, day: int) -> bool:
    """Tell whether a player's try counts: that of an account which is older than the day. Raises StoreUnavailable."""
    try:
        account = await tables.records.accounts.account(known)
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(str(fault)) from fault
    return account is not None and account.since < day * DAY_MS


def _tried(race: Race) -> dict[str, Any]:
    """Return how a try stands, as its own player may know."""
    seat = next(iter(race.seats.values()), None)
    shown: dict[str, Any] = {"race": race.id, "started": race.started}
    if seat is not None and race.started:
        numbers = seat.numbers
        shown |= {"status": numbers.status.value, "score": numbers.score, "cleared": numbers.cleared}
    return shown


async def _table(request: web.Request, day: int, game: str) -> dict[str, Any]:
    """Return code and table of a day that is over. Raises StoreUnavailable."""
    tables = request.app[TABLES]
    letters, version, rules = parse_game(game)
    number = daily_number(tables.secrets.ring.rid_key, day, game)
    try:
        rows = await tables.records.results.of_day(day, game, SHOWN)
        tries = await tables.records.results.tries(day, game)
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(str(fault)) from fault
    return {"date": _date(day), "code": str(Code(letters, version, rules, number)), "ranked": tries, "table": rows}
