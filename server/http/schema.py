"""The call for the wire's own description."""

from __future__ import annotations

from aiohttp import web

from engine.wire.schema import schema
from server.http.errors import json_of

__all__ = ["show_schema"]


async def show_schema(_: web.Request) -> web.Response:
    """`GET /api/schema`: the messages of `/ws` and the race card, as a JSON Schema."""
    return json_of(schema())
