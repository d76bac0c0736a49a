"""The short form of the strikes: a few rounds on each run, a thousand by hand (deploy/RUNBOOK.md has their figures)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.chaos import chaos
from tests.needs import needs

pytestmark = [pytest.mark.journey, needs("redis-server")]

ROUNDS = 5
ENOUGH_S = 60


async def test_whatever_dies_nothing_confirmed_is_lost_or_doubled(tmp_path: Path) -> None:
    """Servers, workers and Redis are killed under load; every race is as its clients were told, and goes on."""
    outcome = await chaos(ROUNDS, ENOUGH_S, seed=1, folder=tmp_path)
    assert outcome.report.ok, outcome
    assert outcome.rounds == ROUNDS
    assert outcome.killed >= ROUNDS
