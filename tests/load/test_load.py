"""The measuring itself: every line is measured in a tiny form; how quick it was is not asserted."""

import math

import pytest

from tests.load.budget import steps
from tests.load.lines import LINES, Form, Line
from tests.load.scale import SCALE
from tests.needs import needs

TINY = Form(rounds=1, seconds=0.2, sockets=4, spectators=10, idle=8, live=3, lane=20)

pytestmark = [pytest.mark.load, needs("redis-server")]


@pytest.mark.parametrize("line", [*LINES, *SCALE], ids=lambda line: line.name)
async def test_line(line: Line) -> None:
    """A line has a figure, between its least and its most, and is held against its target."""
    measured = await line.run(TINY)
    assert math.isfinite(measured.ratio)
    assert measured.low <= measured.ratio <= measured.high
    assert measured.holds == (measured.ratio >= line.target if line.least else measured.ratio <= line.target)


def test_budget() -> None:
    """Each step of a move can be run by itself."""
    for step in steps().values():
        step()
