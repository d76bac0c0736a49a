"""Ratings from pairings."""

import numpy as np
import pytest
from scipy import optimize

from bots.bench.stats.rating import ELO, expected_score, ratings


def scores_of(strengths: dict[str, float], deals: int, seed: int = 1) -> dict[str, list[float]]:
    """Scores whose pairings follow Bradley and Terry: Gumbel noise around each strength."""
    chance = np.random.default_rng(seed)
    return {bot: (strength / ELO + chance.gumbel(size=deals)).tolist() for bot, strength in strengths.items()}


def test_known_strengths_are_found_again() -> None:
    """The intervals hold the differences with which the scores were drawn, and are no wider than they must be."""
    strengths = {"a": 120.0, "b": 0.0, "c": -120.0}
    found = ratings(scores_of(strengths, 2000))
    assert [rating.bot for rating in found] == ["a", "b", "c"]
    for rating in found:
        assert rating.elo.low <= strengths[rating.bot] <= rating.elo.high
        assert rating.elo.high - rating.elo.low < 40
        assert rating.pairings == 4000


def test_the_rating_is_the_most_likely_one() -> None:
    """SciPy's optimizer finds the same strengths for the same points, the half game against each other included."""
    scores = scores_of({"a": 60.0, "b": 10.0, "c": -70.0}, 60)
    table = np.array(list(scores.values()))
    won = (np.sign(table[:, None, :] - table[None, :, :]) + 1).sum(axis=2) / 2
    won = (won + 0.25) * (1 - np.eye(3))

    def unlikeliness(strengths: np.ndarray) -> float:
        return float((won * np.log1p(np.exp(strengths[None, :] - strengths[:, None]))).sum())

    best = optimize.minimize(unlikeliness, np.zeros(3), tol=1e-10).x
    best = (best - best.mean()) * ELO
    ours = {rating.bot: rating.elo.value for rating in ratings(scores)}
    assert [ours[bot] for bot in scores] == pytest.approx(best.tolist(), abs=0.05)


def test_equal_scores_are_draws_and_who_always_wins_has_a_finite_rating() -> None:
    """A draw is half a point for both."""
    first, second = ratings({"a": [1.0, 1.0], "b": [1.0, 1.0]})
    assert (first.elo.value, first.points, second.points) == (0.0, 1.0, 1.0)
    best, worst = ratings({"a": [9.0] * 50, "b": [1.0] * 50})
    assert best.bot == "a"
    assert 500 < best.elo.value - worst.elo.value < 2000
    assert best.elo.low < best.elo.value - 50 < best.elo.value + 200 < best.elo.high


@pytest.mark.parametrize(("difference", "score"), [(0, 0.5), (400, 10 / 11), (-400, 1 / 11)])
def test_elo_is_what_chess_players_know(difference: float, score: float) -> None:
    """400 points are ten to one."""
    assert expected_score(difference) == pytest.approx(score)
