"""The yardstick is right, and the benchmark's parts give what they say."""

import pytest

from bots.solver.bench import deals, in_mid_game, rate
from bots.solver.golf.position import LETTERS, arrays
from bots.solver.golf.search import Limits, search
from bots.solver.yardstick import plain_win, yardstick_room
from tests.bots.solver.oracle import DEALS, RULES


@pytest.mark.parametrize("name", RULES)
def test_the_plain_search_is_right(name: str) -> None:
    """The yardstick tells wins as two independent programs do."""
    seen, todo = yardstick_room()
    for facts, position in DEALS[:12]:
        seen.fill(0)
        given = arrays(position, RULES[name])
        won = plain_win(given.columns, given.waste, given.stock, given.fits, False, seen, todo)
        assert won == bool(facts["solvable"][name])


def test_the_plain_search_agrees_where_draws_wait() -> None:
    """Under Strict the yardstick finds the wins that the search finds."""
    seen, todo = yardstick_room()
    strict = LETTERS["S"]
    for position in deals(60):
        seen.fill(0)
        given = arrays(position, strict)
        won = plain_win(given.columns, given.waste, given.stock, given.fits, True, seen, todo)
        assert won == (search(position, strict, Limits()).left == 0)


def test_plays_half_a_game() -> None:
    """A position in mid-game has fewer cards than the deal it came from and can still be solved."""
    (deal,) = deals(1)
    half = in_mid_game(deal)
    assert 0 < half.left() < deal.left()
    assert search(half, LETTERS["E"], Limits()).left <= half.left()


def test_counts_what_it_measures() -> None:
    """A rate solves the first position once more to warm up, and calls what comes before each."""
    solved, before = [], []
    positions = deals(3)
    rate(solved.append, positions, lambda: before.append(1))
    assert solved == [positions[0], *positions]
    assert len(before) == 3
