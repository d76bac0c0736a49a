"""A plan of Golf: words to be played one after the other, as long as each leads where it should."""

from __future__ import annotations

from collections.abc import Sequence

from bots.players.sight import Sight

__all__ = ["Plan"]


class Plan:
    """The words still to be played, and how the board must stand for the next of them; without any at first."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._before: tuple[list[int], int] | None = None

    def make(self, words: Sequence[str]) -> None:
        """Plan anew, from the position of the next call on."""
        self._words, self._before = list(words), None

    def follows(self, sight: Sight) -> bool:
        """Tell whether the next word may be played: not after an undo, nor where it has turned out to be illegal."""
        return (
            bool(self._words) and self._words[0] in sight.legal and self._before in (None, (sight.heights, sight.stock))
        )

    def next(self, sight: Sight) -> str:
        """Take the next word."""
        word = self._words.pop(0)
        heights, stock = sight.heights, sight.stock
        if word == "d":
            stock -= 1
        else:
            heights[int(word) - 1] -= 1
        self._before = heights, stock
        return word
