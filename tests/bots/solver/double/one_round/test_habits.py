"""Habits see what has been drawn only."""

from random import Random

import pytest

from bots.players.double.one_round import row_of
from bots.solver.double.one_round import row as at
from bots.solver.double.one_round.habits import column_end, from_waste, runs, survey
from bots.solver.double.one_round.playout import memory as memory_for
from bots.solver.double.one_round.playout import place_laid
from bots.solver.double.playouts import playtable
from tests.bots.players.double.test_players import dealt
from tests.bots.solver.double.one_round.positions import CODES, laid


@pytest.mark.parametrize("code", CODES)
def test_knows_no_more_than_the_cards_drawn(code: str) -> None:
    """Up to the next card that was not known, worlds that differ in it alone are played alike: the same first draw."""
    mine, hidden = laid(dealt(code))
    memory, cards = memory_for(mine.mark[playtable.TURNS]), mine.unseen[:hidden].tolist()
    chance, ups = Random(3), set()
    for _ in range(20):
        chance.shuffle(cards)
        mine.unseen[:hidden] = cards
        memory.starts[: at.ROW] = row_of(mine, mine.root, playtable.NOTHING)
        place_laid(memory._replace(laid=mine.unseen), 0)
        row = memory.world
        survey(row)
        row[at.VALUE], row[at.BEST] = 0, at.NOTHING
        from_waste(row, memory.habits)
        for c in range(9):
            column_end(row, memory.habits, c)
            runs(row, memory.habits, c)
        ups.add(tuple(row[at.BEST : at.BEST + 4].tolist()))
    assert len(ups) == 1
