"""Verdicts on Double Solitaire, their lines played through the engine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.solver.double.verdict import Limits, LineRefused, replay, solve_double
from engine.cards import parse_cards
from engine.codes import parse_code
from engine.double.board import DoubleBoard
from engine.double.rules import DoubleRules
from engine.game import first_board
from engine.refusals import Status


def board_of(text: str) -> DoubleBoard:
    board = first_board(parse_code(text))
    assert isinstance(board, DoubleBoard)
    return board


@pytest.mark.parametrize("rules", ["D1N", "D3N"])
@pytest.mark.parametrize("number", ["AAAAAAB", "AAAAAAC", "AAAAAAD", "AAAAAAE"])
def test_wins_codes(rules: str, number: str) -> None:
    """These deals can be won, and the line told wins them move by move."""
    board = board_of(f"DS1-{rules}-{number}")
    found = solve_double(board, Limits(nodes=1_000_000))
    assert (found.verdict, found.limit, found.best.placed) == ("winnable", None, 104)
    end = replay(board, found.line)
    assert (end.status, end.settled_score) == (Status.WON, found.best.score)


def test_vegas_goes_through_the_stock_once() -> None:
    """Under Vegas a line never recycles, and without a win it leads to the most cards found."""
    board = board_of("DS1-D3V-AAAAAAB")
    found = solve_double(board, Limits(nodes=20_000))
    assert "r" not in found.line
    end = replay(board, found.line)
    assert (end.cleared, end.score) == (found.best.placed, found.best.score)
    assert found.best.score >= 5 * found.best.placed - 104
    assert (found.verdict, found.bound) == ("unknown", 104)
    assert found.best.placed >= 5


@given(st.data())
def test_solves_positions_in_mid_game(data: st.DataObject) -> None:
    """From wherever random moves lead, the line told is legal and ends as told."""
    board = board_of(data.draw(st.sampled_from(["DS1-D1N-AAAAAAB", "DS1-D3N-AAAAAAC", "DS1-D1V-AAAAAAD"])))
    for _ in range(data.draw(st.integers(0, 60))):
        legal = board.legal()
        if not legal:
            break
        board = replay(board, [data.draw(st.sampled_from(legal))])
    found = solve_double(board, Limits(nodes=3_000))
    end = replay(board, found.line)
    assert (end.cleared, end.settled_score) == (found.best.placed, found.best.score)
    assert (end.status is Status.WON) == (found.verdict == "winnable")


@pytest.mark.parametrize("limits", [Limits(nodes=5), Limits(ms=0.0)], ids=["nodes", "time"])
def test_names_the_limit_that_ended_it(limits: Limits) -> None:
    """A search that was ended early says unknown and by what."""
    found = solve_double(board_of("DS1-D1N-AAAAAAB"), limits)
    assert (found.verdict, found.limit) == ("unknown", "time" if limits.nodes is None else "nodes")


BLOCKED = tuple(parse_cards(text) for text in ("QS KS", "QS KS", "QH KH", "QH KH", "QD KD", "QD KD", "QC KC", "QC KC"))
"""Queens, face down, under the kings of their suits."""


def test_proves_a_position_lost() -> None:
    """With no black queen for the jack and no column for a king nothing can move at all; with a column all goes up."""
    rules = DoubleRules()
    lost = DoubleBoard(
        rules, (*BLOCKED, parse_cards("10H JH")), (1,) * 9, (), (), foundations=(11, 11, 11, 9, 11, 11, 11, 11)
    )
    assert lost.legal() == []
    found = solve_double(lost)
    assert (found.verdict, found.line, found.best.placed, found.bound) == ("unwinnable", (), 86, 86)
    free = DoubleBoard(rules, (*BLOCKED, ()), (*(1,) * 8, 0), (), (), foundations=(11,) * 8)
    assert solve_double(free).verdict == "winnable"


def test_proves_by_the_bound_what_no_search_has_ended() -> None:
    """Where not all cards can go up, a position is lost, though the search for the most was cut short."""
    rules = DoubleRules(scoring="V")
    lost = DoubleBoard(
        rules,
        (*BLOCKED, parse_cards("10H JH")),
        (1,) * 9,
        (),
        parse_cards("9H"),
        foundations=(11, 11, 11, 8, 11, 11, 11, 11),
    )
    found = solve_double(lost, Limits(nodes=1))
    assert (found.verdict, found.best.placed, found.bound, found.limit) == ("unwinnable", 85, 86, "nodes")
    found = solve_double(lost)
    assert (found.verdict, found.line, found.bound, found.limit) == ("unwinnable", ("d", "w-f"), 86, None)


def test_ends_of_games() -> None:
    """A won board needs no move, and one move wins one that lacks a single card."""
    rules = DoubleRules()
    won = DoubleBoard(rules, ((),) * 9, (0,) * 9, (), (), foundations=(13,) * 8, status=Status.WON)
    found = solve_double(won)
    assert (found.verdict, found.line, found.best.placed) == ("winnable", (), 104)
    one = DoubleBoard(rules, ((),) * 9, (0,) * 9, (), parse_cards("KC"), foundations=(13,) * 7 + (12,))
    assert solve_double(one).line == ("d", "w-f")


def test_refuses_to_believe_a_wrong_line() -> None:
    """A line that the engine refuses is named with its word and reason."""
    with pytest.raises(LineRefused, match="'t1-f' at index 1"):
        replay(board_of("DS1-D1N-AAAAAAB"), ["d", "t1-f"])
