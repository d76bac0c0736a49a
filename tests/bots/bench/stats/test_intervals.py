"""Intervals, checked against SciPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bots.bench.stats.intervals import Interval, sample_mean, wilson


@given(st.integers(1, 3000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_wilson_is_scipys(counts: tuple[int, int]) -> None:
    """The score interval for any number of successes."""
    successes, of = counts
    ours = wilson(successes, of)
    theirs = stats.binomtest(successes, of).proportion_ci(0.95, method="wilson")
    assert (ours.value, ours.low, ours.high) == pytest.approx((successes / of, theirs.low, theirs.high), abs=1e-12)
    assert 0 <= ours.low <= ours.value <= ours.high <= 1


def test_without_trials_nothing_is_known() -> None:
    """The rate may be anything."""
    assert Interval(0.0, 0.0, 1.0) == wilson(0, 0)


@pytest.mark.parametrize("size", [12, 200])
def test_the_interval_of_a_mean_is_scipys_bootstrap(size: int) -> None:
    """Both resample, with other seeds: they differ by a small part of the interval's width."""
    values = np.random.default_rng(5).gamma(2, 50, size)
    ours = sample_mean(values.tolist())
    theirs = stats.bootstrap((values,), np.mean, method="percentile", n_resamples=10_000, rng=1).confidence_interval
    assert ours.value == pytest.approx(values.mean())
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.05 * (ours.high - ours.low))


def test_the_same_values_have_the_same_interval() -> None:
    """Resamples are seeded; values that are all equal leave nothing open."""
    values = list(np.random.default_rng(2).normal(size=50))
    assert sample_mean(values) == sample_mean(values) != sample_mean(values, seed=1)
    assert Interval(3.0, 3.0, 3.0) == sample_mean([3.0] * 5)
    assert Interval(0.0, 0.0, 0.0) == sample_mean([])
