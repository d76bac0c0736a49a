"""The short form of failovers by Sentinel, installed as the runbook says (deploy/RUNBOOK.md has what many came to)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.sentinel import failovers
from tests.needs import needs

# Five waits of a minute and a half each, and each tells what was missing.
LONGEST_S = 500
ENOUGH_S = 60

pytestmark = [
    pytest.mark.journey,
    pytest.mark.redis,
    pytest.mark.ends_within(LONGEST_S),
    needs("redis-server"),
]


async def test_a_failover_under_load_loses_no_command(tmp_path: Path) -> None:
    """The master is killed while races are on: at durability `replica` all that was confirmed is there, once."""
    outcome = await failovers(1, ENOUGH_S, tmp_path)
    assert outcome.report.ok, outcome
    assert len(outcome.silent_s) == 1
