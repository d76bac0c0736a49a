"""The clock of a node: that of Redis, not behind what has been written, and not moved by what a wrong clock wrote."""

from __future__ import annotations

import pytest

from server.races.clock import Clock

NOW = 1_700_000_000_000
HOUR_MS = 3_600_000


class Stands:
    """A Redis whose time stands still."""

    async def now(self) -> int:
        return NOW


@pytest.mark.parametrize(
    ("at", "least"),
    [
        pytest.param(NOW - 5_000, NOW, id="earlier"),
        pytest.param(NOW + 5_000, NOW + 5_000, id="a little later"),
        pytest.param(NOW + HOUR_MS, NOW, id="an hour later"),
    ],
)
async def test_an_entrys_time(at: int, least: int) -> None:
    """An entry makes the clock later, but for one from so much later that its own clock was wrong."""
    clock = Clock(Stands())
    await clock.sync()
    clock.heard(at)
    assert least <= clock.now() < NOW + HOUR_MS
