"""The game without places: complete, the same as plain Python, and of legal moves once they have their places again."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.solver.double import hall as stands
from bots.solver.double import placeless
from bots.solver.double import room as at
from bots.solver.double.exhaust import exhaust, prepare
from bots.solver.double.hall import hall
from bots.solver.double.line import Played, position_of, setting_of
from bots.solver.double.position import Position, Setting
from bots.solver.golf.search import Limits
from engine.codes import parse_code
from engine.double.board import DoubleBoard
from engine.game import first_board
from tests.bots.solver.double.games import games
from tests.bots.solver.double.legal import end_of
from tests.bots.solver.double.slow import most_up
from tests.bots.solver.plain import plain

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
    bound = placeless.most_to_come(HALL)
    found, most = exhaust(position, setting, ALL), most_up(position, setting)
    assert (found.won, found.limit) == (most == setting.cards, None)
    assert found.up <= most <= min(found.bound, bound)
    assert setting.recycles or found.won or found.up == most
    end = end_of(position, setting, found.path)
    assert end.mark[at.UP] == found.up
    hurried = exhaust(position, setting, Limits(nodes=20))
    assert hurried.limit == "nodes" or hurried.won == found.won


@settings(max_examples=50)
@given(games(), st.integers(0, 2**32))
def test_moves_taken_back(game: tuple[Setting, Position], seed: int) -> None:
    """Taken back one by one, moves lead through the very states they led to; a key does not depend on the way."""
    setting, position = game
    prepare(HALL, position, setting)
    HALL.mark[at.NOISE], HALL.mark[at.SLOTS] = 0, len(HALL.seen) - 1
    numbers = [at.RESERVE, at.TURNED, at.UP, at.COVERED, at.KEY]

    def state() -> list[int]:
        order = HALL.now[stands.ORDER : stands.ORDER + HALL.mark[at.RESERVE]]
        return [*HALL.now[: stands.ORDER].tolist(), *order.tolist(), *HALL.mark[numbers].tolist()]

    chance, states, awaits = Random(seed), [state()], 0
    for _ in range(40):
        placeless.come_to(HALL, awaits)
        begin, end = HALL.path[stands.FIRST + HALL.mark[at.DEPTH] :][:2]
        if begin == end:
            break
        move = int(HALL.path[stands.LISTED + chance.randrange(begin, end)]) & ((1 << placeless.MOVE_BITS) - 1)
        placeless.play(HALL, move)
        awaits = move >> placeless.AWAITS
        states.append(state())
        assert HALL.mark[at.KEY] == placeless.whole_key(HALL)
    while HALL.mark[at.DEPTH]:
        assert state() == states.pop()
        placeless.unplay(HALL)
    assert state() == states.pop()


@pytest.mark.parametrize("setting", [Setting(1, True, ranks=7), Setting(3, True, ranks=7), Setting(1, False, ranks=7)])
def test_plain_python_searches_the_same_states(setting: Setting) -> None:
    """Compiled or not, in one go or in small slices, a search goes the same way and ends with the same numbers."""
    order = [suit << 4 | rank for suit in range(4) for rank in range(1, 8)] * 2
    Random(6).shuffle(order)
    columns = tuple(tuple(order[c * c : c * c + 2 * c + 1]) for c in range(4))
    position = Position(columns, (0, 2, 4, 6), tuple(order[16:]))
    ends = []
    for kernels, slice_of in ((placeless, 10**9), (plain(placeless.__name__), 7)):
        prepare(HALL, position, setting)
        HALL.mark[at.NOISE], HALL.mark[at.CHANCE], HALL.mark[at.SLOTS] = 20, 1, len(HALL.seen) - 1
        while HALL.mark[at.STATUS] in (at.NEW, at.RUNNING) and HALL.mark[at.NODES] < 600:
            kernels.search(HALL, min(slice_of, 600 - int(HALL.mark[at.NODES])))
        best = HALL.path[stands.BEST :][: HALL.mark[at.BEST_DEPTH]]
        assert HALL.mark[at.NODES] > 100
        ends.append(np.concatenate([HALL.mark[: at.ROUND], HALL.mark[at.SLOTS :], best]).tolist())
    assert ends[0] == ends[1]


def test_survey_finds_held_cards_wherever_their_numbers_stand() -> None:
    """What could be laid somewhere is the same wherever the numbers of the cards that are held begin."""
    order = [suit << 4 | rank for suit in range(4) for rank in range(1, 8)] * 2
    moved = plain(placeless.__name__)
    moved.HELD = len(HALL.now) + 5 | 1  # type: ignore[attr-defined]
    ways = set()
    for seed in range(20):
        Random(seed).shuffle(order)
        columns = tuple(tuple(order[c * c : c * c + 2 * c + 1]) for c in range(4))
        prepare(HALL, Position(columns, (0, 2, 4, 6), tuple(order[16:])), Setting(3, True, ranks=7))
        placeless.survey(HALL)
        near = HALL.now[stands.NEAR : stands.NEAR + 32].tolist()
        now = np.zeros(moved.HELD + 80, np.int64)
        now[: stands.HELD] = HALL.now[: stands.HELD]
        now[stands.HELD + 80 : len(HALL.now)] = HALL.now[stands.HELD + 80 :]
        now[moved.HELD :] = HALL.now[stands.HELD : stands.HELD + 80]
        moved.survey(HALL._replace(now=now))
        assert now[stands.NEAR : stands.NEAR + 32].tolist() == near
        ways |= set(near)
    assert ways > {0, placeless.LONGEST_WAY}


def test_says_when_its_memory_is_full() -> None:
    """A search without room for its states stops with that status."""
    board = first_board(parse_code("DS1-D1V-AAAAAAC"))
    assert isinstance(board, DoubleBoard)
    prepare(HALL, position_of(board), setting_of(board.rules))
    HALL.mark[at.SLOTS] = 15
    placeless.search(HALL, 10**9)
    assert HALL.mark[at.STATUS] == at.FULL
    assert HALL.mark[at.ENTERED] < 16


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
