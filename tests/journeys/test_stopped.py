"""Processes that stand still for longer than every timeout: whoever waits goes on, and what comes back does no harm."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.journeys.field import field
from tests.journeys.under_load import under_load
from tests.needs import needs

pytestmark = [pytest.mark.journey, needs("redis-server")]

TIMEOUTS = {
    "FAIRDEAL_LEASE_MS": "700",
    "FAIRDEAL_REDIS_MS": "500",
    "FAIRDEAL_HEARTBEAT_MS": "300",
    "FAIRDEAL_DEAD_AFTER_MS": "900",
    "FAIRDEAL_SLOW_MS": "500",
}
LONGER_S = 2.0


async def test_standing_still_for_longer_than_every_timeout(tmp_path: Path) -> None:
    """A node, one process of two, and Redis are stopped in turn, under load, and go on as if nothing had been."""
    async with field(tmp_path, TIMEOUTS) as found, under_load(found, tmp_path, seed=1) as load:
        for pid in (found.single.pid, found.double.processes()[0], found.redis):
            os.kill(pid, signal.SIGSTOP)
            await asyncio.sleep(LONGER_S)
            os.kill(pid, signal.SIGCONT)
            assert await load.at_work()
        assert found.single.starts == found.double.starts == 1
    assert load.report.ok, load.report
