"""Timers with slack: never early, little late, and those of one moment together."""

from __future__ import annotations

import asyncio

import pytest

from server.live.slack import SLACK_S, call_with_slack


@pytest.mark.parametrize("wait_s", [0.0, 0.001, SLACK_S, 0.0123, 0.25])
async def test_little_late(wait_s: float) -> None:
    """A timer comes after its wait, at most by the slack."""
    loop = asyncio.get_running_loop()
    now = loop.time()
    due = call_with_slack(loop, wait_s, lambda: None).when()
    assert now + wait_s <= due <= loop.time() + wait_s + SLACK_S


async def test_together() -> None:
    """Timers set one after the other within a moment are due at the same few instants."""
    loop = asyncio.get_running_loop()
    begun = loop.time()
    due = {round(call_with_slack(loop, n / 10_000, lambda: None).when(), 6) for n in range(1000)}
    assert len(due) <= (0.1 + loop.time() - begun) / SLACK_S + 2
