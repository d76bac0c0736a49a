"""Deals that the app's own pages print: their codes must deal exactly these cards."""

from __future__ import annotations

from engine.cards import Card, parse_cards

__all__ = ["PUBLISHED"]

PUBLISHED: dict[tuple[str, int, str], tuple[Card, ...]] = {
    # Columns, waste and the first stock card are printed in the rules of Golf. Of the other fifteen stock cards
    # only the set is known; this order agrees with all that the pages say about that game.
    ("GO", 1, "AAAAAAB"): parse_cards(
        """
        6C 5S QS 10S 6H
        2S KC 4S 2C 8C
        10C AH 2D 5D JS
        3D QH AS KD 4C
        JH 3C 7D 8H 9C
        10H 4H 7H 7C 8D
        3S 7S 3H 9S 5C
        AC
        8S 4D KS 5H QC 9H JC 6S 6D AD 2H JD QD KH 10D 9D
        """
    ),
}
"""Game, version and number → the cards in the order dealt."""
