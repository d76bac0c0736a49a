"""Most cards in one pass: never more than there are, and wins of deals."""

import pytest
from hypothesis import given, settings

from bots.solver.double import mark as at
from bots.solver.double.placeless.widely import most_cards
from bots.solver.double.position import Position, Setting
from bots.solver.double.verdict import Limits, replay, solve_double
from engine.codes import parse_code
from engine.double.board import DoubleBoard
from engine.game import first_board
from tests.bots.solver.double.games import games
from tests.bots.solver.double.legal import end_of
from tests.bots.solver.double.slow import most_up


@settings(max_examples=40)
@given(games().filter(lambda game: not game[0].recycles))
def test_finds_what_there_is(game: tuple[Setting, Position]) -> None:
    """On small games it finds the most that trying every move gives, by legal moves; hurried, no more than that."""
    setting, position = game
    most = most_up(position, setting)
    found = most_cards(position, setting, Limits())
    assert (found.won, found.bound, found.limit) == (most == setting.cards, most, None)
    assert found.won or found.up == most  # A win may be certain before its last card is up.
    hurried = most_cards(position, setting, Limits(nodes=12))
    assert hurried.up <= most <= hurried.bound
    for path, up in ((found.path, found.up), (hurried.path, hurried.up)):
        assert end_of(position, setting, path).mark[at.UP] == up


def board_of(text: str) -> DoubleBoard:
    board = first_board(parse_code(text))
    assert isinstance(board, DoubleBoard)
    return board


@pytest.mark.parametrize("code", ["DS1-D1V-AAAAAAG", "DS1-D1V-AAAAAAN"])
def test_wins_deals_in_one_pass(code: str) -> None:
    """Many a deal is won though each card of the stock is seen once."""
    board = board_of(code)
    found = solve_double(board, Limits(nodes=60_000))
    assert (found.verdict, found.bound, found.limit) == ("winnable", 104, None)
    assert replay(board, found.line).left == 0
    assert "r" not in found.line


@pytest.mark.parametrize("limits", [Limits(nodes=30), Limits(ms=0.0)], ids=["nodes", "time"])
def test_names_the_limit_that_ended_it(limits: Limits) -> None:
    """What is told of a search that was ended early is by what, and a line that does what it says."""
    board = board_of("DS1-D3V-AAAAAAC")
    found = solve_double(board, limits)
    assert (found.verdict, found.limit) == ("unknown", "time" if limits.nodes is None else "nodes")
    assert replay(board, found.line).cleared == found.best.placed
