"""Intervals for a rate and for a mean."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

__all__ = ["CONFIDENCE", "Interval", "resampled", "sample_mean", "wilson"]

CONFIDENCE: Final = 0.95
RESAMPLES: Final = 10_000
_BLOCK: Final = 1_000_000
"""How many draws are held at a time: eight megabytes."""


class Interval(Struct, frozen=True):
    """An estimate, and where the true value lies with 95 % confidence."""

    value: float
    low: float
    high: float


def wilson(successes: int, of: int, confidence: float = CONFIDENCE) -> Interval:
    """Return a rate with Wilson's score interval (JASA 22, 1927); without trials nothing is known: 0 to 1."""
    if not of:
        return Interval(0.0, 0.0, 1.0)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate = successes / of
    middle = (rate + z * z / (2 * of)) / (1 + z * z / of)
    reach = z / (1 + z * z / of) * sqrt(rate * (1 - rate) / of + z * z / (4 * of * of))
    # At the ends the interval closes exactly; rounding must not leave it a hair short.
    return Interval(rate, middle - reach if successes else 0.0, middle + reach if successes < of else 1.0)


def sample_mean(values: Sequence[float], seed: int = 0, confidence: float = CONFIDENCE) -> Interval:
    """Return a mean with its bootstrap percentile interval (Efron 1979), from seeded resamples."""
    if not values:
        return Interval(0.0, 0.0, 0.0)
    given = np.asarray(values, float)
    low, high = np.quantile(resampled(given, seed), [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(given.mean()), float(low), float(high))


def resampled(values: NDArray[np.float64], seed: int, resamples: int = RESAMPLES) -> NDArray[np.float64]:
    """Return the means of resamples of some values; of a matrix (values × quantities) a row of means each."""
    chance = np.random.default_rng(seed)
    size = len(values)
    means = []
    for begin in range(0, resamples, block := max(1, _BLOCK // size)):
        picks = chance.integers(0, size, (min(block, resamples - begin), size))
        means.append(values[picks].mean(axis=1))
    return np.concatenate(means)
