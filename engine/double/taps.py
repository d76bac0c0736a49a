"""Where a tap and a double tap lead, in words, so that a page needs no rules (rules.md, "Nothing is automatic")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.double.board import DoubleBoard

__all__ = ["taps"]

_TAPPED = {"w": "waste"}


def taps(board: DoubleBoard, legal: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return `{"taps": {pile: word}, "double_taps": {pile: word}}` for the piles where a tap does something.

    Piles are `stock`, `waste` and the columns `t1`…`t9`; `legal` is `board.legal()`. A tap on the stock draws or, where
    that can be done, recycles; one on a top card sends it to its foundation. Only where a tap does nothing do two look
    for a place on the tableau: the column of most cards, the leftmost of equals, so for a king the leftmost empty one.
    A tap never takes a card from a foundation.
    """
    once: dict[str, str] = {}
    twice: dict[str, str] = {}
    for word in legal:
        source, _, target = word.partition("-")
        pile = _TAPPED.get(source, source)
        if not target:
            once["stock"] = word
        elif target == "f":
            once[pile] = word
        elif source[0] != "f" and "x" not in target:
            best = twice.get(pile)
            if best is None or _height(board, word) > _height(board, best):
                twice[pile] = word
    return {"taps": once, "double_taps": {pile: word for pile, word in twice.items() if pile not in once}}


def _height(board: DoubleBoard, word: str) -> int:
    """Return how many cards lie on the column that a word moves a card to."""
    return len(board.columns[int(word[-1]) - 1])
