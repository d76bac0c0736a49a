"""One pack: the lay-out is Klondike's, and wins consist of moves of the slow search; the engine has no such game."""

from collections import Counter
from collections.abc import Callable

import pytest

from bots.solver.double import mark as at
from bots.solver.double.klondike import KLONDIKE, Contradiction, agreed, decided, numbered
from bots.solver.double.placeless.exhaust import exhaust
from bots.solver.double.places.hunt import Findings, find
from bots.solver.double.position import Position, Setting
from bots.solver.golf.search import Limits
from tests.bots.solver.double.legal import end_of

LIMITS = Limits(nodes=30_000)


def test_lays_out_one_pack() -> None:
    """28 cards lie in columns of 1 to 7, their last ones face up, the other 24 in the stock; a number is one deal."""
    dealt = numbered(7)
    assert [len(column) for column in dealt.columns] == [1, 2, 3, 4, 5, 6, 7]
    assert dealt.down == (0, 1, 2, 3, 4, 5, 6)
    assert set(Counter([*sum(dealt.columns, ()), *dealt.reserve]).values()) == {1}
    assert len(dealt.reserve) == 24
    assert dealt == numbered(7) != numbered(8)


@pytest.mark.parametrize("search", [find, exhaust])
@pytest.mark.parametrize("name", KLONDIKE)
def test_wins_by_legal_moves(name: str, search: Callable[[Position, Setting, Limits], Findings]) -> None:
    """Every move of the wins found is one of the rules', and at their ends all other cards can go up."""
    setting, won = KLONDIKE[name], 0
    for number in range(2, 12):
        found = search(numbered(number), setting, LIMITS)
        if not found.won:
            continue
        won += 1
        end = end_of(numbered(number), setting, found.path)
        # Up, or nothing face down and every card of the stock at hand.
        assert end.mark[at.UP] == 52 or (not end.mark[at.COVERED] and (setting.draw == 1 or not end.mark[at.RESERVE]))
    assert won > 5


@pytest.mark.parametrize("name", KLONDIKE)
def test_two_searches_decide_alike(name: str) -> None:
    """Lay-outs of one pack are decided, most of them by both searches, and then alike."""
    verdicts = Counter(decided(name, number, LIMITS) for number in range(2, 62))
    assert verdicts["winnable"] > 40
    assert verdicts["unwinnable"] > 3
    assert verdicts["unknown"] < 10


WON, LOST, OPEN = (Findings(won, (), 0, 52, 0, limit) for won, limit in ((True, None), (False, None), (False, "nodes")))


@pytest.mark.parametrize(
    ("findings", "verdict"),
    [((WON, OPEN), "winnable"), ((OPEN, LOST), "unwinnable"), ((LOST, LOST), "unwinnable"), ((OPEN, OPEN), "unknown")],
)
def test_takes_what_either_has_decided(findings: tuple[Findings, Findings], verdict: str) -> None:
    """One search that decides is enough."""
    assert agreed(*findings) == verdict


def test_takes_no_contradiction() -> None:
    """Two searches that decide differently are not to be believed."""
    with pytest.raises(Contradiction, match="found two"):
        agreed(WON, LOST)
