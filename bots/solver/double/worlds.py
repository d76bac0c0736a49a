"""Positions some of whose cards are not known, looked at in one world after another: each a way these cards may lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from bots.solver.double import hall as stands
from bots.solver.double import placeless as game
from bots.solver.double import room as at
from bots.solver.double.exhaust import memory, prepare
from bots.solver.double.position import Position, Setting
from bots.solver.double.room import Int64

__all__ = ["Unsure"]

SLOTS: Final = 1 << 12
"""Of the table of states: few are looked at, and what stays in a processor's cache is fast."""


class Unsure:
    """A position whose columns begin with so many cards that are not known; it is made ready once for all worlds.

    What lies there in `position` makes no difference, as long as it is the same cards.
    """

    def __init__(self, position: Position, setting: Setting, unknown: Sequence[int]) -> None:
        self._hall = hall = memory()
        prepare(hall, position, setting)
        places = [at.TALL * c + i for c, many in enumerate(unknown) for i in range(many)]
        self._places = stands.DEALT + np.array(places, np.int64)
        # A column none of whose cards is known is turned up in each world anew.
        self._heights = {c: many for c, many in enumerate(unknown) if many and many == len(position.columns[c])}
        for c, many in self._heights.items():
            base = position.columns[c][-1]
            if hall.now[stands.LEFT + c] == 0:
                game.add_loose(hall, base, -1)
            game.take_base(hall, c)
            hall.now[stands.LEFT + c] = many
        self._now, self._mark = hall.now.copy(), hall.mark.copy()
        self._stock_keys = hall.key[stands.STOCK_KEY :].copy()

    def won(self, cards: Int64, states: int) -> bool:
        """Tell whether a search through so many states wins with these cards in the unknown places, by columns."""
        hall, mark = self._hall, self._hall.mark
        turn = mark[at.ROUND]
        hall.now[:], mark[:], hall.key[stands.STOCK_KEY :] = self._now, self._mark, self._stock_keys
        mark[at.ROUND], mark[at.SLOTS], mark[at.NOISE] = turn, SLOTS - 1, 0
        hall.now[self._places] = cards
        for c in self._heights:
            game.add_base(hall, c)
        mark[at.KEY] = game.whole_key(hall)
        game.next_round(hall)
        game.search(hall, states)
        return bool(mark[at.STATUS] == at.WON)
