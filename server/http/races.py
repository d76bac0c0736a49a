"""Calls about races: offer one, list them, look at one."""

from __future__ import annotations

import secrets
from functools import partial
from typing import Any, Final

import msgspec
from aiohttp import web

from engine.codes import parse_code
from engine.race.card import RaceCard, Watch, read_card
from engine.race.model import Race
from engine.race.views import PUBLIC, snap_for
from engine.refusals import ErrorCode
from server.http.calls import CALLERS, TABLES, JsonObject, address, link_base, player, read_json, whole
from server.http.errors import CallRefused, json_of
from server.http.lobby import page
from server.players import Scope
from server.races.ghosts import check_ghosts, on_their_deal
from server.races.lobby import MAX_PAGE, Listed
from server.races.tables import Tables

__all__ = ["asked_card", "idempotency_key", "links_of", "list_races", "make_race", "show_race"]

STATUSES: Final = ("open", "live", "finished")
KEY_LENGTH: Final = 200


async def make_race(request: web.Request) -> web.Response:
    """`POST /api/races`: a race from a race card; with an Idempotency-Key a repeat gives the same race."""
    creator = player(request, Scope.CREATE)
    request.app[CALLERS].check("races", creator.id)
    card, key = await asked_card(request), idempotency_key(request)
    base = link_base(request)  # Before a race is made that nobody would be told of.
    table = await request.app[TABLES].offers.create(card, creator.id, key, address(request))
    return json_of(links_of(table.rid, base), 201)


async def asked_card(request: web.Request) -> RaceCard:
    """Return the race card in the body, once its bots and ghosts are to be had. Raises CallRefused, RaceCardError."""
    tables = request.app[TABLES]
    card = read_card(await on_their_deal(await read_json(request, JsonObject), tables.look_up))
    await check_ghosts(card, tables.look_up)
    await tables.roster.check(card)
    return card


def idempotency_key(request: web.Request) -> str:
    """Return the caller's Idempotency-Key, or a new one. Raises CallRefused for one that is too long."""
    key = request.headers.get("Idempotency-Key") or secrets.token_hex(16)
    if len(key) > KEY_LENGTH:
        raise CallRefused(
            400, ErrorCode.BAD_FRAME, f"expected at most {KEY_LENGTH} characters", reason="Idempotency-Key"
        )
    return key


def links_of(race: str, base: str) -> dict[str, str]:
    """Return the id of a race and the links to it."""
    return {"race": race, "join_url": f"{base}/r/{race}", "watch_url": f"{base}/w/{race}"}


async def list_races(request: web.Request) -> web.Response:
    """`GET /api/races`: the lobby, newest first; with `featured` the one race most worth watching."""
    query = request.query
    if query.get("featured", "0") not in ("", "0", "1"):
        raise CallRefused(400, ErrorCode.BAD_FRAME, "featured: expected 1, 0 or nothing", reason="featured")
    if query.get("featured", "0") != "0":
        return json_of(await _featured(request.app[TABLES]))
    status = query.get("status") or None
    if status is not None and status not in STATUSES:
        raise CallRefused(400, ErrorCode.BAD_FRAME, f"status: expected one of {', '.join(STATUSES)}", reason="status")
    code = str(parse_code(query["code"])) if query.get("code") else None
    limit = whole(request, "limit", 50, MAX_PAGE, 1)
    races, cursor = await page(
        request.app[TABLES].lobby,
        status=status,
        code=code,
        player=query.get("player") or None,
        cursor=query.get("cursor") or None,
        limit=limit,
    )
    body: dict[str, Any] = {"races": races}
    return json_of({**body, "cursor": cursor} if cursor else body)


async def _featured(tables: Tables) -> dict[str, Any]:
    """Return the live race with most spectators; of those with as many a rated one, then one of most people."""
    live, _ = await page(tables.lobby, status="live", limit=MAX_PAGE)
    best = max(
        (race for race in live if race.card["watch"] != Watch.OFF.value), key=partial(_worth, tables), default=None
    )
    return {"races": []} if best is None else {"races": [best], "watching": tables.crowds.watching(best.race)}


def _worth(tables: Tables, race: Listed) -> tuple[int, bool, int, int]:
    people = sum(seat["kind"] == "person" for seat in race.seats)
    return tables.crowds.watching(race.race), race.card["rated"], people, race.created_at


async def show_race(request: web.Request) -> web.Response:
    """`GET /api/races/{race}`: card, seats, status, commitment; after the end standings, code, salt and `next`."""
    tables = request.app[TABLES]
    table = await tables.table(request.match_info["race"])
    following = await tables.chains.look(table)
    return json_of(shown(table.race, tables.clock.now()) | ({"next": following} if following else {}))


def shown(race: Race, now: int) -> dict[str, Any]:
    """Return a race as anybody may see it at `now` (ms)."""
    view: dict[str, Any] = msgspec.to_builtins(snap_for(race, PUBLIC, now, "watch"))
    for key in ("t", "reason"):
        view.pop(key, None)
    code = view["card"].get("code")
    return {**view, "created_at": race.created_at, **({"code": code} if code else {})}
