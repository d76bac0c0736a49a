"""The call by which one player challenges another to a race."""

from __future__ import annotations

from typing import cast

from aiohttp import web
from redis.exceptions import RedisError

from engine.race.events import PlayerKind
from engine.refusals import ErrorCode
from server.http.calls import CALLERS, TABLES, address, link_base, player
from server.http.errors import CallRefused, json_of
from server.http.races import asked_card, idempotency_key, links_of
from server.players import Player, Scope
from server.races.tables import Tables
from server.store.connect import StoreUnavailable

__all__ = ["challenge_player"]


async def challenge_player(request: web.Request) -> web.Response:
    """`POST /api/players/{player}/challenge`: a race of a card that waits for the caller and that player alone."""
    by, tables = player(request, Scope.CREATE), request.app[TABLES]
    request.app[CALLERS].check("races", by.id)
    challenged = request.match_info["player"]
    if challenged == by.id:
        detail = "expected another player than the caller"
        raise CallRefused(400, ErrorCode.BAD_FRAME, detail, reason="yourself")
    card, key, base = await asked_card(request), idempotency_key(request), link_base(request)
    rival = await _rival(tables, challenged)
    if rival is None:
        raise CallRefused(404, ErrorCode.BAD_FRAME, "nobody has heard of this player", reason="player")
    table = await tables.challenges.challenge(by, rival, card, key, address(request))
    return json_of(links_of(table.rid, base), 201)


async def _rival(tables: Tables, challenged: str) -> Player | None:
    """Return a player under the name that others know; None for one of whom nobody has heard, or who is banned."""
    books = tables.records
    if books.rulings.banned(challenged):
        return None
    try:
        account = await books.accounts.account(challenged)
        races, _ = await tables.lobby.page(player=challenged, limit=1)
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(str(fault)) from fault
    seat = next((seat for race in races for seat in race.seats if seat["player"] == challenged), None)
    if seat is None:
        return None if account is None else Player(challenged, account.name)
    kind = cast(PlayerKind, seat["kind"])
    return Player(challenged, seat["name"] if account is None else account.name, kind, seat.get("engine"))
