"""Orders of a pack and their ranks."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import Card, pack
from engine.literal import order_of_rank, orders, rank_of_order

SMALL = tuple(map(Card, (0, 1, 1, 2, 2)))


def test_ranks_count_the_orders_of_a_small_pack() -> None:
    """Ranks number the different orders from 0, lexicographically, equal cards not told apart."""
    every = sorted(set(permutations(SMALL)))
    assert orders(SMALL) == len(every) == 30
    assert every == [order_of_rank(rank, SMALL) for rank in range(len(every))]
    assert list(range(len(every))) == [rank_of_order(order) for order in every]


@given(st.sampled_from([pack(), pack(1, 2), pack(2)]).flatmap(st.permutations))
def test_rank_and_order_are_inverse(order: list[Card]) -> None:
    """Each order of a whole pack is found again by its rank."""
    assert tuple(order) == order_of_rank(rank_of_order(order), sorted(order))


@pytest.mark.parametrize("cards", [pack(), pack(1, 1), pack(1, 2), pack(2)], ids=["GO", "J1", "J2", "DS"])
def test_first_and_last_order(cards: tuple[Card, ...]) -> None:
    """The sorted pack has rank 0, the reversed one the last, and there is none after it."""
    ordered = tuple(sorted(cards))
    assert ordered == order_of_rank(0, cards)
    assert ordered[::-1] == order_of_rank(orders(cards) - 1, cards)
    with pytest.raises(ValueError, match="expected a rank below"):
        order_of_rank(orders(cards), cards)
