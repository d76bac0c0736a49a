"""Positions some of whose cards are not known, looked at in one world after another: each a way these cards may lie."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bots.solver.double import room as at
from bots.solver.double import search
from bots.solver.double.hunt import memory, prepare
from bots.solver.double.position import Position, Setting
from bots.solver.double.room import Int64, Room

__all__ = ["SureIn"]

SLOTS = 2048
"""Of the table of states: few are looked at, and what stays in a processor's cache is fast."""


class SureIn:
    """A position whose columns begin with so many cards that are not known; it is made ready once for all worlds.

    What lies there in `position` does not matter, as long as the same cards are not known.
    """

    def __init__(self, position: Position, setting: Setting, unknown: Sequence[int]) -> None:
        self._room = memory()
        prepare(self._room, position, setting)
        self._places = np.array([at.TALL * c + i for c, many in enumerate(unknown) for i in range(many)], np.int64)
        self._was = [(array, array.copy()) for array in _changing(self._room)]

    def won(self, cards: Int64, states: int) -> bool:
        """Tell whether a hunt through so many states wins with these cards in the unknown places, column by column."""
        mark = self._room.mark
        turn = mark[at.ROUND]
        for array, was in self._was:
            array[:] = was
        mark[at.ROUND], mark[at.SLOTS], mark[at.WHOLE], mark[at.NOISE] = turn, SLOTS - 1, 0, 0
        search.lay_anew(self._room, self._places, cards)
        search.next_round(self._room)
        search.search(self._room, states)
        return bool(mark[at.STATUS] == at.WON)


def _changing(room: Room) -> list[Int64]:
    """Return what differs from position to position, or changes in a search and is not set anew before it is read."""
    stock = [room.held, room.reserve, room.dealt, room.dealt_key]
    return [room.cards, room.height, room.down, room.key, room.up, *stock, room.mark]
