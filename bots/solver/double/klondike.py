"""Klondike, one pack, which the engine does not know: the same kernels, checked on rates that others published."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final, Literal

from bots.solver.double.placeless.exhaust import exhaust
from bots.solver.double.places.hunt import Findings, find
from bots.solver.double.position import RANK_BITS, Position, Setting
from bots.solver.golf.search import Limits

__all__ = ["KLONDIKE", "Contradiction", "agreed", "decided", "numbered"]

Verdict = Literal["winnable", "unwinnable", "unknown"]

COLUMNS: Final = 7
KLONDIKE: Final = {"one-pack-d1": Setting(draw=1, packs=1), "one-pack-d3": Setting(draw=3, packs=1)}
"""Its two kinds: one card a draw or three, the waste put back any number of times."""

CHECKED: Final = 2_000
"""States that the search of Double Solitaire gets for a lay-out: enough to decide most."""


def numbered(number: int) -> Position:
    """Deal the lay-out of that number: seven columns of 1 to 7 cards, 24 in the stock."""
    order = [suit << RANK_BITS | rank for suit in range(4) for rank in range(1, 14)]
    Random(f"klondike:{number}").shuffle(order)
    return Position(tuple(_columns(order)), tuple(range(COLUMNS)), tuple(order[28:]))


def _columns(order: list[int]) -> Iterator[tuple[int, ...]]:
    for c in range(COLUMNS):
        first = c * (c + 1) // 2
        yield tuple(order[first : first + c + 1])


def decided(name: str, number: int, limits: Limits) -> Verdict:
    """Decide the lay-out of that number within limits, by the game without places.

    The search that Double Solitaire is solved by looks at it too, for a while. Raises Contradiction where the two
    decide differently.
    """
    position, setting = numbered(number), KLONDIKE[name]
    without_places = exhaust(position, setting, limits)
    return agreed(without_places, find(position, setting, Limits(nodes=CHECKED)))


def agreed(*findings: Findings) -> Verdict:
    """Return what searches have decided, if any has. Raises Contradiction."""
    verdicts: set[Verdict] = {"winnable" if found.won else "unwinnable" for found in findings if not found.limit}
    if len(verdicts) > 1:
        raise Contradiction("expected one verdict of both searches, found two: one of them is wrong")
    return verdicts.pop() if verdicts else "unknown"


class Contradiction(ArithmeticError):
    """Two searches have proved the contrary of each other."""
