"""What was measured of the roster's players, and to which pool a game belongs."""

import pytest

from bots.levels import LEVELS
from bots.ratings import POOLS, measured, pool_of
from bots.roster import ROSTER
from engine.codes import CodeError, parse_code


@pytest.mark.parametrize(
    ("game", "pool"),
    [
        ("GO1-E", "GO1-E"),
        ("GO1-CJ2X", "GO1-C"),
        ("GO1-S-AAAAAAB", "GO1-S"),
        ("DS1-D1NO", "DS1-D1N"),
        ("DS1-D3VO-AAAAAAB", "DS1-D3N"),
        (parse_code("GO1-N-AAAAAAB").rules, "GO1-E"),
    ],
)
def test_every_game_has_a_pool(game: str, pool: str) -> None:
    """Options and scoring have no pool of their own."""
    assert pool_of(game) == pool


@pytest.mark.parametrize("game", ["", "GO1", "GO1-Q", "chess"])
def test_what_is_no_game_has_no_pool(game: str) -> None:
    """A text that names no game is an error that says what was expected."""
    with pytest.raises(CodeError, match="expected"):
        pool_of(game)


@pytest.mark.parametrize("pool", POOLS)
def test_every_fair_player_is_rated_where_it_plays(pool: str) -> None:
    """Each has a rating within its interval in the pools of its games; oracles have none."""
    players = {one.name for one in ROSTER.values() if one.mode == "fair" and pool[:2] in one.games}
    assert {*LEVELS, "random", "greedy", "steady"} <= set(measured()[pool].players) <= players
    for one in ROSTER.values():
        rated = one.rated(pool)
        assert (rated is not None) == (one.name in measured()[pool].players)
        if rated is not None:
            assert rated.low <= rated.rating <= rated.high
            assert one.rating(pool) == rated.rating
