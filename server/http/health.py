"""Is the node alive, may it be given work, what does it count."""

from __future__ import annotations

from typing import Final

from aiohttp import web
from redis.asyncio import Redis

from server.doctor import examine_redis
from server.http.calls import SETTINGS
from server.http.errors import json_of
from server.live.socket import ROOMS
from server.watch.metrics import Metrics

__all__ = ["METRICS", "REDIS", "alive", "metrics", "ready"]

REDIS: Final = web.AppKey("redis", Redis)
METRICS: Final = web.AppKey("metrics", Metrics)


async def alive(_: web.Request) -> web.Response:
    """`GET /healthz`: the process serves."""
    return json_of({"ok": True})


async def ready(request: web.Request) -> web.Response:
    """`GET /readyz`: Redis answers and keeps what was promised, and this node is not going away."""
    findings = await examine_redis(request.app[REDIS], request.app[SETTINGS].durability)
    draining = request.app[ROOMS].draining
    ok = not draining and all(finding.ok for finding in findings)
    return json_of({"ready": ok, "draining": draining, "checks": findings}, 200 if ok else 503)


async def metrics(request: web.Request) -> web.Response:
    """`GET /metrics`: what Prometheus reads."""
    kept = request.app[METRICS]
    return web.Response(body=kept.text(), headers={"Content-Type": kept.CONTENT_TYPE, "Cache-Control": "no-store"})
