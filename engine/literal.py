"""Literal codes: an order of the pack and its rank among all orders, with equal cards not told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import factorial, prod

from engine.cards import Card

__all__ = ["order_of_rank", "orders", "rank_of_order"]


def orders(pack: Iterable[Card]) -> int:
    """Return how many different orders the pack has."""
    left = Counter(pack)
    return factorial(left.total()) // prod(map(factorial, left.values()))


def rank_of_order(order: Sequence[Card]) -> int:
    """Return the rank, from 0, of an order among all orders of its cards, in lexicographic order."""
    left = Counter(order)
    cards = sorted(left)
    # Of `total` orders of what is left, the share that starts with a card is its count over all.
    total, rank = orders(order), 0
    for n, card in zip(range(len(order), 0, -1), order, strict=True):
        rank += total * sum(left[lower] for lower in cards if lower < card) // n
        total = total * left[card] // n
        left[card] -= 1
    return rank


def order_of_rank(rank: int, pack: Iterable[Card]) -> tuple[Card, ...]:
    """Return the order with that rank; the inverse of `rank_of_order`. Raises ValueError past the last order."""
    left = Counter(pack)
    cards = sorted(left)
    total = orders(left.elements())
    if not 0 <= rank < total:
        raise ValueError(f"expected a rank below {total}, found {rank}")
    order = []
    for n in range(left.total(), 0, -1):
        for card in cards:
            share = total * left[card] // n
            if rank < share:
                break
            rank -= share
        order.append(card)
        total = share
        left[card] -= 1
    return tuple(order)
