"""Worlds: a position with other cards in the unknown places is the position that has them from the start."""

from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from bots.solver.double import placeless as game
from bots.solver.double import room as at
from bots.solver.double.exhaust import memory, prepare
from bots.solver.double.klondike import KLONDIKE, numbered
from bots.solver.double.position import RANK_BITS, Position
from bots.solver.double.worlds import Unsure

SETTING = KLONDIKE["one-pack-d3"]
STATES = 300


def with_cards(position: Position, unknown: tuple[int, ...], cards: list[int]) -> Position:
    """Return a position with these cards in the unknown places, column by column."""
    laid = iter(cards)
    columns = tuple(
        (*(next(laid) for _ in range(many)), *column[many:])
        for column, many in zip(position.columns, unknown, strict=True)
    )
    return replace(position, columns=columns)


@pytest.mark.parametrize("number", range(2, 6))
@pytest.mark.parametrize("turned", range(0, 7, 3))
def test_a_world_is_the_position_with_its_cards(number: int, turned: int) -> None:
    """It has the same key, and is won in as many states, whatever was looked at before, kings turned up included.

    One column's free card is not known either, as after a plan that turns it up.
    """
    mine, position, chance = memory(), numbered(number), Random(number)
    unknown = tuple(down + (c == turned) for c, down in enumerate(position.down))
    cards = [card for column, many in zip(position.columns, unknown, strict=True) for card in column[:many]]
    unsure = Unsure(position, SETTING, unknown)
    for _ in range(8):
        chance.shuffle(cards)
        won = unsure.won(np.array(cards), STATES)
        found = [int(mine.mark[mark]) for mark in (at.STATUS, at.NODES, at.KEY, at.UP)]
        prepare(mine, with_cards(position, unknown, cards), SETTING)
        game.search(mine, STATES)
        assert [int(mine.mark[mark]) for mark in (at.STATUS, at.NODES, at.KEY, at.UP)] == found
        assert won == (found[0] == at.WON)


def test_a_king_turned_up_begins_a_column() -> None:
    """Whether it is there when the position is made ready or comes in a world, the next king has its place."""
    king, queen = 13, 2 << RANK_BITS | 12
    position = Position(((king,), (queen,)), (0, 0), ())
    for order in ((king, queen), (queen, king)):
        unsure = Unsure(with_cards(position, (1, 1), list(order)), SETTING, (1, 1))
        for cards in ((king, queen), (queen, king)):
            unsure.won(np.array(cards), 1)
            found = memory().now[game.SHOWN : game.UPS].tolist()
            prepare(memory(), with_cards(position, (1, 1), list(cards)), SETTING)
            assert memory().now[game.SHOWN : game.UPS].tolist() == found
