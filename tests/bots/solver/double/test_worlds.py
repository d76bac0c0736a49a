"""Worlds: a position with other cards in the unknown places is the position that has them from the start."""

from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from bots.solver.double import room as at
from bots.solver.double import search
from bots.solver.double.hunt import memory, prepare
from bots.solver.double.klondike import KLONDIKE, numbered
from bots.solver.double.position import Position
from bots.solver.double.worlds import SureIn

SETTING = KLONDIKE["one-pack-d3"]
STATES = 300


def with_covered(position: Position, cards: list[int]) -> Position:
    """Return a position with these cards face down, column by column."""
    covered = iter(cards)
    columns = tuple(
        (*(next(covered) for _ in range(down)), *column[down:])
        for column, down in zip(position.columns, position.down, strict=True)
    )
    return replace(position, columns=columns)


@pytest.mark.parametrize("number", range(2, 8))
def test_a_world_is_the_position_with_its_cards(number: int) -> None:
    """It has the same key, and is won in as many states, whatever was looked at before."""
    mine, position, chance = memory(), numbered(number), Random(number)
    cards = [card for column, down in zip(position.columns, position.down, strict=True) for card in column[:down]]
    unsure = SureIn(position, SETTING, position.down)
    for _ in range(4):
        chance.shuffle(cards)
        won = unsure.won(np.array(cards), STATES)
        found = [int(mine.mark[mark]) for mark in (at.STATUS, at.NODES, at.KEY, at.UP)]
        prepare(mine, with_covered(position, cards), SETTING)
        mine.mark[at.WHOLE] = mine.mark[at.NOISE] = 0
        search.search(mine, STATES)
        assert [int(mine.mark[mark]) for mark in (at.STATUS, at.NODES, at.KEY, at.UP)] == found
        assert won == (found[0] == at.WON)
