"""The levels: they rise, overlook by their seed alone, and look again before they settle."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from bots.levels import LEVELS, Level
from bots.player import Budget
from bots.players.attention import chance, overlooked
from bots.ratings import POOLS, measured
from bots.roster import new
from engine.codes import parse_code
from engine.golf.rules import GolfRules
from engine.refusals import Status
from tests.bots.players.table import play


@pytest.mark.parametrize("pool", POOLS)
def test_levels_rise(pool: str) -> None:
    """In every pool each level is rated above the one before it, as far as so few deals tell, and below steady."""
    players = measured()[pool].players
    levels = [players[name] for name in LEVELS]
    assert all(lower.rating < upper.rating + upper.within for lower, upper in pairwise(levels))
    assert all(lower.rating < upper.rating for lower, upper in zip(levels, levels[2:], strict=False))
    # Under Strict, where random has to remove what fits, it is no worse than a beginner.
    assert players["random"].rating < levels[1].rating
    assert levels[-1].rating < players["steady"].rating


@pytest.mark.parametrize(
    "lack",
    [
        lambda level: -level.golf.rows,
        lambda level: level.golf.overlooks,
        lambda level: level.golf.misjudges,
        lambda level: -level.double.positions,
        lambda level: level.double.overlooks,
        lambda level: level.double.misjudges,
        lambda level: -level.double.patience,
    ],
    ids=["rows", "cards", "judgement", "positions", "moves", "plans", "patience"],
)
def test_each_level_lacks_no_more_than_the_one_before(lack: Callable[[Level], float]) -> None:
    """Whatever a level lacks, the next lacks it no more."""
    assert all(lack(lower) >= lack(upper) for lower, upper in pairwise(LEVELS.values()))


def test_chance_follows_from_the_seed_and_what_it_is_about() -> None:
    """The same question has the same answer; over many the answers are spread evenly."""
    assert chance(1, 2, 3) == chance(1, 2, 3) != chance(2, 2, 3)
    rolls = [chance(7, number) for number in range(2000)]
    assert sum(rolls) / len(rolls) == pytest.approx(0.5, abs=0.03)
    assert all(0 <= roll < 1 for roll in rolls)


def test_far_columns_are_overlooked_more() -> None:
    """Of the same rolls more overlook a card that is farther from the eyes."""
    rolls = [number / 100 for number in range(100)]
    counts = [sum(overlooked(0.2, distance, roll) for roll in rolls) for distance in range(7)]
    assert all(near < far for near, far in pairwise(counts))


@pytest.mark.parametrize("code", ["GO1-S-AAAAAAE", "GO1-SJ2X-AAAAAAG", "GO1-E-AAAAAAC"])
def test_the_first_level_finds_a_move_where_there_is_one(code: str) -> None:
    """What it overlooks it finds when nothing else is left, so that every game is won or stuck, under Strict too."""
    parsed = parse_code(code)
    assert isinstance(parsed.rules, GolfRules)
    for seed in range(4):
        end, _ = play(new("level-1", rules=parsed.rules, seed=seed), code, Budget())
        assert end.board.status in (Status.WON, Status.STUCK)
