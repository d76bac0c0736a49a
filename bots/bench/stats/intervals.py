"""Intervals for a rate and for a mean."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist
from typing import Final

import numpy as np
from msgspec import Struct

__all__ = ["CONFIDENCE", "Interval", "sample_mean", "wilson"]

CONFIDENCE: Final = 0.95
RESAMPLES: Final = 10_000


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
    """Return a mean with its bootstrap percentile interval (Efron 1979), from seeded resamples.

    A resample is drawn as how often each different value comes: scores have few, however many games there are.
    """
    if not values:
        return Interval(0.0, 0.0, 0.0)
    different, counts = np.unique(np.asarray(values, float), return_counts=True)
    chance = np.random.default_rng(seed)
    drawn = chance.multinomial(len(values), counts / len(values), RESAMPLES)
    means = drawn @ different / len(values)
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(different @ counts) / len(values), float(low), float(high))
