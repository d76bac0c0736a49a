"""Two bots on the same deals: who wins more of them, who scores more, how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, sqrt

import numpy as np
from msgspec import Struct

from bots.bench.stats.intervals import Interval, sample_mean, wilson

__all__ = ["Comparison", "compared", "sign_test", "win_difference"]


class Comparison(Struct, frozen=True):
    """What the first bot has before the second, over the deals that both played."""

    first: str
    second: str
    deals: int
    both_won: int
    first_only: int
    second_only: int
    neither: int
    win_difference: Interval
    """Difference of the win rates, with Newcombe's interval for pairs."""
    win_p: float
    """McNemar's exact test: how probable so uneven a split is if neither wins more."""
    score_difference: Interval
    """Mean difference of the scores, with its paired bootstrap interval."""
    effect: float
    """That difference in standard deviations of the differences (Cohen's d of pairs); 0.2 is small, 0.8 large."""
    better: int
    equal: int
    worse: int
    """Deals on which the first scored more, the same, less."""
    score_p: float
    """Sign test over the deals on which the scores differ."""

    @property
    def differs(self) -> bool:
        """Whether the interval of the score difference leaves 0 out."""
        return not self.score_difference.low <= 0 <= self.score_difference.high


def compared(
    first: str, second: str, wins: Sequence[tuple[bool, bool]], scores: Sequence[tuple[float, float]]
) -> Comparison:
    """Compare two bots by what each did on the same deals, pair by pair; there must be a deal."""
    both, first_only = wins.count((True, True)), wins.count((True, False))
    second_only, neither = wins.count((False, True)), wins.count((False, False))
    differences = np.array([one - other for one, other in scores])
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    better, worse = int((differences > 0).sum()), int((differences < 0).sum())
    return Comparison(
        first=first,
        second=second,
        deals=len(wins),
        both_won=both,
        first_only=first_only,
        second_only=second_only,
        neither=neither,
        win_difference=win_difference(both, first_only, second_only, neither),
        win_p=sign_test(first_only, second_only),
        score_difference=sample_mean(differences.tolist()),
        effect=float(differences.mean()) / spread if spread else 0.0,
        better=better,
        equal=len(differences) - better - worse,
        worse=worse,
        score_p=sign_test(better, worse),
    )


def sign_test(ups: int, downs: int) -> float:
    """Return the two-sided exact p of so many ups and downs if both are as likely; of wins this is McNemar's test."""
    of = ups + downs
    tail: int = sum(comb(of, k) for k in range(min(ups, downs) + 1))
    # Whole numbers first: of 2,000 deals neither side fits a float.
    return min(1.0, float(Fraction(2 * tail, 2**of)))


def win_difference(both: int, first_only: int, second_only: int, neither: int) -> Interval:
    """Return the difference of two paired rates with Newcombe's interval (Stat. Med. 17, 1998, method 10)."""
    of = both + first_only + second_only + neither
    one, other = wilson(both + first_only, of), wilson(both + second_only, of)
    value = one.value - other.value
    phi = _correlation(both, first_only, second_only, neither)
    down, up = one.value - one.low, other.high - other.value
    low = value - sqrt(max(0.0, down**2 - 2 * phi * down * up + up**2))
    up, down = one.high - one.value, other.value - other.low
    high = value + sqrt(max(0.0, up**2 - 2 * phi * up * down + down**2))
    return Interval(value, max(-1.0, low), min(1.0, high))


def _correlation(both: int, first_only: int, second_only: int, neither: int) -> float:
    """Return the correlation of the pairs, corrected for continuity where it is positive; 0 where it is undefined."""
    margins = (both + first_only) * (second_only + neither) * (both + second_only) * (first_only + neither)
    if not margins:
        return 0.0
    product = float(both * neither - first_only * second_only)
    if product > 0:
        product = max(product - (both + first_only + second_only + neither) / 2, 0.0)
    return product / sqrt(margins)
