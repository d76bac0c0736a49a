"""Double Solitaire's points, Normal and Vegas (rules.md, "Normal scoring", "Vegas scoring")."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from engine.double.rules import DoubleRules

__all__ = ["POINTS", "RECYCLED", "Points", "after_recycle", "score_text"]


class Points(Struct, frozen=True):
    """What a scoring begins with, and what it pays; all else is 0."""

    start: int
    put_up: int
    """A card put on a foundation."""
    waste_to_column: int
    turned_up: int
    """A face-down card turned up, on top of the move that uncovers it."""


POINTS: Final = {
    "N": Points(start=0, put_up=10, waste_to_column=5, turned_up=5),
    "V": Points(start=-104, put_up=5, waste_to_column=0, turned_up=0),
}
"""Scoring letter → its points; Vegas counts dollars."""
RECYCLED: Final = 100
"""What a recycle costs in Normal scoring; Vegas has none."""


def after_recycle(score: int) -> int:
    """Return the score after a recycle; never below 0."""
    return max(0, score - RECYCLED)


def score_text(rules: DoubleRules, score: int) -> str:
    """Return the score as it is shown: the number, in Vegas `$416`, `$0` or `-$104`."""
    if rules.scoring == "N":
        return str(score)
    return f"-${-score}" if score < 0 else f"${score}"
