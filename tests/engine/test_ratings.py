"""Ratings: what one race changes, who is rated where, and how often a pair counts."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ratings import DAILY_MEETINGS, DAY_MS, Met, RatedRace, Rating, changes, pair, pool_name, pools

DAY = 20_000
AT = DAY * DAY_MS + 5


def race(**ranks: int) -> RatedRace:
    return RatedRace(AT, "r" * 26, ranks)


def test_who_wins_gains_what_the_other_loses() -> None:
    """Of two newcomers the winner gains as much as the loser loses, and both are known better than before."""
    made = changes(race(ann=1, bob=2), {}, {})
    ann, bob = made.ratings["ann"], made.ratings["bob"]
    assert (ann.mu - 25, ann.sigma) == (pytest.approx(25 - bob.mu), bob.sigma)
    assert ann.sigma < Rating().sigma
    assert (ann.shown, bob.shown, ann.races) == (1632, 1368, 1)
    assert made.met == {"ann:bob": Met(DAY, 1)}


def test_equal_ranks_draw_the_ratings_together() -> None:
    """Who shares a rank with a better one gains on them; equals who share a rank stay equals."""
    made = changes(race(ann=1, bob=1), {"ann": Rating(30.0, 4.0, 12)}, {})
    assert made.ratings["ann"].mu < 30
    assert made.ratings["bob"].mu > 25
    equals = changes(race(ann=1, bob=1), {}, {}).ratings
    assert equals["ann"].mu == equals["bob"].mu == 25


def test_four_hundred_points_are_ten_to_one() -> None:
    """What people see is on the scale that they know from chess: 400 points more win ten times of eleven."""
    beta = 25 / 6
    better = Rating(25 + 400 / 50, 0.0).mu - 25
    wins = 0.5 * (1 + math.erf(better / (math.sqrt(2) * beta) / math.sqrt(2)))
    assert wins == pytest.approx(10 / 11, abs=0.01)


@given(ranks=st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 8), min_size=2))
def test_the_order_of_naming_does_not_matter(ranks: dict[str, int]) -> None:
    """The same finish order gives the same ratings, bit for bit, whoever is named first."""
    backwards = dict(reversed(ranks.items()))
    assert changes(race(**ranks), {}, {}) == changes(race(**backwards), {}, {})


@given(ranks=st.permutations(range(1, 6)))
def test_better_ranks_are_rated_higher(ranks: list[int]) -> None:
    """Of several newcomers who finish in an order, the ratings have the same order."""
    made = changes(race(**dict(zip("abcde", ranks, strict=True))), {}, {}).ratings
    by_rating = sorted(made, key=lambda player: -made[player].mu)
    assert [ranks["abcde".index(player)] for player in by_rating] == [1, 2, 3, 4, 5]


def test_a_pair_counts_three_times_a_day() -> None:
    """From the fourth meeting of a day on nothing changes but the count; the next day all count again."""
    met: dict[str, Met] = {}
    changed = []
    for _ in range(5):
        made = changes(race(bob=2, ann=1), {}, met)
        met = made.met
        changed.append(bool(made.ratings))
    assert changed == [True] * DAILY_MEETINGS + [False] * 2
    assert met[pair("bob", "ann")] == Met(DAY, 5)
    tomorrow = RatedRace(AT + DAY_MS, "r" * 26, {"ann": 1, "bob": 2})
    assert changes(tomorrow, {}, met).ratings
    assert changes(race(ann=1, eve=2), {}, met).ratings


def test_provisional_at_first() -> None:
    """A rating is provisional until ten races have been rated."""
    assert [Rating(races=n).provisional for n in (0, 9, 10, 11)] == [True, True, False, False]


@pytest.mark.parametrize(
    ("kinds", "found"),
    [
        pytest.param(
            {"ann": "person", "bob": "person"}, {"people": ["ann", "bob"], "all": ["ann", "bob"]}, id="people"
        ),
        pytest.param({"hal": "bot", "eva": "bot"}, {"bots": ["eva", "hal"], "all": ["eva", "hal"]}, id="bots"),
        pytest.param({"ann": "person", "hal": "bot"}, {"all": ["ann", "hal"]}, id="one of each"),
        pytest.param(
            {"ann": "person", "bob": "person", "hal": "bot"},
            {"people": ["ann", "bob"], "all": ["ann", "bob", "hal"]},
            id="two people and a bot",
        ),
        pytest.param({"ann": "person"}, {}, id="alone"),
        pytest.param({}, {}, id="nobody"),
    ],
)
def test_bots_are_rated_apart_and_together(kinds: dict[str, str], found: dict[str, list[str]]) -> None:
    """People are rated among people, bots among bots, and all in a pool together; nobody alone."""
    ranks = {player: rank for rank, player in enumerate(kinds, 1)}
    made = pools("GO1-C", kinds, ranks)
    assert {name: sorted(members) for name, members in made.items()} == {
        f"GO1-C-{group}": players for group, players in found.items()
    }
    assert all(members[player] == ranks[player] for members in made.values() for player in members)
    assert pool_name("GO1-C") == "GO1-C-all"
