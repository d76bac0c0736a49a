"""Calls about players: a guest with a token, and what a player has raced."""

from __future__ import annotations

from typing import Annotated, Any

from aiohttp import web
from msgspec import Meta, Struct

from engine.race.events import PlayerKind
from server.http.calls import CALLERS, TABLES, TOKENS, read_json
from server.http.errors import json_of
from server.http.lobby import page
from server.players import ENGINE_LENGTH, NAME_LENGTH, new_player
from server.races.lobby import Listed

__all__ = ["make_player", "show_player"]

RESULTS = 50


class NewPlayer(Struct, frozen=True):
    """Who wants a token."""

    name: Annotated[str, Meta(max_length=NAME_LENGTH)] | None = None
    kind: PlayerKind = "person"
    engine: Annotated[str, Meta(max_length=ENGINE_LENGTH)] | None = None


async def make_player(request: web.Request) -> web.Response:
    """`POST /api/players`: a guest with a signed token."""
    request.app[CALLERS].check("players", request.remote or "")
    wanted = await read_json(request, NewPlayer) if request.can_read_body else NewPlayer()
    guest = new_player(wanted.name, wanted.kind, wanted.engine)
    return json_of({"player": guest.id, "name": guest.name, "token": request.app[TOKENS].sign(guest)}, 201)


async def show_player(request: web.Request) -> web.Response:
    """`GET /api/players/{player}`: name as last seated, and results, newest first."""
    player = request.match_info["player"]
    races, _ = await page(request.app[TABLES].lobby, player=player, limit=RESULTS)
    mine = [seat for race in races for seat in race.seats if seat["player"] == player]
    return json_of(
        {
            "player": player,
            "name": mine[0]["name"] if mine else None,
            "kind": mine[0]["kind"] if mine else None,
            "rating": None,
            "results": [result for race in races for result in _results(race, player)],
        }
    )


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
