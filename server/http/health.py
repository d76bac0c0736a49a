"""Is the node alive, may it be given work, what does it count."""

from __future__ import annotations

import contextlib
from typing import Final

from aiohttp import web
from redis.asyncio import Redis
from redis.exceptions import RedisError

from server.doctor import examine_redis
from server.http.analysis import ANALYSES
from server.http.calls import SETTINGS
from server.http.errors import json_of
from server.live.socket import ROOMS
from server.store.cluster import masters_of
from server.store.connect import StoreUnavailable
from server.store.wanted import WantedBots
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
    ok = not draining and all(finding.ok or finding.can_wait for finding in findings)
    return json_of({"ready": ok, "draining": draining, "checks": findings}, 200 if ok else 503)


async def metrics(request: web.Request) -> web.Response:
    """`GET /metrics`: what Prometheus reads."""
    kept = request.app[METRICS]
    with contextlib.suppress(RedisError, OSError):
        memories = [await one.info("memory") for one in await masters_of(request.app[REDIS])]
        most = [memory["maxmemory"] for memory in memories]
        kept.redis_memory.set(sum(memory["used_memory"] for memory in memories))
        kept.redis_memory_max.set(sum(most) if all(most) else 0)
        kept.bots_wanted.set(await WantedBots(request.app[REDIS]).waiting())
    with contextlib.suppress(StoreUnavailable):
        for urgency, tally in (await request.app[ANALYSES].tallies()).items():
            kept.analyses_waiting.labels(urgency).set(tally.waiting)
            kept.analyses_answered.labels(urgency).set(tally.answered)
            kept.analyses_s.labels(urgency).set(tally.ms / 1000)
            kept.analyses_waited_s.labels(urgency).set(tally.waited_ms / 1000)
    return web.Response(body=kept.text(), headers={"Content-Type": kept.CONTENT_TYPE, "Cache-Control": "no-store"})
