"""States followed side by side: the same in slices and in plain Python."""

import numpy as np
import pytest

from bots.solver.double import mark as at
from bots.solver.double import placeless
from bots.solver.double.placeless.exhaust import prepare
from bots.solver.double.placeless.hall import hall
from bots.solver.double.placeless.pool import STATES, pool
from bots.solver.double.placeless.widely import WEIGHTS
from bots.solver.double.position import Setting
from tests.bots.solver.double.games import four_columns
from tests.bots.solver.plain import plain

HALL = hall(1 << 14)


@pytest.mark.parametrize("draw", [1, 3])
def test_follows_the_same_states(draw: int) -> None:
    """Compiled or not, in one go or in slices, the same states are followed in the same order."""
    position = four_columns(6, 5)
    ends = []
    for kernels, slice_of in ((placeless, 10**9), (plain(placeless.__name__), 7)):
        states, weights = pool(4), np.array(WEIGHTS[draw], np.int64)
        prepare(HALL, position, Setting(draw, False, ranks=5))
        HALL.mark[at.SLOTS], HALL.mark[at.NOISE] = len(HALL.seen) - 1, 0
        kernels.abreast.begin(HALL, states, weights)
        while kernels.abreast.follow(HALL, states, 4, weights, slice_of):
            pass
        assert states.counts[STATES] > 20
        ends.append([states.counts.tolist(), states.ways.tolist(), states.marks.tolist()])
    assert ends[0] == ends[1]
