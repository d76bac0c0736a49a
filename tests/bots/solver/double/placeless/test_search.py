"""The search of the game without places: the same as plain Python, and ended where its memory is."""

import numpy as np
import pytest

from bots.solver.double import mark as at
from bots.solver.double import placeless
from bots.solver.double.line import position_of, setting_of
from bots.solver.double.placeless import hall as stands
from bots.solver.double.placeless.exhaust import prepare
from bots.solver.double.placeless.hall import hall
from bots.solver.double.position import Setting
from engine.codes import parse_code
from engine.double.board import DoubleBoard
from engine.game import first_board
from tests.bots.solver.double.games import four_columns
from tests.bots.solver.plain import plain

HALL = hall(1 << 16)


@pytest.mark.parametrize("setting", [Setting(1, True, ranks=7), Setting(3, True, ranks=7), Setting(1, False, ranks=7)])
def test_plain_python_searches_the_same_states(setting: Setting) -> None:
    """Compiled or not, in one go or in small slices, a search goes the same way and ends with the same numbers."""
    position = four_columns(6, 7)
    ends = []
    for kernels, slice_of in ((placeless, 10**9), (plain(placeless.__name__), 7)):
        prepare(HALL, position, setting)
        HALL.mark[at.NOISE], HALL.mark[at.CHANCE], HALL.mark[at.SLOTS] = 20, 1, len(HALL.seen) - 1
        while HALL.mark[at.STATUS] in (at.NEW, at.RUNNING) and HALL.mark[at.NODES] < 600:
            kernels.search.search(HALL, min(slice_of, 600 - int(HALL.mark[at.NODES])))
        best = HALL.path[stands.BEST :][: HALL.mark[at.BEST_DEPTH]]
        assert HALL.mark[at.NODES] > 100
        ends.append(np.concatenate([HALL.mark[: at.ROUND], HALL.mark[at.SLOTS :], best]).tolist())
    assert ends[0] == ends[1]


def test_says_when_its_memory_is_full() -> None:
    """A search without room for its states stops with that status."""
    board = first_board(parse_code("DS1-D1V-AAAAAAC"))
    assert isinstance(board, DoubleBoard)
    prepare(HALL, position_of(board), setting_of(board.rules))
    HALL.mark[at.SLOTS] = 15
    placeless.search.search(HALL, 10**9)
    assert HALL.mark[at.STATUS] == at.FULL
    assert HALL.mark[at.ENTERED] < 16
