"""The early stop."""

import math

import numpy as np
import pytest
from scipy import optimize

from bots.bench.stats.rating import expected_score
from bots.bench.stats.sprt import Verdict, log_likelihood_ratio, sprt

POINTS = np.array([0.0, 0.5, 1.0])


@pytest.mark.parametrize("counts", [(30, 40, 50), (5, 200, 9), (0, 10, 3), (120, 1, 119)])
@pytest.mark.parametrize("elo", [(0.0, 20.0), (-10.0, 10.0), (-40.0, 5.0)])
def test_the_ratio_is_that_of_the_most_likely_distributions(
    counts: tuple[int, int, int], elo: tuple[float, float]
) -> None:
    """SciPy's constrained optimizer finds no likelier distribution with the mean that a hypothesis asks for."""
    seen = np.array([count or 1e-3 for count in counts])

    def best(difference: float) -> float:
        mean = expected_score(difference)
        found = optimize.minimize(
            lambda rates: -float((seen * np.log(rates)).sum()),
            [1 - mean - 0.1, 0.2, mean - 0.1],
            bounds=[(1e-9, 1)] * 3,
            constraints=[
                {"type": "eq", "fun": lambda rates: rates.sum() - 1},
                {"type": "eq", "fun": lambda rates: rates @ POINTS - mean},
            ],
            options={"ftol": 1e-12, "maxiter": 500},
        )
        return -float(found.fun)

    assert log_likelihood_ratio(counts, elo) == pytest.approx(best(elo[1]) - best(elo[0]), abs=2e-3)


def drawn(difference: float, chance: np.random.Generator) -> list[tuple[float, float]]:
    """Deals of which 40 in 100 are equal, the others won as an Elo difference has it."""
    better = expected_score(difference) - 0.2
    ends = chance.choice([-1.0, 0.0, 1.0], 4000, p=[0.6 - better, 0.4, better])
    return [(float(end), 0.0) for end in ends]


@pytest.mark.parametrize(("difference", "right"), [(0.0, Verdict.NOT_STRONGER), (50.0, Verdict.STRONGER)])
def test_verdicts_are_right_as_often_as_promised(difference: float, right: Verdict) -> None:
    """At either hypothesis about 5 of 100 tests err, and they need few deals."""
    chance = np.random.default_rng(11)
    tests = [sprt("a", "b", drawn(difference, chance), (0.0, 50.0)) for _ in range(400)]
    wrong = sum(test.verdict is not right for test in tests)
    assert wrong <= 400 * 0.05 + 3 * math.sqrt(400 * 0.05 * 0.95)
    assert np.mean([test.deals for test in tests]) < 400


def test_a_test_stops_at_the_deal_that_decides() -> None:
    """What was played after it changes nothing; before it the test is open."""
    scores = drawn(120.0, np.random.default_rng(2))
    whole = sprt("a", "b", scores, (0.0, 50.0))
    assert whole.verdict is Verdict.STRONGER
    assert whole == sprt("a", "b", scores[: whole.deals], (0.0, 50.0))
    assert sprt("a", "b", scores[: whole.deals - 1], (0.0, 50.0)).verdict is Verdict.OPEN
    assert whole.llr >= whole.upper == -whole.lower == pytest.approx(math.log(19))
    assert sprt("a", "b", [], (0.0, 50.0)).verdict is Verdict.OPEN
