"""What a Golf seat sees, as ranks: the only way in which a player reads a board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from bots.solver.golf.position import EMPTY
from engine.cards import FACE_DOWN, parse_card, rank_of, texts
from engine.golf.rules import GolfRules


class Sight(Struct, frozen=True):
    """Columns from the buried card down, the waste's rank, what is known of the stock and what is not."""

    columns: tuple[tuple[int, ...], ...]
    waste: int
    known: tuple[int, ...]
    """The stock cards that will be drawn next, as far as the seat has seen them."""
    unseen: tuple[int, ...]
    """The ranks of the other stock cards, sorted: nobody in the seat knows more about them."""
    legal: tuple[str, ...]

    @property
    def heights(self) -> list[int]:
        """How many cards each column has."""
        return [len(column) for column in self.columns]

    @property
    def stock(self) -> int:
        """How many cards the stock has."""
        return len(self.known) + len(self.unseen)


def look(view: Mapping[str, Any], rules: GolfRules) -> Sight:
    """Read a view of a Golf board. The unseen cards are the pack less all that lies open."""
    known = view["stock_known"][: _first_unknown(view["stock_known"])]
    unseen = Counter(texts(rules.pack))
    unseen.subtract(card for column in view["columns"] for card in column)
    unseen.subtract(view["waste"])
    unseen.subtract(known)
    return Sight(
        columns=tuple(tuple(map(_rank, column)) for column in view["columns"]),
        waste=_rank(view["waste"][-1]) if view["waste"] else EMPTY,
        known=tuple(map(_rank, known)),
        unseen=tuple(sorted(map(_rank, unseen.elements()))),
        legal=tuple(view["legal"]),
    )


def _rank(card: str) -> int:
    return rank_of(parse_card(card))


def _first_unknown(stock: list[str]) -> int:
    return stock.index(FACE_DOWN) if FACE_DOWN in stock else len(stock)
