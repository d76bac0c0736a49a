"""Positions laid out for games of one round."""

from collections import Counter

import numpy as np

from bots.players.double.laid import lay_out
from bots.players.double.sight import look
from bots.players.double.weights import WEIGHTS
from bots.solver.double import one_round
from bots.solver.double.one_round import row as at
from bots.solver.double.playouts.playtable import COLUMNS, Table, table
from engine.double.board import DoubleBoard
from engine.solo import Solo
from tests.bots.solver.plain import plain

CODES = ["DS1-D1VO-AAAAAAH", "DS1-D3VO-AAAAAAJ"]
KERNELS = {"compiled": one_round, "plain": plain(one_round.__name__)}


def cards_of(row: np.ndarray) -> Counter[int]:
    """Count the cards of a position, those on the foundations by their heights."""
    columns = [row[at.TALL * c :][: row[at.HEIGHT + c]].tolist() for c in range(COLUMNS)]
    waste = row[at.WASTE :][: row[at.IN_WASTE]].tolist()
    stock = row[at.STOCK + row[at.DRAWN] : at.STOCK + row[at.IN_STOCK]].tolist()
    up = [place >> 1 << 4 | rank for place in range(8) for rank in range(1, row[at.UP + place] + 1)]
    return Counter([*(card for column in columns for card in column), *waste, *stock, *up])


def laid(solo: Solo) -> tuple[Table, int]:
    """Return a table with a game's position as its root, and how many cards are not seen."""
    board = solo.board
    assert isinstance(board, DoubleBoard)
    mine = table(WEIGHTS[board.rules.draw, board.rules.scoring])
    return mine, lay_out(mine, look(solo.position()), board.rules)
