"""The short form of a cluster that is shaken under load (deploy/RUNBOOK.md has what many rounds came to)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.cluster import rounds
from tests.needs import needs

pytestmark = [pytest.mark.journey, pytest.mark.redis, needs("redis-server")]

ENOUGH_S = 60


async def test_races_outlive_moves_and_a_lost_master(tmp_path: Path) -> None:
    """Slots move, a master hands over, its successor is killed: all that was confirmed is there, once."""
    outcome = await rounds(1, ENOUGH_S, tmp_path)
    assert outcome.report.ok, outcome
    assert outcome.slots_moved >= 6
