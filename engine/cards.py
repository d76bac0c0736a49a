"""Playing cards as small integers, and their text form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NewType, TypedDict

__all__ = [
    "FACE_DOWN",
    "JOKERS",
    "RANKS",
    "SUITS",
    "Card",
    "CardError",
    "Turned",
    "card_text",
    "is_red",
    "pack",
    "parse_card",
    "parse_cards",
    "rank_of",
    "suit_of",
    "texts",
]

Card = NewType("Card", int)
"""`suit * 13 + rank - 1` with suits ♠♥♦♣ = 0..3, so 0..51; the jokers are 52 and 53.
The two equal cards of a double pack are the same integer: nothing tells them apart."""

SUITS = "SHDC"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
JOKERS = (Card(52), Card(53))
FACE_DOWN = "--"
"""The text of a card that the viewer may not see."""

_TEXTS = (*(rank + suit for suit in SUITS for rank in RANKS), "*1", "*2")
_CARDS = {text: Card(card) for card, text in enumerate(_TEXTS)}
_CARDS |= {"T" + suit: _CARDS["10" + suit] for suit in SUITS}


class Turned(TypedDict):
    """A card that was turned face up and the pile on which it lies, as they are told: the waste, or a column `t3`."""

    pile: str
    card: str


class CardError(ValueError):
    """A text that names no card."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(f"expected a card such as AS, 10H, KC or *1, found {text!r}")


def rank_of(card: Card) -> int:
    """Return 1 (ace) to 13 (king), or 0 for a joker."""
    return card % 13 + 1 if card < 52 else 0


def suit_of(card: Card) -> int:
    """Return 0..3 for ♠♥♦♣; meaningless for a joker."""
    return card // 13


def is_red(card: Card) -> bool:
    """Tell hearts and diamonds from spades and clubs."""
    return 13 <= card < 39


def card_text(card: Card) -> str:
    """Return rank and suit letter: `AS`, `10H`, `KC`, `*1`."""
    return _TEXTS[card]


def texts(cards: Iterable[Card]) -> list[str]:
    """Return the texts of several cards."""
    return [_TEXTS[card] for card in cards]


def parse_card(text: str) -> Card:
    """Read `AS`, `10H`, `TH`, `kc` or `*1`; the inverse of `card_text`. Raises CardError."""
    try:
        return _CARDS[text.upper()]
    except KeyError:
        raise CardError(text) from None


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by white space or commas. Raises CardError."""
    return tuple(parse_card(word) for word in text.replace(",", " ").split())


def pack(packs: int = 1, jokers: int = 0) -> tuple[Card, ...]:
    """Return the unshuffled pack: ♠♥♦♣ each A..K, once for each pack, then the jokers."""
    return tuple(map(Card, range(52))) * packs + JOKERS[:jokers]
