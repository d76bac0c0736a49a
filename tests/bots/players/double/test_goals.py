"""Double Solitaire's solver plays for the goal of its race, and by the clock."""

import pytest

from bots.player import Budget, Goal
from bots.players.double.games import WON, worth
from engine.double.rules import DoubleRules
from engine.refusals import Status
from engine.solo import Solo
from tests.bots.players.double.test_players import dealt, play, player

NORMAL, VEGAS = DoubleRules(3, "N", once=True), DoubleRules(3, "V", once=True)
GOALS: list[Goal] = ["first", "score", "moves"]
CODES = ["DS1-D3NO-AAAAAAH", "DS1-D3NO-AAAAAAI", "DS1-D3NO-AAAAAAK"]


def value(of: list[float], *, won: bool, score: int, moves: int, covered: int = 0) -> float:
    return of[0] * won + of[1] * score - of[2] * moves - of[3] * covered


@pytest.mark.parametrize("goal", GOALS)
def test_dollars_are_all_that_counts_under_vegas_scoring(goal: Goal) -> None:
    """Whatever the goal, a card more on the foundations is worth as much as any other, and moves are worth nothing."""
    of = worth(VEGAS, goal)
    assert value(of, won=True, score=416, moves=300) == pytest.approx(0.8)
    assert value(of, won=False, score=5, moves=900) - value(of, won=False, score=0, moves=50) == pytest.approx(1 / 104)


@pytest.mark.parametrize("goal", ["first", "moves"])
def test_a_win_counts_more_than_any_score(goal: Goal) -> None:
    """A poor and long win is worth more than the best game that is not one; of two of these the score decides."""
    of = worth(NORMAL, goal)
    assert value(of, won=True, score=600, moves=500) > WON > value(of, won=False, score=1400, moves=100)
    near = value(of, won=False, score=900, moves=250, covered=1)
    assert near > value(of, won=False, score=300, moves=250, covered=12)


def test_points_are_all_that_counts_by_score() -> None:
    """A win that took many recycles is worth less than a rich game that was settled."""
    of = worth(NORMAL, "score")
    assert value(of, won=False, score=1200, moves=900) > value(of, won=True, score=900, moves=200)


def test_wins_with_fewer_moves_where_they_count() -> None:
    """Over deals that both win, playing for few moves takes fewer than playing for the score."""
    ends: dict[Goal, list[Solo]] = {
        goal: [play(player("solver", code, goal), dealt(code), nodes=2)[0] for code in CODES]
        for goal in ("score", "moves")
    }
    both = [
        (few.moves, any_.moves)
        for few, any_ in zip(ends["moves"], ends["score"], strict=True)
        if few.board.status is Status.WON is any_.board.status
    ]
    assert len(both) > 1
    assert sum(few for few, _ in both) < sum(other for _, other in both)


def test_thinks_as_long_as_its_clock_allows() -> None:
    """With no time left it takes the plan that looks best and plays nothing out; with plenty it plays out its fill."""
    code = "DS1-D3VO-AAAAAAI"
    view = dealt(code).position()
    rushed = player("solver", code).choose(view, Budget(clock_ms=0.0))
    assert (rushed.nodes, rushed.note) == (0, "no time to think")
    rested = player("solver", code).choose(view, Budget(wall_ms=60_000.0, clock_ms=3_600_000.0))
    assert rested.nodes is not None
    assert rested.nodes >= 240
