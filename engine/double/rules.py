"""Double Solitaire's rules part, and how its cards are laid out (rules.md, "Double Solitaire")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, Literal

from msgspec import Struct

from engine.cards import Card, pack
from engine.deal import Deal

__all__ = ["COLUMNS", "STOCK", "TABLEAU", "DoubleRules"]

COLUMNS: Final = 9
TABLEAU: Final = COLUMNS * (COLUMNS + 1) // 2
STOCK: Final = 104 - TABLEAU

_RULES_PART = re.compile(r"D([13])([NV])(O?)")


class DoubleRules(Struct, frozen=True):
    """How many cards a draw turns, the scoring (N Normal, V Vegas), and whether a card pays only once."""

    draw: Literal[1, 3] = 1
    scoring: Literal["N", "V"] = "N"
    once: bool = False

    @classmethod
    def parse(cls, text: str) -> DoubleRules | None:
        """Read a rules part such as `D1N` or `D3VO`; None when it is none."""
        found = _RULES_PART.fullmatch(text)
        if not found:
            return None
        draw, scoring, once = found.groups()
        return cls(1 if draw == "1" else 3, "N" if scoring == "N" else "V", bool(once))

    def __str__(self) -> str:
        """Return the canonical rules part; the inverse of `parse`."""
        return f"D{self.draw}{self.scoring}{'O' if self.once else ''}"

    @property
    def pack(self) -> tuple[Card, ...]:
        """The two packs shuffled together, unshuffled."""
        return pack(2)

    @property
    def plain_pack(self) -> bool:
        """True: every rule is played with the pack of the published deals."""
        return True

    def lay_out(self, order: Sequence[Card]) -> Deal:
        """Deal an order of the pack: columns of 1..9 cards, column by column, an empty waste, the stock."""
        ends = list(accumulate(range(1, COLUMNS + 1)))
        columns = tuple(tuple(order[end - size : end]) for size, end in enumerate(ends, 1))
        return Deal(columns, (), tuple(order[TABLEAU:]))
