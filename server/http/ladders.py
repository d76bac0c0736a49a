"""Calls about ladders: who is rated best in a pool, and who stands around somebody."""

from __future__ import annotations

from typing import Any, Final

from aiohttp import web
from redis.exceptions import RedisError

from engine.codes import CodeError
from engine.ratings import Group, read_pool
from engine.refusals import ErrorCode
from server.http.calls import TABLES, caller, whole
from server.http.errors import CallRefused, json_of
from server.read.pool import Pool
from server.read.records import Records
from server.store.connect import StoreUnavailable

__all__ = ["list_ladders", "show_ladder"]

ROWS: Final = 50
MAX_ROWS: Final = 100
AROUND: Final = 5
"""How many are shown above and below somebody."""


async def list_ladders(request: web.Request) -> web.Response:
    """`GET /api/ladders`: every pool with a rated race, and how many are on its ladder."""
    books = request.app[TABLES].records
    try:
        names = await books.ratings.names()
        sizes = [await books.ratings.pool(name).size() for name in names]
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(str(fault)) from fault
    return json_of({"ladders": [{**_named(name), "size": size} for name, size in zip(names, sizes, strict=True)]})


async def show_ladder(request: web.Request) -> web.Response:
    """`GET /api/ladders/{pool}?start=&limit=&around=PLAYER`: rows, the best first, and the one who asks as `me`.

    A game alone is the ladder of people and bots together.
    """
    named = _named(request.match_info["pool"])
    known = caller(request)
    start, limit = whole(request, "start", 0, 1 << 31), whole(request, "limit", ROWS, MAX_ROWS, 1)
    around = request.query.get("around") or None
    if around == "me":
        if known is None:
            raise CallRefused(401, ErrorCode.AUTH, "around me: expected Authorization: Bearer TOKEN", reason="around")
        around = known.id
    books = request.app[TABLES].records
    pool = books.ratings.pool(named["pool"])
    try:
        if around is not None:
            row = await pool.row_of(around)
            start, limit = (0, 0) if row is None else (max(0, row - AROUND), AROUND + 1 + min(row, AROUND))
        body: dict[str, Any] = {**named, "size": await pool.size(), "start": start}
        body["rows"] = await _rows(books, pool, start, limit)
        if known is not None:
            body["me"] = await _standing(pool, known.id)
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(str(fault)) from fault
    return json_of(body)


def _named(name: str) -> dict[str, str]:
    """Return pool, game and group of a name. Raises CallRefused for what names no pool."""
    try:
        found = read_pool(name) or read_pool(f"{name}-{Group.ALL.value}")
    except CodeError:
        found = None
    if found is None:
        groups = ", ".join(Group)
        raise CallRefused(
            404, ErrorCode.UNKNOWN_CODE, f"expected a game and one of {groups}, as in GO1-C-people", reason="pool"
        )
    game, group = found
    return {"pool": f"{game}-{group.value}", "game": game, "group": group.value}


async def _rows(books: Records, pool: Pool, start: int, limit: int) -> list[dict[str, Any]]:
    found = await pool.ladder(start, limit) if limit else []
    accounts = await books.accounts.accounts([player for player, _ in found])
    rows = []
    for player, shown in found:
        rating = await pool.rating(player)
        name = accounts[player].name if player in accounts else None
        races = 0 if rating is None else rating.races
        rows.append({"rank": await pool.place(player), "player": player, "name": name, "rating": shown, "races": races})
    return rows


async def _standing(pool: Pool, player: str) -> dict[str, Any] | None:
    """Return what the one who asks is rated here; without a rank while that is provisional."""
    rating = await pool.rating(player)
    if rating is None:
        return None
    rank = await pool.place(player)
    return {"rank": rank, "rating": rating.shown, "provisional": rating.provisional, "races": rating.races}
