"""A deal: which card lies where before the first move."""

from __future__ import annotations

from msgspec import Struct

from engine.cards import Card, texts

__all__ = ["Deal"]


class Deal(Struct, frozen=True):
    """A lay-out: columns from the top (buried) card down, the waste, the stock in the order drawn."""

    columns: tuple[tuple[Card, ...], ...]
    waste: tuple[Card, ...]
    stock: tuple[Card, ...]

    @property
    def order(self) -> tuple[Card, ...]:
        """The cards in the order in which they are dealt: column by column, the waste, the stock."""
        return tuple(card for column in self.columns for card in column) + self.waste + self.stock

    def __str__(self) -> str:
        """Print the lay-out as `fairdeal code from` reads it."""
        piles = [*((str(number), column) for number, column in enumerate(self.columns, 1))]
        piles += [("waste", self.waste), ("stock", self.stock)]
        return "\n".join(f"{name}: {' '.join(texts(cards))}".rstrip() for name, cards in piles)
