"""Klondike as it is played to check the method: nothing is peeked at, no card is lost, what is won can be won."""

from collections import Counter
from random import Random

import pytest

from bots.players.double.klondike import CARD, FOUND, Game, wins
from bots.players.double.laid import limit, way_to
from bots.solver.double.klondike import KLONDIKE, decided, numbered
from bots.solver.double.places.hunt import find
from bots.solver.double.playouts import playtable as at
from bots.solver.double.playouts.playout import set_out
from bots.solver.golf.search import Limits

SETTING = KLONDIKE["one-pack-d3"]
NODES = 16


@pytest.mark.parametrize("number", [5, 6])
def test_does_not_see_hidden_cards(number: int) -> None:
    """At every decision a game whose face-down cards lie otherwise chooses the same plan."""
    game, chance = Game(numbered(number), SETTING, number), Random(number)
    decisions = 0
    while game.table.mark[at.COVERED]:
        plan, kept = game.choose(NODES), [list(column) for column in game.covered]
        cards = [card for column in kept for card in column]
        chance.shuffle(cards)
        game.covered = [[cards.pop() for _ in column] for column in kept]
        assert game.choose(NODES) == plan
        game.covered = kept
        if plan is None:
            break
        game.follow(plan)
        decisions += 1
    assert decisions > 5


def test_keeps_every_card() -> None:
    """After each plan columns, stock and foundations hold the pack, each card once, and a won game was winnable."""
    game = Game(numbered(5), SETTING, 5)
    assert game.position() == numbered(5)
    while game.table.mark[at.COVERED] and (plan := game.choose(NODES)) is not None:
        game.follow(plan)
        position, up = game.position(), int(game.table.root[at.UP])
        cards = Counter([*position.reserve, *(card for column in position.columns for card in column)])
        heights = {suit: (up >> 8 * suit + 4) & 15 for suit in range(4)}
        cards.update(card for number, card in CARD.items() if number & 15 <= heights[number >> 4])
        assert set(cards.values()) == {1}
        assert len(cards) == 52


def test_takes_up_the_waste_whenever_that_helps() -> None:
    """Recycles are free: plans with one are found beside those of this round, not only once these have run out."""
    game, both = Game(numbered(5), SETTING, 5), 0
    limit(game.table, FOUND)
    while found := set_out(game.table, 8):
        recycled = {any(step >> 24 & 1 for _, step in way_to(game.table, start)) for start in range(found)}
        both += recycled == {False, True}
        game.follow(0)
    assert both > 1


def test_wins_nothing_that_cannot_be_won() -> None:
    """Of these deals it wins some, always the same ones, and none that the search has proved lost."""
    won = [number for number in range(2, 22) if wins("one-pack-d3", number, NODES)]
    assert won
    assert won[0] == next(number for number in range(2, 22) if wins("one-pack-d3", number, NODES))
    for number in won:
        assert decided("one-pack-d3", number, Limits(nodes=20_000)) != "unwinnable"
    position = numbered(won[0])
    assert find(position, SETTING, Limits(nodes=300_000)).won
