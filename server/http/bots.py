"""Calls about bots: those that a race card may ask for."""

from __future__ import annotations

from aiohttp import web

from server.http.calls import TABLES
from server.http.errors import json_of

__all__ = ["list_bots"]


async def list_bots(request: web.Request) -> web.Response:
    """`GET /api/bots`: name, what it does, games, mode and ratings by pool of each, in the workers' order."""
    return json_of({"bots": await request.app[TABLES].roster.bots()})
