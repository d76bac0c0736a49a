"""Many plans followed side by side: their words are legal, and come to more than a player that sees less."""

import pytest

from bots.players.double.beam import Beam, richest
from bots.players.double.weights import WEIGHTS
from bots.solver.double.playtable import table
from bots.solver.double.verdict import replay
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


def test_stays_where_nothing_can_be_had() -> None:
    """From a board on which all is up, the line is empty."""
    rules = DoubleRules(3, "V", once=True)
    board = DoubleBoard(rules, ((),) * 9, (0,) * 9, (), (), foundations=(13,) * 8)
    assert richest(table(WEIGHTS[3, "V"]), board, Beam()) == []
