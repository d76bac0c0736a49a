"""Whole games, position by position, as they were when they were kept."""

from pathlib import Path

import pytest

from engine.record import parse_record
from tests.engine.playthrough import playthrough

KEPT = sorted((Path(__file__).parents[1] / "golden" / "playthroughs").glob("*.txt"))


@pytest.mark.parametrize("kept", KEPT, ids=lambda path: path.stem)
def test_playthroughs_are_as_they_were(kept: Path) -> None:
    """The record in a file's first line still gives every position and refusal of the file."""
    text = kept.read_text(encoding="utf-8")
    assert text == playthrough(parse_record(text.partition("\n")[0]))


def test_there_are_playthroughs() -> None:
    """An empty folder would test nothing."""
    assert len(KEPT) >= 6
