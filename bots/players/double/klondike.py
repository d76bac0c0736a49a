"""Klondike, one pack, whose rates are published: plans are played out as in Double Solitaire, then solved in worlds.

With two packs nearly every world can be won, whatever the plan, so that solving ranks nothing; with one pack it does.
"""

from __future__ import annotations

from itertools import islice
from typing import Final

import numpy as np

from bots.player import Budget
from bots.players.double.games import SURE, Care, Games
from bots.players.double.laid import Within, limit
from bots.players.double.weights import KLONDIKE as WEIGHTS
from bots.solver.double import playout
from bots.solver.double import playtable as at
from bots.solver.double.hunt import find
from bots.solver.double.klondike import KLONDIKE, numbered
from bots.solver.double.playtable import Ints, table
from bots.solver.double.position import RANK_BITS, Position, Setting, colour_of
from bots.solver.double.worlds import Unsure
from bots.solver.golf.search import Limits

__all__ = ["Game", "wins"]

CARE: Final = Care(plans=40)
FOUND: Final = Within(in_round=800, next_round=800, widely=1000)
"""How far it looks for plans to choose from: with one pack many more turn out to matter than with two."""
PLAYED_OUT: Final = Within(in_round=60, next_round=60, widely=100)
LED: Final = 8
"""Plans that are solved in worlds: those that played out best."""
STATES: Final = 500
"""For a plan in a world: most are decided within fewer."""
WORLDS: Final = 16
"""Games played out for each world that the first round looks at."""
SOLVED: Final = Limits(nodes=300_000)
"""For the exact solver, once all cards are known."""
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
            root[c] = playout.with_card(0, NUMBER[column[-1]])
            self.table.root_down[c] = position.down[c]
        root[at.UP], root[at.TALON] = FULL, (1 << len(stock)) - 1
        self.table.dealt[: len(stock)] = [NUMBER[card] for card in stock]
        mark[at.TURNS], mark[at.RECYCLES], mark[at.ONE_PACK] = setting.draw, 1, 1
        mark[at.WIDTH], mark[at.COVERED] = len(position.columns), sum(position.down)
        mark[at.DEALT] = mark[at.KNOWN] = len(stock)

    def choose(self, nodes: int) -> int | None:
        """Choose among plans by games played out over shuffles of the cards face down, so many; None without a plan.

        Those that did best are solved in worlds: the better half goes on to the next round, of twice as many.
        """
        mine = self.table
        hidden = sorted(NUMBER[card] for column in self.covered for card in column)
        mine.unseen[: len(hidden)] = hidden
        seed = (self._seed * 0x9E3779B97F4A7C15 + self._decision * 0xBF58476D1CE4E5B9) & (at.KEYS >> 1)
        mine.mark[at.SEED] = seed
        limit(mine, FOUND)
        plans = playout.set_out_widely(mine, CARE.plans) or playout.set_out(mine, CARE.plans)
        if plans < 2:
            return 0 if plans else None
        limit(mine, PLAYED_OUT)
        games = Games(mine, plans, len(hidden), WORTH, CARE, Budget(nodes=nodes))
        best, note = games.best()
        if note == SURE:
            return best
        return self._won_most(games.leaders(LED), [CARD[card] for card in hidden], max(1, nodes // WORLDS), seed)

    def _won_most(self, plans: list[int], hidden: list[int], worlds: int, seed: int) -> int:
        """Return the plan that is won in most worlds, of equals the first; so many are for the first round."""
        chance, cards = np.random.default_rng(seed), np.array(hidden)
        after = {plan: self._after(plan, hidden) for plan in plans}
        won, looked_at = dict.fromkeys(plans, 0), 0
        # Plans that win everywhere, or nowhere, need no further rounds.
        while len(plans) > 1 and not (looked_at and {won[plan] for plan in plans} in ({0}, {looked_at})):
            for _ in range(worlds):
                world = chance.permutation(cards)
                for plan in plans:
                    won[plan] += after[plan].won(world, STATES)
            looked_at += worlds
            worlds *= 2
            plans = sorted(plans, key=lambda plan: -won[plan])[: (len(plans) + 1) // 2]
        return plans[0]

    def follow(self, plan: int) -> None:
        """Follow a plan to its end; the card that it uncovers is turned up."""
        mine = self.table
        mine.root[:] = mine.starts[at.ROW * plan : at.ROW * (plan + 1)]
        turned = int(mine.turns[plan])
        if turned != at.NOTHING:
            mine.root[turned] = playout.with_card(0, NUMBER[self.covered[turned].pop()])
            mine.root_down[turned] -= 1
            mine.mark[at.COVERED] -= 1
        self._decision += 1

    def position(self) -> Position:
        """Return the position as the search takes it."""
        return self._position(self.table.root, self.covered, [len(column) for column in self.covered])

    def _after(self, plan: int, hidden: list[int]) -> Unsure:
        """Return what a plan leads to, to be looked at in worlds of the cards face down."""
        mine, cards = self.table, iter(hidden)
        covered = [list(islice(cards, len(column))) for column in self.covered]
        down = [len(column) for column in covered]
        if (turned := int(mine.turns[plan])) != at.NOTHING:
            down[turned] -= 1
        position = self._position(mine.starts[at.ROW * plan : at.ROW * (plan + 1)], covered, down)
        return Unsure(position, self.setting, [len(column) for column in covered])

    def _position(self, row: Ints, covered: list[list[int]], down: list[int]) -> Position:
        talon, turned = int(row[at.TALON]), int(row[at.TURNED])
        columns = (
            (*cards, *(CARD[playout.card_at(run, under)] for under in reversed(range(run & 15))))
            for cards, run in zip(covered, map(int, row), strict=False)
        )
        dealt = self.table.dealt[: self.table.mark[at.DEALT]]
        return Position(
            columns=tuple(columns),
            down=tuple(down),
            reserve=tuple(CARD[int(card)] for i, card in enumerate(dealt) if talon >> i & 1),
            turned=(talon & (1 << turned) - 1).bit_count(),
        )
