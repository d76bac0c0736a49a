"""The game without places: complete, and of legal moves once they have their places again."""

import pytest
from hypothesis import given, settings

from bots.solver.double import mark as at
from bots.solver.double.line import Played, position_of, setting_of
from bots.solver.double.placeless.bound import most_to_come
from bots.solver.double.placeless.exhaust import exhaust, prepare
from bots.solver.double.placeless.hall import hall
from bots.solver.double.position import Position, Setting
from bots.solver.golf.search import Limits
from engine.codes import parse_code
from engine.double.board import DoubleBoard
from engine.game import first_board
from tests.bots.solver.double.games import games
from tests.bots.solver.double.legal import end_of
from tests.bots.solver.double.slow import most_up

HALL = hall(1 << 16)
ALL = Limits()


@settings(max_examples=80)
@given(games())
def test_finds_what_a_slow_search_finds(game: tuple[Setting, Position]) -> None:
    """Whether a small game can be won, and with one pass how many cards go up, is as trying every move gives it.

    The path told is legal and puts up what it says, no more go up than the bounds say, and few states find the same.
    """
    setting, position = game
    prepare(HALL, position, setting)
    bound = most_to_come(HALL)
    found, most = exhaust(position, setting, ALL), most_up(position, setting)
    assert (found.won, found.limit) == (most == setting.cards, None)
    assert found.up <= most <= min(found.bound, bound)
    assert setting.recycles or found.won or found.up == most
    end = end_of(position, setting, found.path)
    assert end.mark[at.UP] == found.up
    hurried = exhaust(position, setting, Limits(nodes=20))
    assert hurried.limit == "nodes" or hurried.won == found.won


@pytest.mark.parametrize("code", ["DS1-D1N-AAAAAAC", "DS1-D3N-AAAAAAC"])
def test_wins_deals_of_two_packs(code: str) -> None:
    """What it finds for Double Solitaire wins in the engine, too."""
    board = first_board(parse_code(code))
    assert isinstance(board, DoubleBoard)
    found = exhaust(position_of(board), setting_of(board.rules), Limits(nodes=300_000))
    assert found.won
    played = Played(board)
    played.follow(found.path)
    played.finish()
    assert played.board.left == 0


@pytest.mark.parametrize("limits", [Limits(nodes=5), Limits(ms=0.0)], ids=["nodes", "time"])
def test_names_the_limit_that_ended_it(limits: Limits) -> None:
    """A search that was ended early says by what."""
    board = first_board(parse_code("DS1-D3V-AAAAAAC"))
    assert isinstance(board, DoubleBoard)
    found = exhaust(position_of(board), setting_of(board.rules), limits)
    assert (found.won, found.limit) == (False, "time" if limits.nodes is None else "nodes")
