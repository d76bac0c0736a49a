"""The kernels of the exhaustive search: as plain Python, in slices, and one position after another."""

from types import ModuleType

import numpy as np
import pytest

from bots.solver.golf import lattice, waiting, workspace
from bots.solver.golf.costs import costs
from bots.solver.golf.position import LETTERS, Position, arrays
from tests.bots.solver.oracle import DEALS
from tests.bots.solver.plain import plain

_, DEAL = DEALS[0]
LATE = Position(tuple(column[:2] for column in DEAL.columns), DEAL.waste, DEAL.stock)


def laid(position: Position, letter: str, kernels: ModuleType = workspace) -> workspace.Workspace:
    return lay(kernels.workspace(), position, letter, kernels)


def lay(
    ws: workspace.Workspace, position: Position, letter: str, kernels: ModuleType = workspace
) -> workspace.Workspace:
    given = arrays(position, LETTERS[letter])
    weights = costs(LETTERS[letter])
    kernels.prepare(ws, given.columns, given.heights, given.waste, given.stock, given.fits, weights)
    return ws


def swept(ws: workspace.Workspace, letter: str, slice_of: int, free: ModuleType, waits: ModuleType) -> None:
    kernels = waits if letter == "S" else free
    kernels.begin(ws)
    while ws.mark[workspace.NEXT] >= 0:
        kernels.sweep(ws, *((slice_of, False) if letter == "S" else (36, slice_of)))


@pytest.mark.parametrize("letter", LETTERS)
def test_plain_python_comes_to_the_same(letter: str) -> None:
    """Compiled or not, in one go or in small slices, a sweep reaches the same heights with the same draws."""
    compiled, by_hand = laid(LATE, letter), laid(LATE, letter, plain(workspace.__name__))
    swept(compiled, letter, 10**9, lattice, waiting)
    with np.errstate(over="ignore"):
        swept(by_hand, letter, 50, plain(lattice.__name__), plain(waiting.__name__))
    size = compiled.mark[workspace.START] + 1
    assert compiled.mark.tolist() == by_hand.mark.tolist()
    assert workspace.line(compiled) == workspace.line(by_hand)
    assert np.array_equal(compiled.least[:size], by_hand.least[:size])
    for at in np.flatnonzero(compiled.least[:size] != workspace.NEVER):
        if letter == "S":
            assert np.array_equal(compiled.draws[8 * at : 8 * at + 8], by_hand.draws[8 * at : 8 * at + 8])
        else:
            assert np.array_equal(compiled.onto[16 * at : 16 * at + 14], by_hand.onto[16 * at : 16 * at + 14])


@pytest.mark.parametrize("letter", "EC")
def test_a_beam_in_plain_python_keeps_the_same(letter: str) -> None:
    """Compiled or not, a beam looks at the same heights and finds the same line."""
    compiled, by_hand = laid(DEAL, letter), laid(DEAL, letter, plain(workspace.__name__))
    left_out = lattice.look_ahead(compiled, 4, 1)
    assert plain(lattice.__name__).look_ahead(by_hand, 4, 1) == left_out
    assert compiled.mark.tolist() == by_hand.mark.tolist()
    assert workspace.line(compiled) == workspace.line(by_hand)


@pytest.mark.parametrize("letter", LETTERS)
def test_forgets_the_position_before(letter: str) -> None:
    """A position that is solved after another comes to the same numbers as in a new workspace."""
    new, used = laid(LATE, letter), laid(DEAL, "C")
    swept(new, letter, 10**9, lattice, waiting)
    swept(used, "C", 10**9, lattice, waiting)
    lay(used, LATE, letter)
    swept(used, letter, 10**9, lattice, waiting)
    assert new.mark.tolist() == used.mark.tolist()
    assert workspace.line(new) == workspace.line(used)
