"""Names that people give to themselves and to their races, as others see them."""

from __future__ import annotations

import unicodedata
from typing import Final

__all__ = ["shown_name"]

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def shown_name(text: str, length: int) -> str:
    """Return a text on one line without what is unseen or turns the writing around, at most so many letters."""
    shown = "".join(" " if letter.isspace() else letter for letter in unicodedata.normalize("NFC", text))
    shown = "".join(letter for letter in shown if unicodedata.category(letter) not in _UNSEEN)
    return " ".join(shown.split())[:length].strip()
