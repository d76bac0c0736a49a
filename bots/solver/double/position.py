"""A position of Double Solitaire, or of a smaller game with the same moves, as the kernels take it."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

__all__ = ["RANK_BITS", "Position", "Setting", "colour_of"]

RANK_BITS: Final = 4
"""A card is `suit << RANK_BITS | rank`, suits ♠♥♦♣ = 0..3, ranks from 1: its two equals are one number."""


class Setting(Struct, frozen=True):
    """How large the pack is, and how the stock is gone through. The game itself is `Setting()` with `draw` 1 or 3.

    The smaller ones are for checking: one pack (with 7 columns it is Klondike), fewer suits or ranks.
    """

    draw: int = 1
    recycles: bool = True
    """Whether the waste may be put back as the stock, any number of times."""
    packs: int = 2
    suits: int = 4
    ranks: int = 13

    @property
    def cards(self) -> int:
        """How many cards a whole pack of this game has: all of them up is a win."""
        return self.packs * self.suits * self.ranks


class Position(Struct, frozen=True):
    """Where the cards lie; all others are on the foundations.

    Columns run from the covered card down to the free one, the first `down` of each face down. `reserve` is the waste
    from its bottom card up, then the stock in the order drawn; its first `turned` cards are the waste.
    """

    columns: tuple[tuple[int, ...], ...]
    down: tuple[int, ...]
    reserve: tuple[int, ...]
    turned: int = 0


def colour_of(card: int) -> int:
    """Return 1 for hearts and diamonds, 0 for spades and clubs."""
    return 1 if card >> RANK_BITS in (1, 2) else 0
