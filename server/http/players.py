"""Calls about players: a guest with a token, and what a player has raced."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from aiohttp import web
from msgspec import Meta, Struct
from redis.exceptions import RedisError

from engine.race.events import PlayerKind
from engine.refusals import ErrorCode
from server.http.calls import CALLERS, TABLES, TOKENS, address, caller, read_json, whole
from server.http.errors import CallRefused, json_of
from server.http.lobby import finished
from server.players import ENGINE_LENGTH, NAME_LENGTH, Scope, new_player
from server.races.lobby import Listed
from server.read.results import MAX_OF_PLAYER
from server.store.accounts import NameTaken
from server.store.connect import StoreUnavailable

__all__ = ["make_player", "show_player"]

RESULTS: Final = 50
SPELT_LENGTH: Final = 4 * NAME_LENGTH
"""Code points that a name may be sent in: some letters are written with marks of their own."""


class NewPlayer(Struct, frozen=True):
    """Who wants a token."""

    name: Annotated[str, Meta(max_length=SPELT_LENGTH)] | None = None
    kind: PlayerKind = "person"
    engine: Annotated[str, Meta(max_length=ENGINE_LENGTH)] | None = None
    scopes: tuple[Scope, ...] = (Scope.PLAY, Scope.CREATE)


async def make_player(request: web.Request) -> web.Response:
    """`POST /api/players`: a guest with a signed token; a bot's may be good for less than all."""
    request.app[CALLERS].check("players", address(request))
    wanted = await read_json(request, NewPlayer) if request.can_read_body else NewPlayer()
    if Scope.ADMIN in wanted.scopes:
        raise CallRefused(
            403, ErrorCode.FORBIDDEN, "admins' tokens are made with `fairdeal keyring token`", reason="scopes"
        )
    guest = msgspec.structs.replace(new_player(wanted.name, wanted.kind, wanted.engine), scopes=wanted.scopes)
    try:
        if await request.app[TABLES].records.accounts.taken(guest.name, guest.id):
            raise CallRefused(409, ErrorCode.FORBIDDEN, str(NameTaken(guest.name)), reason="name")
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(str(fault)) from fault
    return json_of({"player": guest.id, "name": guest.name, "token": request.app[TOKENS].sign(guest)}, 201)


async def show_player(request: web.Request) -> web.Response:
    """`GET /api/players/{player}`: name, ratings by pool, and results, newest first.

    A guest is known by the token alone, which is to say to itself, before the first seat in a listed race.
    """
    player, tables = request.match_info["player"], request.app[TABLES]
    start = whole(request, "cursor", 0, MAX_OF_PLAYER)
    books, known = tables.records, caller(request)
    oneself = known if known is not None and known.id == player else None
    if oneself is None and not await books.heard_of(player):
        raise CallRefused(404, ErrorCode.BAD_FRAME, "nobody has heard of this player", reason="player")
    try:
        account = await books.accounts.account(player)
        places = await books.results.of_player(player, start, RESULTS + 1)
        ratings = await books.ratings.of_player(player)
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(str(fault)) from fault
    races = await finished(tables, [rid for rid, _ in places[:RESULTS]])
    seats = [seat for race in races for seat in race.seats if seat["player"] == player]
    named = seats[0]["name"] if seats else oneself.name if oneself is not None else None
    body: dict[str, Any] = {
        "player": player,
        "name": named if account is None else account.name,
        "kind": seats[0]["kind"] if seats else None if oneself is None else oneself.kind,
        "account": account is not None,
        "ratings": {
            pool: {"rating": one.shown, "provisional": one.provisional, "races": one.races, "rank": rank}
            for pool, (one, rank) in ratings.items()
        },
        "results": [result for race in races for result in _results(race, player)],
    }
    return json_of({**body, "cursor": start + RESULTS} if len(places) > RESULTS else body)


def _results(race: Listed, player: str) -> list[dict[str, Any]]:
    return [
        {
            "race": race.race,
            "code": race.card.get("code"),
            "game": race.card["game"],
            "ended_at": race.ended_at,
            "seats": len(race.seats),
            **{key: value for key, value in standing.items() if key not in ("player", "name", "kind", "engine")},
        }
        for standing in race.standings or ()
        if standing["player"] == player
    ]
