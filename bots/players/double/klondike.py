"""Klondike, one pack, played as the solver plays Double Solitaire: to check the method where rates are published."""

from __future__ import annotations

from typing import Final

import numpy as np

from bots.player import Budget
from bots.players.double.games import Care, Games
from bots.players.double.laid import Within, limit
from bots.players.double.weights import KLONDIKE as WEIGHTS
from bots.solver.double.klondike import KLONDIKE, numbered
from bots.solver.double.places.hunt import find
from bots.solver.double.playouts import playout
from bots.solver.double.playouts import playtable as at
from bots.solver.double.playouts.packed import card_at, with_card
from bots.solver.double.playouts.playtable import table
from bots.solver.double.position import RANK_BITS, Position, Setting, colour_of
from bots.solver.golf.search import Limits

__all__ = ["Game", "wins"]

CARE: Final = Care(plans=6, first_look=0)
"""The cheapest plans are enough to choose from: with more it wins no more."""
FOUND: Final = Within(in_round=0, next_round=0, widely=400)
"""How far it looks for plans to choose from: recycles are free, so each search is a wide one."""
PLAYED_OUT: Final = Within(in_round=0, next_round=0, widely=200)
SOLVED: Final = Limits(nodes=300_000)
WORTH: Final = np.array([1.0, 0.0, 0.0, 0.002])
"""Of a win, and off for a card still face down."""
FULL: Final = sum(13 << 8 * suit for suit in range(4))
"""The foundations of the pack that is not there."""
NUMBER: Final = {
    suit << RANK_BITS | rank: rank | colour_of(suit << RANK_BITS) << 4 | (suit > 1) << 5
    for suit in range(4)
    for rank in range(1, 14)
}
"""Card of the search → as play-outs write it."""
CARD: Final = {number: card for card, number in NUMBER.items()}


def wins(name: str, number: int, nodes: int) -> bool:
    """Play the deal of that number with so many games played out for a decision; tells whether it is won."""
    game = Game(numbered(number), KLONDIKE[name], number)
    while game.table.mark[at.COVERED]:
        plan = game.choose(nodes)
        if plan is None:
            return False
        game.follow(plan)
    return find(game.position(), game.setting, SOLVED).won


class Game:
    """A game in play: what is known is in the table, what lies face down beside it, until it is turned up.

    Any number of rounds costs nothing, so the whole stock has been looked through and taken up again at its beginning.
    Once no card is hidden the exact solver tells whether it is won.
    """

    def __init__(self, position: Position, setting: Setting, seed: int) -> None:
        self.table, self.setting = table(WEIGHTS), setting
        self.covered = [list(column[:down]) for column, down in zip(position.columns, position.down, strict=True)]
        self._seed, self._decision = seed, 0
        root, mark, stock = self.table.root, self.table.mark, position.reserve
        for c, column in enumerate(position.columns):
            root[c] = with_card(0, NUMBER[column[-1]])
            self.table.root_down[c] = position.down[c]
        root[at.UP], root[at.TALON] = FULL, (1 << len(stock)) - 1
        self.table.dealt[: len(stock)] = [NUMBER[card] for card in stock]
        mark[at.TURNS], mark[at.RECYCLES], mark[at.AT_ONCE], mark[at.ONE_PACK] = setting.draw, 1, 1, 1
        mark[at.WIDTH], mark[at.COVERED] = len(position.columns), sum(position.down)
        mark[at.DEALT] = mark[at.KNOWN] = len(stock)

    def choose(self, nodes: int) -> int | None:
        """Choose among plans by games played out over shuffles of the cards face down; None where there is no plan."""
        mine = self.table
        hidden = sorted(NUMBER[card] for column in self.covered for card in column)
        mine.unseen[: len(hidden)] = hidden
        mine.mark[at.SEED] = (self._seed * 0x9E3779B97F4A7C15 + self._decision * 0xBF58476D1CE4E5B9) & (at.KEYS >> 1)
        limit(mine, FOUND)
        plans = playout.set_out(mine, CARE.plans)
        if plans < 2:
            return 0 if plans else None
        limit(mine, PLAYED_OUT)
        return Games(mine, plans, len(hidden), WORTH, CARE, Budget(nodes=nodes)).best()[0]

    def follow(self, plan: int) -> None:
        """Follow a plan to its end; the card that it uncovers is turned up."""
        mine = self.table
        mine.root[:] = mine.starts[at.ROW * plan : at.ROW * (plan + 1)]
        turned = int(mine.turns[plan])
        if turned != at.NOTHING:
            mine.root[turned] = with_card(0, NUMBER[self.covered[turned].pop()])
            mine.root_down[turned] -= 1
            mine.mark[at.COVERED] -= 1
        self._decision += 1

    def position(self) -> Position:
        """Return the position as the search takes it."""
        mine, width = self.table, int(self.table.mark[at.WIDTH])
        talon, turned = int(mine.root[at.TALON]), int(mine.root[at.TURNED])
        columns = (
            (*covered, *(CARD[card_at(run, under)] for under in reversed(range(run & 15))))
            for covered, run in zip(self.covered, map(int, mine.root[:width]), strict=True)
        )
        return Position(
            columns=tuple(columns),
            down=tuple(map(len, self.covered)),
            reserve=tuple(
                CARD[int(card)] for i, card in enumerate(mine.dealt[: mine.mark[at.DEALT]]) if talon >> i & 1
            ),
            turned=(talon & (1 << turned) - 1).bit_count(),
        )
