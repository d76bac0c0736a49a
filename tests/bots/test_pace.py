"""Paces: seeded, on average as fast as they say."""

from itertools import islice

import pytest

from bots.pace import PACES, Pace, PaceError, hesitation, hurried, pace_of


def test_repeats_its_delays() -> None:
    """The same seed gives the same delays, another seed others."""
    first, again, other = (list(islice(Pace(2.0, seed=seed).delays(), 20)) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("jitter", [0.0, 0.4, 0.8])
def test_keeps_its_mean(jitter: float) -> None:
    """Over many moves the mean delay is one over the moves per second, whatever the spread."""
    delays = list(islice(Pace(4.0, jitter, seed=3).delays(), 20_000))
    assert sum(delays) / len(delays) == pytest.approx(0.25, rel=0.03)
    assert min(delays) > 0


@pytest.mark.parametrize(("text", "moves_per_s"), [*PACES.items(), ("2.5", 2.5), (3, 3.0)])
def test_reads_names_and_numbers(text: str | float, moves_per_s: float) -> None:
    """A pace is read by name or in moves per second."""
    assert pace_of(text, seed=4) == Pace(moves_per_s, seed=4)


@pytest.mark.parametrize("text", ["", "hasty", "0", "-1", "nan", "inf"])
def test_refuses_what_is_no_pace(text: str) -> None:
    """What names no pace is an error that lists the names."""
    with pytest.raises(PaceError, match="expected one of slow, steady, quick, fast"):
        pace_of(text)


def test_hesitates_over_what_is_difficult() -> None:
    """A move that needs no thought is faster than common, a choice between equals slower, an unknown one neither."""
    assert hesitation(0.0) < hesitation(None) == 1.0 < hesitation(0.5) < hesitation(1.0)


@pytest.mark.parametrize(
    ("delay", "left_s", "moves", "expected"),
    [(1.0, 600.0, 50, 1.0), (1.0, 10.2, 50, 0.2), (1.0, 0.0, 50, 0.0), (1.0, -3.0, 0, 0.0)],
    ids=["time enough", "hurry", "no time", "too late"],
)
def test_hurries_when_time_is_short(delay: float, left_s: float, moves: int, expected: float) -> None:
    """A delay leaves time for the moves to come."""
    assert hurried(delay, left_s, moves) == pytest.approx(expected)
