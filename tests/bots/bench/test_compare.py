"""Two runs against each other."""

from pathlib import Path

import pytest

from bots.bench.bench import Bench
from bots.bench.compare import compared_runs
from bots.bench.contestant import Contestant
from bots.bench.faults import RunRefused
from bots.bench.suites import suite
from bots.conditions import Conditions
from tests.bots.bench.here import Here

NODES = Conditions(nodes=1)
RANDOM = Contestant("random", "random", games=("GO",))
GREEDY = Contestant("greedy", "greedy", games=("GO",))


def run(folder: Path, *bots: Contestant, game: str = "golf-easy-1000", conditions: Conditions = NODES) -> Path:
    Bench(suite(game, deals=8), bots, conditions, out=folder).run(Here, lambda rows: None)
    return folder


def test_bots_of_one_name_are_compared_with_each_other(tmp_path: Path) -> None:
    """The same bots on the same deals with another seed: two pairs, and the note says what differs."""
    first = run(tmp_path / "a", RANDOM, GREEDY)
    second = run(tmp_path / "b", GREEDY, RANDOM, conditions=Conditions(nodes=1, seed=1))
    found = compared_runs(first, second)
    assert [(pair.first, pair.second) for pair in found.comparisons] == [
        (f"{first}: {name}", f"{second}: {name}") for name in ("random", "greedy")
    ]
    assert (found.deals, found.notes) == (8, ["seed differs (0, 1)"])


def test_bots_of_different_names_are_compared_each_with_each(tmp_path: Path) -> None:
    """As where an old version was in one run and a new one is in the other."""
    found = compared_runs(run(tmp_path / "a", RANDOM), run(tmp_path / "b", GREEDY))
    (pair,) = found.comparisons
    assert pair.score_difference.value < 0
    assert pair.worse > pair.better


@pytest.mark.parametrize(
    ("other", "game"),
    [
        pytest.param(GREEDY, "golf-strict-1000", id="other deals"),
        pytest.param(Contestant("greedy", "seer", mode="oracle", games=("GO",)), "golf-easy-1000", id="an oracle"),
    ],
)
def test_what_has_nothing_in_common_is_refused(tmp_path: Path, other: Contestant, game: str) -> None:
    """Fair bots are never compared with oracles, nor scores of different deals."""
    first, second = run(tmp_path / "a", RANDOM), run(tmp_path / "b", other, game=game)
    with pytest.raises(RunRefused, match="expected runs with deals and a mode in common"):
        compared_runs(first, second)
