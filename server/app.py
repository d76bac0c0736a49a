"""The web application of a node: every address it answers, in one table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from aiohttp import web
from redis.asyncio import Redis

from server.http import (
    accounts,
    admin,
    analysis,
    bots,
    challenges,
    codes,
    daily,
    events,
    foresight,
    health,
    ladders,
    pages,
    players,
    races,
    record,
    replays,
)
from server.http.calls import CALLERS, RATES, SETTINGS, TABLES, TOKENS, Callers, address
from server.http.errors import errors
from server.http.schema import show_schema
from server.live.rooms import Rooms
from server.live.socket import ROOMS, serve_socket
from server.players import Tokens
from server.races.tables import Tables
from server.settings import Settings
from server.store.analyses import Analyses
from server.store.keyring import KeyRing

__all__ = ["make_app"]

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def make_app(settings: Settings, tables: Tables, client: Redis, ring: KeyRing) -> web.Application:
    """Return the application that serves these tables. Its sockets are drained when it shuts down."""
    app = web.Application(middlewares=[_counted, pages.nowhere, errors, _limited])
    tokens, metrics = Tokens(ring, tables.clock.now, tables.records.rulings), tables.metrics
    app[SETTINGS], app[TABLES], app[TOKENS] = settings, tables, tokens
    app[METRICS], app[REDIS], app[CALLERS] = metrics, client, Callers(RATES)
    app[analysis.ANALYSES] = Analyses(client, settings)
    app[ROOMS], app[record.VERIFYING] = Rooms(settings, tables, tokens, metrics, app[analysis.ANALYSES]), asyncio.Lock()
    app.add_routes(
        [
            web.post("/api/players", players.make_player),
            web.get("/api/players/{player}", players.show_player),
            web.post("/api/players/{player}/challenge", challenges.challenge_player),
            web.get("/api/account", accounts.show_account),
            web.post("/api/account", accounts.claim_account),
            web.post("/api/account/link", accounts.link_account),
            web.post("/api/account/token", accounts.use_link),
            web.post("/api/account/sign_out", accounts.sign_out),
            web.post("/api/races", races.make_race),
            web.get("/api/races", races.list_races),
            web.get("/api/bots", bots.list_bots),
            web.get("/api/races/{race}", races.show_race),
            web.get("/api/races/{race}/events", events.show_events),
            web.get("/api/races/{race}/progress", events.show_progress),
            web.get("/api/races/{race}/record", record.show_record),
            web.get("/api/races/{race}/replay", replays.show_replay),
            web.get("/api/races/{race}/analysis", analysis.show_analysis),
            web.post("/api/verify", record.verify_record),
            web.post("/api/positions", replays.show_positions),
            web.get("/api/codes/{code}", codes.show_code),
            web.get("/api/ladders", ladders.list_ladders),
            web.get("/api/ladders/{pool}", ladders.show_ladder),
            web.get("/api/daily", daily.list_daily),
            web.post("/api/daily/{game}", daily.try_daily),
            web.get("/api/daily/{game}/{date}", daily.show_daily),
            web.post("/api/admin/races/{race}", admin.rule_on_race),
            web.post("/api/admin/players/{player}", admin.rule_on_player),
            web.get("/api/admin/races/{race}/foresight", foresight.show_foresight),
            web.get("/api/admin/players/{player}/foresight", foresight.show_players_foresight),
            web.get("/api/admin/rulings", admin.list_rulings),
            web.get("/api/schema", show_schema),
            web.get("/healthz", health.alive),
            web.get("/readyz", health.ready),
            web.get("/metrics", health.metrics),
            web.get("/ws", serve_socket, allow_head=False),
            *(web.get(path, pages.page) for path in pages.ADDRESSES),
            web.get("/web/{path:.+}", pages.page_file),
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


@web.middleware
async def _limited(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Count what an address asks of the API; what makes something or much work has rates of its own."""
    if request.path.startswith("/api/"):
        request.app[CALLERS].check("read", address(request))
    return await handler(request)


async def _drain(app: web.Application) -> None:
    await app[ROOMS].drain()
