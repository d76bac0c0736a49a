"""The short form of failovers that lose history: a few rounds on each run; deploy/RUNBOOK.md has what many came to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.failover import failover
from tests.needs import needs

pytestmark = [pytest.mark.journey, pytest.mark.redis, needs("redis-server")]

ENOUGH_S = 60
WITH_NODES_KILLED = 3
"""A seed with which the second round kills the nodes too."""


async def test_what_a_failover_loses_is_noticed(tmp_path: Path) -> None:
    """Every confirmed entry that is gone is noted in its race, rated ones are voided, and everybody is told."""
    outcome = await failover(2, ENOUGH_S, tmp_path, seed=WITH_NODES_KILLED)
    assert outcome.ok, outcome
    assert outcome.rounds == outcome.nodes_killed == 2
    assert outcome.noticed == outcome.lost > 0
    assert outcome.rated_voided == outcome.rated_hit > 0
