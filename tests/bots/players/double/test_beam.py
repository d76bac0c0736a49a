"""Many plans followed side by side: their words are legal, and come to more than a player that sees less."""

import pytest

from bots.players.double.beam import Beam, improved, richest
from bots.players.double.weights import WEIGHTS
from bots.solver.double.playtable import table
from bots.solver.double.verdict import Limits, replay, solve_double
from engine.codes import deal, parse_code
from engine.double.board import DoubleBoard
from engine.double.rules import DoubleRules
from tests.bots.players.double.test_players import dealt, play, player


@pytest.mark.parametrize("code", ["DS1-D1VO-AAAAAAG", "DS1-D3VO-AAAAAAF"])
def test_comes_to_more_than_who_sees_less(code: str) -> None:
    """The engine accepts the line, it ends at its best score, and it is the same every time."""
    parsed = parse_code(code)
    assert isinstance(parsed.rules, DoubleRules)
    board = DoubleBoard.start(parsed.rules, deal(parsed))
    mine = table(WEIGHTS[parsed.rules.draw, parsed.rules.scoring])
    words = richest(mine, board, Beam(wide=4, plans=6))
    scores = [replay(board, words[:upto]).score for upto in range(len(words) + 1)]
    assert scores[-1] == max(scores)
    assert scores[-1] > play(player("steady", code), dealt(code))[0].board.score
    assert richest(mine, board, Beam(wide=4, plans=6)) == words


def test_improves_on_the_search_or_leaves_its_answer() -> None:
    """Where more cards go up its line is told, proved by the engine; a verdict is never made worse."""
    code = parse_code("DS1-D3V-AAAAAAF")
    assert isinstance(code.rules, DoubleRules)
    board = DoubleBoard.start(code.rules, deal(code))
    found = solve_double(board, Limits(nodes=1_000))
    better = improved(found, board, Beam(wide=4, plans=6))
    assert better.best.placed > found.best.placed
    assert replay(board, better.line).cleared == better.best.placed <= better.bound
    assert (better.verdict, better.limit) == ("unknown", "nodes")
    again = improved(better, board, Beam(wide=1, plans=1))
    assert (again.line, again.best) == (better.line, better.best)


@pytest.mark.parametrize(("ms", "wide"), [(None, 16), (0.0, 1), (500.0, 10), (1e9, 100)])
def test_is_as_wide_as_its_time_allows(ms: float | None, wide: int) -> None:
    """Less time follows fewer positions, but never none."""
    assert Beam.within(ms).wide == wide


def test_stays_where_nothing_can_be_had() -> None:
    """From a board on which all is up, the line is empty."""
    rules = DoubleRules(3, "V", once=True)
    board = DoubleBoard(rules, ((),) * 9, (0,) * 9, (), (), foundations=(13,) * 8)
    assert richest(table(WEIGHTS[3, "V"]), board, Beam()) == []
