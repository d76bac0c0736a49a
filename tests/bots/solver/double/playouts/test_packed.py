"""Runs and foundations are packed right."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.players.double.laid import NUMBER, run_of
from bots.players.double.position import place_for
from bots.players.double.position import put_up as put_up_one
from bots.players.double.position import safe as never_missed
from bots.players.double.sight import ROW
from bots.solver.double.playouts import packed


@given(st.integers(0, 2**32 - 1))
def test_heights_go_up_and_back(seed: int) -> None:
    """Cards put up and taken back in any order leave the heights that two places a suit have, and the same is safe."""
    chance, heights, up = Random(seed), (0,) * 8, 0
    for _ in range(60):
        card = chance.randrange(52)
        place = place_for(card, heights)
        assert packed.goes_up(up, NUMBER[card]) == (place is not None)
        assert packed.safe(up, NUMBER[card]) == never_missed(card, heights)
        if place is not None:
            heights, up = put_up_one(heights, place), packed.put_up(up, NUMBER[card])
            pair = heights[ROW[card] : ROW[card] + 2]
            assert packed.cards_up(up) == sum(heights)
            assert (up >> 8 * (NUMBER[card] >> 4)) & 255 == max(pair) | min(pair) << 4
            if chance.random() < 0.3:
                assert packed.put_up(packed.taken_back(up, NUMBER[card]), NUMBER[card]) == up


@pytest.mark.parametrize("cards", [(12,), (12, 24, 10, 35), tuple(range(12, -1, -1))], ids=["one", "four", "thirteen"])
def test_runs_can_be_read_back(cards: tuple[int, ...]) -> None:
    """A run holds its cards, the free one first, and parts of it come off and go on."""
    if len(cards) == 13:
        cards = tuple(card if i % 2 else card + 13 for i, card in enumerate(cards))
    run = run_of(cards)
    numbers = [NUMBER[card] for card in cards]
    assert [packed.card_at(run, under) for under in range(len(cards))] == numbers[::-1]
    for off in range(1, len(cards) + 1):
        assert packed.without(run, off) == run_of(cards[: len(cards) - off])
        if off < len(cards):
            assert packed.joined(packed.without(run, off), run, off) == run
    assert packed.with_card(packed.without(run, 1), numbers[-1]) == run
