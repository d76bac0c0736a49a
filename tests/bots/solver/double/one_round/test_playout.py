"""Games of one round: no card is lost, what can be done is done, and the kernels are what was written."""

import numpy as np
import pytest

from bots.players.double.one_round import row_of
from bots.solver.double.one_round import row as at
from bots.solver.double.playouts import playtable
from tests.bots.players.double.test_players import dealt, play, player
from tests.bots.solver.double.one_round.positions import CODES, KERNELS, cards_of, laid
from tests.bots.solver.double.playouts.positions import games_of


@pytest.mark.parametrize("code", CODES)
def test_plays_on_until_nothing_is_left_to_do(code: str) -> None:
    """Every card is there at the end, the stock is drawn, no card can go up, and compiled comes to what was written."""
    for solo in games_of(code, 30):
        mine, hidden = laid(solo)
        ups = []
        for kernels in KERNELS.values():
            memory = kernels.playout.memory(mine.mark[playtable.TURNS])
            memory.starts[: at.ROW] = row_of(mine, mine.root, playtable.NOTHING)
            results = np.zeros((1, 3))
            kernels.playout.value_starts(
                memory, np.array([0]), int(mine.mark[playtable.TURNS]), mine.unseen, hidden, 5, results, 0, 3
            )
            ups.append(results.tolist())
            row = memory.world
            assert set(cards_of(row).values()) == {2}
            assert row[at.DRAWN] == row[at.IN_STOCK]
            assert results[0, 2] == row[at.UP : at.WASTE].sum()
            ends = [row[at.TALL * c + row[at.HEIGHT + c] - 1] for c in range(9) if row[at.HEIGHT + c]]
            waste = row[at.WASTE :][: row[at.IN_WASTE]].tolist()[-1:]
            assert not any(at.goes_up(row, card) for card in [*ends, *waste])
        assert ups[0] == ups[1]


def test_makes_more_dollars_than_the_steady_player() -> None:
    """Over a few deals choosing by such games comes to more than the cheapest plans do."""
    codes = [f"DS1-D1VO-AAAAAA{letter}" for letter in "CDEFGH"]
    dollars = {
        name: sum(play(player(name, one), dealt(one), nodes=200)[0].board.score for one in codes)
        for name in ("solver", "steady")
    }
    assert dollars["solver"] > dollars["steady"]
