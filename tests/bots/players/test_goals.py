"""Golf's players play for the goal of their race, by the clock, and the oracle as well as can be."""

import numpy as np
import pytest

from bots.player import Budget, Goal
from bots.players.planner import worth
from bots.roster import new
from bots.solver.golf.table import CLEARED, ENDS
from bots.solver.verdict import solve_golf
from engine.codes import deal, parse_code
from engine.golf.rules import GolfRules
from engine.refusals import Status
from engine.solo import Solo
from tests.bots.players.table import play

CODES = ["GO1-E-AAAAB" + a + b for a in "ABCDE" for b in "ABCDEFGH"]


def played(name: str, code: str, goal: Goal, budget: Budget) -> Solo:
    parsed = parse_code(code)
    return play(new(name, rules=parsed.rules, goal=goal, seed=1, code=parsed), code, budget)[0]


@pytest.mark.parametrize("goal", ["first", "score", "moves", "strokes"])
def test_every_goal_prefers_fewer_cards_left_and_a_clear_to_all(goal: Goal) -> None:
    """Each card less is worth more, a clear more than anything else, and none is worth more for more draws."""
    values = np.array(worth(goal))
    assert len(values) == ENDS
    assert (np.diff(values[1:CLEARED]) < 0).all()
    assert values[CLEARED:].min() > values[1:CLEARED].max() - 0.1
    assert values[CLEARED] == 1 > values[1]
    assert (np.diff(values[CLEARED:]) <= 0).all()


def test_goals_weigh_a_clear_against_its_draws_and_the_cards_left_differently() -> None:
    """Where moves count a draw costs most; two cards cost the same anywhere by strokes, near 0 nothing by score."""
    cost = {goal: worth(goal)[CLEARED] - worth(goal)[CLEARED + 1] for goal in ("first", "score", "moves", "strokes")}
    assert cost["moves"] > 10 * cost["score"] > cost["strokes"] == 0
    assert worth("strokes")[2] - worth("strokes")[4] == pytest.approx(worth("strokes")[30] - worth("strokes")[32])
    assert worth("score")[2] - worth("score")[4] > 10 * (worth("score")[30] - worth("score")[32])


def test_clears_with_fewer_draws_where_moves_count() -> None:
    """Over deals that both clear, playing for few moves takes no more of them on average than playing for the score."""
    ends = {goal: [played("solver", code, goal, Budget(nodes=200)) for code in CODES] for goal in ("score", "moves")}
    both = [
        (few.moves, any_.moves)
        for few, any_ in zip(ends["moves"], ends["score"], strict=True)
        if few.board.status is Status.WON is any_.board.status
    ]
    assert len(both) > 10
    assert sum(few for few, _ in both) <= sum(other for _, other in both)


@pytest.mark.parametrize(
    "code", ["GO1-E-AAAAAAC", "GO1-C-AAAAAAD", "GO1-S-AAAAAAE", "GO1-EX-AAAAAAF", "GO1-CJ1-AAAAAAH"]
)
@pytest.mark.parametrize("goal", ["first", "score", "moves", "strokes"])
def test_the_oracle_leaves_as_few_cards_as_can_be(code: str, goal: Goal) -> None:
    """For every goal it comes to the best settled score that the exact solver knows."""
    parsed = parse_code(code)
    assert isinstance(parsed.rules, GolfRules)
    cards = deal(parsed)
    best = solve_golf(parsed.rules, cards.columns, cards.waste, cards.stock).best
    end = played("oracle", code, goal, Budget())
    assert (end.board.cleared, end.board.settled_score) == (best.removed, best.score)


def test_a_player_shares_out_what_is_left_of_its_clock() -> None:
    """No decision may take more than its part of the time left, nor more than a move may."""
    assert Budget(50.0).for_one_of(16) == 50.0
    assert Budget(50.0, clock_ms=170.0).for_one_of(16) == 10.0
    assert Budget(50.0, clock_ms=10_000.0).for_one_of(16) == 50.0
