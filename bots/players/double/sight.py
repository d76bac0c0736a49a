"""What a seat of Double Solitaire sees, as small integers: the only way in which its players read a board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from engine.cards import FACE_DOWN, SUITS, Card, is_red, parse_card, rank_of, suit_of

__all__ = ["KING", "RANK", "ROW", "STRAND", "UNSEEN", "Sight", "look"]

KING: Final = 13
UNSEEN: Final = -1
"""A stock card that the seat has not seen."""
_PACK: Final = tuple(map(Card, range(52)))
RANK: Final = tuple(map(rank_of, _PACK))
"""Card → 1..13."""
STRAND: Final = tuple((rank_of(card) + is_red(card)) % 2 for card in _PACK)
"""Card → 0 or 1. A card and the one it goes onto differ by one in rank and in colour, so a run is of one strand."""
ROW: Final = tuple(2 * suit_of(card) for card in _PACK)
"""Card → the first of the two places of its suit among the eight foundations."""


class Sight(Struct, frozen=True):
    """The face-up cards of each column from the run's first down to the free one, and how many lie face down above."""

    columns: tuple[tuple[int, ...], ...]
    down: tuple[int, ...]
    waste: tuple[int, ...]
    stock: tuple[int, ...]
    """In the order drawn; UNSEEN where the seat has not seen the card."""
    foundations: tuple[int, ...]
    """The heights of the eight places, two a suit."""
    score: int
    moves: int
    legal: tuple[str, ...]

    @property
    def advance(self) -> int:
        """How far the game has come: cards put up, turned up and brought into play, which no useful pass leaves."""
        return sum(self.foundations) - sum(self.down) - len(self.waste) - len(self.stock)


def look(view: Mapping[str, Any]) -> Sight:
    """Read a view of a board of Double Solitaire."""
    down = tuple(view["down"])
    return Sight(
        columns=tuple(
            tuple(map(parse_card, column[under:])) for column, under in zip(view["columns"], down, strict=True)
        ),
        down=down,
        waste=tuple(map(parse_card, view["waste"])),
        stock=tuple(UNSEEN if card == FACE_DOWN else parse_card(card) for card in view["stock_known"]),
        foundations=tuple(height for suit in SUITS for height in view["foundations"][suit]),
        score=view["score"],
        moves=view["moves"],
        legal=tuple(view["legal"]),
    )
