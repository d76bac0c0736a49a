"""Comparisons of two bots on the same deals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bots.bench.stats.paired import compared, sign_test, win_difference

COUNTS = st.integers(0, 400)


@given(COUNTS, COUNTS)
def test_the_sign_test_is_scipys_binomial_test(ups: int, downs: int) -> None:
    """McNemar's exact test is the binomial test of the pairs that differ."""
    theirs = stats.binomtest(ups, ups + downs).pvalue if ups + downs else 1.0
    assert sign_test(ups, downs) == pytest.approx(theirs, rel=1e-9)


def test_the_sign_test_takes_many_pairs() -> None:
    """Where numbers as big as 2^2000 come in."""
    assert sign_test(1000, 1000) == 1.0
    assert sign_test(1400, 600) == pytest.approx(stats.binomtest(1400, 2000).pvalue, rel=1e-9)


def test_newcombes_own_example() -> None:
    """The paper's table: 36, 12, 2 and 0 pairs give 0.2 with 0.0569 to 0.3404."""
    found = win_difference(36, 12, 2, 0)
    assert (found.value, found.low, found.high) == pytest.approx((0.2, 0.0569, 0.3404), abs=5e-5)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_the_difference_is_within_its_interval_and_turns_with_the_bots(a: int, b: int, c: int, d: int) -> None:
    """Exchanging the bots changes the sign and nothing else."""
    found, turned = win_difference(a, b, c, d), win_difference(a, c, b, d)
    assert -1 <= found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high <= 1
    assert (found.value, found.low, found.high) == pytest.approx((-turned.value, -turned.high, -turned.low), abs=1e-9)


def test_newcombes_interval_covers_the_truth() -> None:
    """Of 2,000 drawn comparisons about 95 in 100 intervals hold the true difference."""
    chance = np.random.default_rng(3)
    rates = np.array([0.1, 0.2, 0.1, 0.6])
    covered = 0
    for counts in chance.multinomial(150, rates, 2000).tolist():
        found = win_difference(*counts)
        covered += found.low <= rates[1] - rates[2] <= found.high
    assert 0.935 <= covered / 2000 <= 0.97


def test_a_comparison_counts_every_pair() -> None:
    """Wins in a two by two table, scores as better, equal, worse, with the mean difference."""
    wins = [(True, True), (True, False), (True, False), (False, True), (False, False)]
    scores = [(350.0, 350.0), (350.0, 300.0), (350.0, 200.0), (100.0, 350.0), (40.0, 40.0)]
    found = compared("a", "b", wins, scores)
    assert (found.both_won, found.first_only, found.second_only, found.neither) == (1, 2, 1, 1)
    assert (found.better, found.equal, found.worse) == (2, 2, 1)
    assert found.score_difference.value == pytest.approx(-10)
    assert found.effect == pytest.approx(-10 / np.std([0, 50, 150, -250, 0], ddof=1))
    assert not found.differs


def test_the_paired_interval_is_narrower_than_that_of_unpaired_scores() -> None:
    """What the deals have in common is taken out: 5 points of difference are seen in scores that spread over 350."""
    chance = np.random.default_rng(1)
    deals = chance.uniform(0, 350, 200)
    scores = [
        (float(deal + noise + 5), float(deal)) for deal, noise in zip(deals, chance.normal(0, 10, 200), strict=True)
    ]
    found = compared("a", "b", [(False, False)] * 200, scores)
    assert found.differs
    theirs = stats.bootstrap(([one - other for one, other in scores],), np.mean, method="percentile", rng=2)
    interval = theirs.confidence_interval
    assert (found.score_difference.low, found.score_difference.high) == pytest.approx(tuple(interval), abs=0.15)


def test_bots_that_play_alike_do_not_differ() -> None:
    """No spread at all is no effect."""
    found = compared("a", "a too", [(False, False)] * 4, [(10.0, 10.0)] * 4)
    assert (found.effect, found.score_p, found.win_p, found.differs) == (0.0, 1.0, 1.0, False)
