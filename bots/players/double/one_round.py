"""Games of one round, played out by habit to choose among plans: under Vegas scoring."""

from __future__ import annotations

import threading
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bots.player import Budget
from bots.players.double.games import Care, Games
from bots.solver.double.one_round import playout
from bots.solver.double.one_round import row as to
from bots.solver.double.one_round.habits import HABITS
from bots.solver.double.playouts import playtable as at
from bots.solver.double.playouts.packed import card_at, cards_up
from bots.solver.double.playouts.playtable import Floats, Ints, Table

__all__ = ["CARE", "GamesOfOneRound", "row_of"]

CARE: Final = Care(plans=16, games=2000)
"""A game takes so little that more plans can be tried, and in more shuffles: dollars scatter widely."""

_memory = threading.local()


class GamesOfOneRound(Games):
    """The games played out for one decision; what counts in them are points."""

    def __init__(self, table: Table, starts: int, hidden: int, worth: Floats, care: Care, budget: Budget) -> None:
        super().__init__(table, starts, hidden, worth, care, budget)
        self._draw = int(table.mark[at.TURNS])
        self._mine = _memory_for(self._draw)
        self._scores = np.zeros((starts, 1))
        for start in range(starts):
            row = table.starts[at.ROW * start : at.ROW * (start + 1)]
            self._mine.starts[to.ROW * start : to.ROW * (start + 1)] = row_of(table, row, int(table.turns[start]))
            self._scores[start] = row[at.SCORE] - table.mark[at.PAYS_UP] * cards_up(int(row[at.UP]))

    def _play(self, starts: NDArray[np.int64], first: int, last: int) -> None:
        table, pays = self._table, self._table.mark[at.PAYS_UP]
        seed = int(table.mark[at.SEED])
        up = self._results
        playout.value_starts(self._mine, starts, self._draw, table.unseen, self._hidden, seed, up, first, last)
        up[starts, first:last] = self._worth[1] * (self._scores[starts] + pays * up[starts, first:last])
        self.played += len(starts) * (last - first)


def row_of(table: Table, start: Ints, turns: int) -> Ints:
    """Write a start as the games of one round take it: a card turned up or drawn unseen is not known yet."""
    row, mark = np.zeros(to.ROW, np.int64), table.mark
    for c in range(at.COLUMNS):
        down, run = int(table.root_down[c]), int(start[c])
        height = down + (run & 15)
        row[to.TALL * c + down : to.TALL * c + height] = [card_at(run, under) for under in reversed(range(run & 15))]
        row[to.HEIGHT + c], row[to.DOWN + c] = height, down - (turns == c)
    for suit in range(4):
        heights = int(start[at.UP]) >> 8 * suit
        row[to.UP + 2 * suit : to.UP + 2 * suit + 2] = heights & 15, heights >> 4 & 15
    talon, turned = int(start[at.TALON]), int(start[at.TURNED])
    waste = [int(table.dealt[i]) for i in range(turned) if talon >> i & 1]
    stock = [
        int(table.dealt[i]) if i < mark[at.KNOWN] else to.UNSEEN
        for i in range(turned, mark[at.DEALT])
        if talon >> i & 1
    ]
    drawn = min(int(mark[at.TURNS]), len(stock)) if turns == at.DRAWS else 0
    waste, stock = waste + stock[:drawn], stock[drawn:]
    row[to.WASTE : to.WASTE + len(waste)], row[to.STOCK : to.STOCK + len(stock)] = waste, stock
    row[to.IN_WASTE], row[to.IN_STOCK] = len(waste), len(stock)
    return row


def _memory_for(draw: int) -> playout.Memory:
    """Return this thread's memory, made at first use."""
    mine: playout.Memory | None = getattr(_memory, "mine", None)
    if mine is None:
        mine = _memory.mine = playout.memory(draw)
    return mine._replace(habits=HABITS[draw])
