"""Ratings from pairings: on a deal the better score beats the other, equal scores are a draw (Bradley–Terry, Elo)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bots.bench.stats.intervals import CONFIDENCE, Interval

__all__ = ["Rating", "expected_score", "ratings"]

ELO: Final = 400 / log(10)
"""Elo points of one unit of strength."""
RESAMPLES: Final = 1000
_PRIOR: Final = 0.5
"""Games drawn against each other bot beforehand: who always wins has a finite rating."""
_ROUNDS: Final = 200
_CLOSE: Final = 1e-9

Matrix = NDArray[np.float64]


class Rating(Struct, frozen=True):
    """A bot's Elo among those of the run, whose mean is 0, and its points (a win 1, a draw ½) of so many pairings."""

    bot: str
    elo: Interval
    points: float
    pairings: int


def expected_score(difference: float) -> float:
    """Return what a bot so many Elo points stronger should score in a pairing."""
    return 1 / (1 + 10 ** (-difference / 400))


def ratings(scores: Mapping[str, Sequence[float]], seed: int = 0) -> list[Rating]:
    """Rate bots by their scores on the same deals, best first.

    Pairings of one deal depend on each other, so the intervals come from deals weighted anew (the Bayesian bootstrap,
    Rubin 1981), together with the games drawn beforehand: who always wins has an interval that is open to the top.
    """
    bots = list(scores)
    table = np.array([scores[bot] for bot in bots], float)  # bots × deals
    ahead = np.sign(table[:, None, :] - table[None, :, :])  # bot × bot × deal
    outcomes = np.moveaxis((ahead + 1) / 2, 2, 0)  # deal × bot × bot
    deals = len(outcomes)
    others = 1 - np.eye(len(bots))
    outcomes = np.concatenate([outcomes * others, [_PRIOR / 2 * others]])
    elo = _strengths(outcomes.sum(axis=0)) * ELO
    weights = np.random.default_rng(seed).exponential(size=(RESAMPLES, deals + 1))
    resampled = _strengths(np.tensordot(weights, outcomes, axes=1)) * ELO
    low, high = np.quantile(resampled, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=0)
    points = outcomes[:deals].sum(axis=(0, 2))
    pairings = deals * (len(bots) - 1)
    rated = [
        Rating(bot, Interval(float(elo[at]), float(low[at]), float(high[at])), float(points[at]), pairings)
        for at, bot in enumerate(bots)
    ]
    return sorted(rated, key=lambda rating: -rating.elo.value)


def _strengths(won: Matrix) -> Matrix:
    """Return the most likely strengths, mean 0, for points won by each row from each column (Hunter 2004, MM).

    Takes many such matrices at once (… × bot × bot) and returns … × bot.
    """
    met = won + won.swapaxes(-1, -2)
    points = won.sum(axis=-1)
    worth = np.ones(points.shape)
    for _ in range(_ROUNDS):
        before = worth
        worth = points / (met / (worth[..., :, None] + worth[..., None, :])).sum(axis=-1)
        worth = worth / np.exp(np.log(worth).mean(axis=-1, keepdims=True))
        if np.abs(np.log(worth / before)).max() < _CLOSE:
            break
    return np.log(worth)
