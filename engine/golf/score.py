"""Golf's points (rules.md, "Score")."""

from __future__ import annotations

from typing import Final

__all__ = ["REMOVED", "STUCK_PER_CARD", "when_stuck"]

REMOVED: Final = 10
"""Points for a card removed from the tableau."""
STUCK_PER_CARD: Final = 10
"""Points that each card left in the tableau costs when the game gets stuck."""


def when_stuck(score: int, left: int) -> int:
    """Return the score once stuck with `left` cards in the tableau; never below 0."""
    return max(0, score - STUCK_PER_CARD * left)
