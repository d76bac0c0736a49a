"""The web application of a node: every address it answers, in one table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from aiohttp import web
from redis.asyncio import Redis

from server.http import analysis, bots, codes, events, health, ladders, pages, players, races, record
from server.http.calls import CALLERS, SETTINGS, TABLES, TOKENS, Callers
from server.http.errors import errors
from server.live.limits import Rate
from server.live.rooms import Rooms
from server.live.socket import ROOMS, serve_socket
from server.players import Tokens
from server.races.tables import Tables
from server.settings import Settings
from server.store.analyses import Analyses
from server.store.keyring import KeyRing

__all__ = ["make_app"]

CALL_RATES: Final = {
    "players": Rate(2_000, 200),
    "races": Rate(1_000, 50),
    "verify": Rate(10, 1),
    "analysis": Rate(120, 5),
}
"""Calls that make something or much work, by address or player."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def make_app(settings: Settings, tables: Tables, client: Redis, ring: KeyRing) -> web.Application:
    """Return the application that serves these tables. Its sockets are drained when it shuts down."""
    app = web.Application(middlewares=[_counted, errors])
    tokens, metrics = Tokens(ring), tables.metrics
    app[SETTINGS], app[TABLES], app[TOKENS] = settings, tables, tokens
    app[METRICS], app[REDIS], app[CALLERS] = metrics, client, Callers(CALL_RATES)
    app[analysis.ANALYSES] = Analyses(client, settings)
    app[ROOMS], app[record.VERIFYING] = Rooms(settings, tables, tokens, metrics, app[analysis.ANALYSES]), asyncio.Lock()
    app.add_routes(
        [
            web.post("/api/players", players.make_player),
            web.get("/api/players/{player}", players.show_player),
            web.post("/api/races", races.make_race),
            web.get("/api/races", races.list_races),
            web.get("/api/bots", bots.list_bots),
            web.get("/api/races/{race}", races.show_race),
            web.get("/api/races/{race}/events", events.show_events),
            web.get("/api/races/{race}/record", record.show_record),
            web.get("/api/races/{race}/analysis", analysis.show_analysis),
            web.post("/api/verify", record.verify_record),
            web.get("/api/codes/{code}", codes.show_code),
            web.get("/api/ladders", ladders.list_ladders),
            web.get("/api/ladders/{pool}", ladders.show_ladder),
            web.get("/healthz", health.alive),
            web.get("/readyz", health.ready),
            web.get("/metrics", health.metrics),
            web.get("/ws", serve_socket, allow_head=False),
            *(web.get(path, pages.page) for path in ("/", "/r/{race}", "/w/{race}", "/c/{code}", "/p/{player}")),
            web.get("/web/{path:.+}", pages.web_file),
        ]
    )
    app.on_response_prepare.append(pages.protect)
    app.on_shutdown.append(_drain)
    return app


METRICS, REDIS = health.METRICS, health.REDIS


@web.middleware
async def _counted(request: web.Request, handler: Handler) -> web.StreamResponse:
    response = await handler(request)
    resource = request.match_info.route.resource
    route = resource.canonical if resource is not None else "none"
    request.app[METRICS].calls.labels(route, str(response.status)).inc()
    return response


async def _drain(app: web.Application) -> None:
    await app[ROOMS].drain()
