"""Klondike, one pack, which the engine does not know: the same kernels, checked on rates that others published."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final, Literal

from bots.solver.double.hunt import find
from bots.solver.double.position import RANK_BITS, Position, Setting
from bots.solver.golf.search import Limits

__all__ = ["KLONDIKE", "decided", "numbered"]

COLUMNS: Final = 7
KLONDIKE: Final = {"one-pack-d1": Setting(draw=1, packs=1), "one-pack-d3": Setting(draw=3, packs=1)}
"""Its two kinds: one card a draw or three, the waste put back any number of times."""


def numbered(number: int) -> Position:
    """Deal the lay-out of that number: seven columns of 1 to 7 cards, 24 in the stock."""
    order = [suit << RANK_BITS | rank for suit in range(4) for rank in range(1, 14)]
    Random(f"klondike:{number}").shuffle(order)
    return Position(tuple(_columns(order)), tuple(range(COLUMNS)), tuple(order[28:]))


def _columns(order: list[int]) -> Iterator[tuple[int, ...]]:
    for c in range(COLUMNS):
        first = c * (c + 1) // 2
        yield tuple(order[first : first + c + 1])


def decided(name: str, number: int, limits: Limits) -> Literal["winnable", "unwinnable", "unknown"]:
    """Decide the lay-out of that number within limits."""
    found = find(numbered(number), KLONDIKE[name], limits)
    return "winnable" if found.won else "unknown" if found.limit else "unwinnable"
