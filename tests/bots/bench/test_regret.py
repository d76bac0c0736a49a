"""What a game gave away, against the best scores that the suites list."""

from __future__ import annotations

import pytest

from bots.bench.regret import given_away
from bots.bench.suites import suite
from engine.record import Record, parse_record


@pytest.mark.parametrize("name", ["golf-classic-1000", "golf-easy-1000", "golf-strict-1000"])
def test_the_best_is_that_of_the_suite(name: str) -> None:
    """The solver finds what the suite says was proved."""
    listed = suite(name)
    for code, best in list(zip(listed.codes, listed.best, strict=True))[:40]:
        assert given_away(parse_record(code), 0) == (best, best)


def test_what_was_taken_back_was_given_away_too() -> None:
    """An undo saves the regret, not what the move had given away."""
    record = parse_record("GO1-C-AAAAAAC " + "d " * 16)
    regret, dropped = given_away(record, 0)
    again, more = given_away(Record(record.code, (*record.words, "u", "d")), 0)
    assert regret == dropped == again
    assert more is not None
    assert dropped is not None
    assert more >= dropped


def test_double_solitaire_has_none() -> None:
    """The best score of Double Solitaire is not known."""
    assert given_away(parse_record("DS1-D1N-AAAAAAB"), 0) == (None, None)
