"""An early stop: Wald's sequential test of two strengths, as the testers of chess engines use it.

Each deal is a pairing with three ends (better, equal, worse). The test asks which of two Elo differences explains them
better, by the likelihood ratio of the most likely distributions that have just those differences (the generalised test
of fishtest; Michel Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a
distribution").
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import copysign, log, sqrt
from typing import Final

from msgspec import Struct

from bots.bench.stats.rating import expected_score

__all__ = ["ERROR", "Sprt", "Verdict", "log_likelihood_ratio", "sprt"]

ERROR: Final = 0.05
"""How often either verdict may be wrong."""
_POINTS: Final = (0.0, 0.5, 1.0)
_UNSEEN: Final = 1e-3
"""What an end that has not come counts as: it may come yet."""


class Verdict(StrEnum):
    """What the test says of the first bot."""

    STRONGER = "stronger"
    """The second hypothesis holds: ahead by the upper difference."""
    NOT_STRONGER = "not stronger"
    """The first hypothesis holds."""
    OPEN = "open"


class Sprt(Struct, frozen=True):
    """Where a test stands after so many deals; it ends when `llr` leaves the bounds."""

    first: str
    second: str
    elo: tuple[float, float]
    deals: int
    llr: float
    lower: float
    upper: float
    verdict: Verdict


def sprt(first: str, second: str, scores: Sequence[tuple[float, float]], elo: tuple[float, float]) -> Sprt:
    """Test the scores of two bots deal by deal, in order, up to the deal that decides."""
    lower, upper = log(ERROR / (1 - ERROR)), log((1 - ERROR) / ERROR)
    counts = [0, 0, 0]
    llr, verdict, deals = 0.0, Verdict.OPEN, 0
    for one, other in scores:
        deals += 1
        counts[(one > other) - (one < other) + 1] += 1
        llr = log_likelihood_ratio((counts[0], counts[1], counts[2]), elo)
        if not lower < llr < upper:
            verdict = Verdict.STRONGER if llr >= upper else Verdict.NOT_STRONGER
            break
    return Sprt(first, second, elo, deals, llr, lower, upper, verdict)


def log_likelihood_ratio(counts: tuple[int, int, int], elo: tuple[float, float]) -> float:
    """Return by how much the second Elo difference explains worse, equal and better ends better than the first."""
    seen = [count or _UNSEEN for count in counts]
    of = sum(seen)
    rates = [count / of for count in seen]
    low, high = (_most_likely(rates, expected_score(difference)) for difference in elo)
    return of * sum(rate * log(more / less) for rate, more, less in zip(rates, high, low, strict=True))


def _most_likely(rates: Sequence[float], mean: float) -> list[float]:
    """Return the distribution with this mean under which the rates are most likely.

    It is rate / (1 + x (point − mean)) for the one x that gives this mean and leaves every rate above 0. With three
    points that x is a root of a quadratic equation.
    """
    worse, equal, better = away = [point - mean for point in _POINTS]
    squared = worse * equal * better
    linear = sum(rate * gap * (sum(away) - gap) for rate, gap in zip(rates, away, strict=True))
    constant = sum(rate * gap for rate, gap in zip(rates, away, strict=True))
    # Without differences of nearly equal numbers, and without a division by `squared`, which is 0 for a mean of ½.
    half = -(linear + copysign(sqrt(linear * linear - 4 * squared * constant), linear)) / 2
    x = constant / half
    if not -1 / better < x < -1 / worse:
        x = half / squared
    return [rate / (1 + x * gap) for rate, gap in zip(rates, away, strict=True)]
