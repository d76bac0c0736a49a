"""The kernels as plain Python: the same states in the same order as compiled."""

import numpy as np
import pytest

from bots.solver.golf import lattice, workspace
from bots.solver.golf.position import LETTERS, Position, arrays
from tests.bots.solver.oracle import DEALS
from tests.bots.solver.plain import plain

_, DEAL = DEALS[0]
LATE = Position(tuple(column[:2] for column in DEAL.columns), DEAL.waste, DEAL.stock)


@pytest.mark.parametrize("letter", LETTERS)
def test_plain_python_searches_the_same_states(letter: str) -> None:
    """Compiled or not, in one go or in small slices, a search visits the same states and ends with the same numbers."""
    switches = LETTERS[letter]
    given = arrays(LATE, switches)
    ends = []
    for kernels, slice_of in ((lattice, 10**9), (plain(lattice.__name__), 7)):
        ws = workspace.workspace(50_000)
        workspace.prepare(ws, given.columns, given.heights, given.waste, given.stock, given.fits, 36)
        while ws.mark[workspace.STATUS] == workspace.RUNNING:
            if switches.draw_waits:
                kernels.search_waiting(ws, slice_of, False)
            else:
                kernels.search_free(ws, slice_of)
        ends.append((ws.mark.tolist(), ws.states[: ws.mark[workspace.TAIL]].tolist()))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("letter", LETTERS)
def test_says_when_its_memory_is_full(letter: str) -> None:
    """A search that has no room for its states stops with that status instead of writing past the end."""
    given = arrays(DEAL, LETTERS[letter])
    ws = workspace.workspace(1000)
    workspace.prepare(ws, given.columns, given.heights, given.waste, given.stock, given.fits, 36)
    if letter == "S":
        lattice.search_waiting(ws, 10**9, False)
    else:
        lattice.search_free(ws, 10**9)
    assert ws.mark[workspace.STATUS] == workspace.FULL


def test_forgets_the_search_before() -> None:
    """After a new position is prepared nothing is marked as visited."""
    ws = workspace.workspace()
    for letter in "ESC":
        given = arrays(DEAL, LETTERS[letter])
        workspace.prepare(ws, given.columns, given.heights, given.waste, given.stock, given.fits, 36)
        assert np.all(ws.stage == workspace.UNSEEN)
        if letter == "S":
            lattice.search_waiting(ws, 10**9, False)
        else:
            lattice.search_free(ws, 10**9)
