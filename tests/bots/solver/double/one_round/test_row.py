"""A position of a game of one round holds what the seat sees."""

import numpy as np
import pytest

from bots.players.double.laid import NUMBER
from bots.players.double.one_round import row_of
from bots.players.double.sight import look
from bots.solver.double.one_round import row as at
from bots.solver.double.playouts import playtable
from tests.bots.solver.double.one_round.positions import CODES, cards_of, laid
from tests.bots.solver.double.playouts.positions import games_of


@pytest.mark.parametrize("code", CODES)
def test_writes_what_the_seat_sees(code: str) -> None:
    """A position holds the cards in sight where they lie, and as many unknown ones as are not seen."""
    for solo in games_of(code, 12):
        mine, hidden = laid(solo)
        row = row_of(mine, mine.root, playtable.NOTHING)
        sight, cards = look(solo.position()), cards_of(row)
        assert cards.pop(at.UNSEEN, 0) == hidden
        assert sum(cards.values()) == 104 - hidden
        assert row[at.WASTE :][: row[at.IN_WASTE]].tolist() == [NUMBER[card] for card in sight.waste]
        for c, run in enumerate(sight.columns):
            assert row[at.DOWN + c] == sight.down[c]
            shown = row[at.TALL * c + sight.down[c] :][: len(run)].tolist()
            assert shown == [NUMBER[card] for card in run]
        drawn = row_of(mine, mine.root, playtable.DRAWS)
        more = drawn[at.IN_WASTE] - row[at.IN_WASTE]
        assert more == min(solo.board.rules.draw, len(sight.stock))  # type: ignore[union-attr]
        assert row[at.IN_STOCK] - drawn[at.IN_STOCK] == more


def test_heights_go_up_in_either_place() -> None:
    """A card goes to whichever place of its suit ends just below it."""
    row = np.zeros(at.WORLD, np.int64)
    assert not at.goes_up(row, 2)
    for card in (1, 2, 1, 2, 3):
        assert at.goes_up(row, card)
        at.put_up(row, card)
    assert sorted(row[at.UP : at.UP + 2].tolist()) == [2, 3]
