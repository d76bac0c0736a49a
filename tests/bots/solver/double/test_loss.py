"""The move that lost a game of Double Solitaire."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.solver.double.loss import NotPlayed, lost_along, lost_at
from bots.solver.double.verdict import Limits, replay, solve_double
from engine.cards import parse_cards
from engine.codes import parse_code
from engine.double.board import DoubleBoard
from engine.double.rules import DoubleRules

EVE = DoubleBoard(
    DoubleRules(),
    tuple(
        map(
            parse_cards,
            ("JS QC QC", "JD QS", "", "KH JH JD QH", "", "KC KS QS", "KD KC JC QD", "JS QH KH", "JH KS KD JC QD"),
        )
    ),
    (2, 1, 0, 3, 0, 2, 3, 2, 4),
    (),
    (),
    foundations=(10,) * 8,
)
"""A position in which moving the queen of clubs onto the king of hearts loses, and little else does."""


def boards(words: str) -> list[tuple[int, DoubleBoard]]:
    line = [(0, EVE)]
    for number, word in enumerate(words.split(), 1):
        line.append((number, replay(line[-1][1], [word])))
    return line


@pytest.mark.parametrize(
    ("words", "index"),
    [("t1-t8", 0), ("t8-t5 t2-t5", None)],
    ids=["at once", "never"],
)
def test_names_the_word_that_lost(words: str, index: int | None) -> None:
    """The word before which the game could be won, and after which not; none where it still can."""
    line = boards(words)
    found = lost_along(line, Limits(nodes=1_000_000))
    assert found.word == index
    if index is None:
        assert (found.last_winnable, found.first_lost) == (len(line) - 1, None)
    else:
        assert (found.last_winnable, found.first_lost) == (index, index + 1)


@settings(max_examples=20)
@given(st.data())
def test_agrees_with_the_verdicts_on_all_positions(data: st.DataObject) -> None:
    """Along random games what is told of the first lost and last winnable position is what solving each one tells."""
    line = boards("")
    for number in range(1, data.draw(st.integers(1, 12))):
        legal = line[-1][1].legal()
        if not legal:
            break
        line.append((number, replay(line[-1][1], [data.draw(st.sampled_from(legal))])))
    found = lost_along(line, Limits(nodes=10_000_000))
    won = [solve_double(board).verdict == "winnable" for _, board in line]
    assert all(before or not after for before, after in pairwise(won))
    assert found.last_winnable == (won.count(True) - 1 if won[0] else None)
    assert found.first_lost == (won.index(False) if False in won else None)


def test_does_not_count_what_was_taken_back() -> None:
    """After undos the positions are those that led to the last one, known by how many words had been played."""
    code = parse_code("DS1-D1N-AAAAAAB")
    assert lost_at(code, ["d", "d", "u", "d", "u"]).last_winnable == 1
    assert lost_at(code, ["d", "d", "u", "d"]).last_winnable == 4


@pytest.mark.parametrize("limits", [Limits(nodes=5), Limits(ms=0.0)], ids=["nodes", "time"])
def test_proves_nothing_without_time(limits: Limits) -> None:
    """Limits hold for all positions together."""
    found = lost_at(parse_code("DS1-D1N-AAAAAAB"), ["d"] * 8, limits)
    assert (found.last_winnable, found.first_lost, found.word) == (None, None, None)
    assert found.nodes <= 5


def test_refuses_what_is_no_game() -> None:
    """A word that cannot be played is named, and so are a code of another game and a search without an end."""
    code = parse_code("DS1-D1N-AAAAAAB")
    with pytest.raises(NotPlayed, match="'t1-f' at index 1 is refused"):
        lost_at(code, ["d", "t1-f"])
    with pytest.raises(ValueError, match=r"expected a code of Double Solitaire \(DS\), found GO1-E-AAAAAAB"):
        lost_at(parse_code("GO1-E-AAAAAAB"), [])
    with pytest.raises(ValueError, match="expected a limit of states or of time"):
        lost_at(code, [], Limits())
