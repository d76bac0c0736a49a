"""Golf's rule letters and options, and how its cards are laid out (rules.md, "Golf")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from engine.cards import Card, pack
from engine.deal import Deal

__all__ = ["COLUMNS", "ROWS", "TABLEAU", "GolfRules"]

COLUMNS: Final = 7
ROWS: Final = 5
TABLEAU: Final = COLUMNS * ROWS
STOCK: Final = 16

_RULES_PART = re.compile(r"([ECSN])((?:J[12]|X)*)")


class GolfRules(Struct, frozen=True):
    """E joins king and ace, C parts them, S also closes the king and makes draws wait; jokers; empty waste."""

    letter: Literal["E", "C", "S"] = "E"
    jokers: int = 0
    empty_waste: bool = False

    @classmethod
    def parse(cls, text: str) -> GolfRules | None:
        """Read a rules part such as `E`, `N` (old, read as E) or `CJ2X`; None when it is none."""
        found = _RULES_PART.fullmatch(text)
        if not found:
            return None
        letter, options = found.groups()
        named = re.findall(r"J[12]|X", options)
        jokers = [option for option in named if option != "X"]
        if len(jokers) > 1 or named.count("X") > 1:
            return None
        return cls("E" if letter == "N" else letter, int(jokers[0][1]) if jokers else 0, "X" in named)  # type: ignore[arg-type]

    def __str__(self) -> str:
        """Return the canonical rules part; the inverse of `parse`."""
        return self.letter + (f"J{self.jokers}" if self.jokers else "") + ("X" if self.empty_waste else "")

    @property
    def pack(self) -> tuple[Card, ...]:
        """The pack these rules are played with, unshuffled."""
        return pack(1, self.jokers)

    @property
    def plain_pack(self) -> bool:
        """True when the pack is that of the published deals (no jokers)."""
        return not self.jokers

    @property
    def stock_size(self) -> int:
        """Cards in the stock before the first move."""
        return STOCK + self.jokers + self.empty_waste

    def lay_out(self, order: Sequence[Card]) -> Deal:
        """Deal an order of the pack: seven columns of five, the waste, the stock (X: led by the waste card)."""
        columns = tuple(tuple(order[at : at + ROWS]) for at in range(0, TABLEAU, ROWS))
        first_drawn = TABLEAU if self.empty_waste else TABLEAU + 1
        return Deal(columns, tuple(order[TABLEAU:first_drawn]), tuple(order[first_drawn:]))
