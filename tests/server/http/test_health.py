"""What a node says of itself: that it lives, that it may be given work, and what it counts."""

from __future__ import annotations

from redis.asyncio import Redis

from tests.server.served import Server


async def test_health(server: Server) -> None:
    """The node says that it lives, that it may be given work, and what it counts."""
    async with server.http.get("/healthz") as answer:
        assert (answer.status, await answer.json()) == (200, {"ok": True})
    async with server.http.get("/readyz") as answer:
        ready = await answer.json()
        assert (answer.status, ready["ready"], ready["draining"]) == (200, True, False)
    await server.talker()
    async with server.http.get("/metrics") as answer:
        assert answer.content_type == "text/plain"
        text = await answer.text()
    assert 'fairdeal_messages_received_total{t="hello"} 1.0' in text
    assert 'fairdeal_http_calls_total{route="/healthz",status="200"} 1.0' in text


async def test_not_ready(server: Server, redis: Redis) -> None:
    """A node whose Redis does not keep what is promised is not ready."""
    await redis.config_set("appendfsync", "everysec")
    try:
        async with server.http.get("/readyz") as answer:
            status, ready = answer.status, await answer.json()
    finally:
        await redis.config_set("appendfsync", "always")
    assert (status, ready["ready"]) == (503, False)
    assert [check["check"] for check in ready["checks"] if not check["ok"]] == ["appendfsync"]
