"""Names that people give to themselves and to their races, as others see them."""

from __future__ import annotations

import unicodedata
from typing import Final

from engine.alike import ALIKE

__all__ = ["look", "shown_name"]

MARKS: Final = 3
"""As many marks as a letter bears in any script; what has more is made to run over its line."""

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BLANK: Final = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
            *(*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)),
        ),
    )
)
"""Letters, signs and marks that are drawn as nothing: Unicode's Default_Ignorable_Code_Point, and blank Braille."""
_MARK: Final = frozenset({"Mn", "Me", "Mc"})
_ONE_STROKE: Final = str.maketrans("01|i", "olll")
"""Of those that are drawn nearly alike, one."""
_ALIKE_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"))


def shown_name(text: str, length: int) -> str:
    """Return a text on one line without what is unseen or turns the writing around, at most so many letters.

    A letter counts once with its marks, and bears at most three.
    """
    shown = "".join(" " if letter.isspace() else letter for letter in unicodedata.normalize("NFC", text))
    shown = "".join(letter for letter in shown if letter not in _BLANK and unicodedata.category(letter) not in _UNSEEN)
    return "".join(_letters(" ".join(shown.split()))[:length]).strip()


def look(name: str) -> str:
    """Return what a name looks like: equal for names that are taken for each other, whatever letters they have."""
    # Once for capitals, whose small letters may look like others, and once for what small letters look like.
    text = unicodedata.normalize("NFKC", name).translate(ALIKE).casefold().translate(ALIKE)
    text = text.replace("i\u0307", "i").replace("j\u0307", "j").translate(_ONE_STROKE)
    letters = "".join(letter for letter in text if letter.isalnum() or unicodedata.category(letter) in _MARK)
    for drawn, taken_for in _ALIKE_PAIRS:
        letters = letters.replace(drawn, taken_for)
    return letters or "".join(text.split())


def _letters(text: str) -> list[str]:
    """Part a text into letters, each with its marks; a mark without a letter before it is dropped."""
    letters: list[str] = []
    marks = 0
    for letter in text:
        if unicodedata.category(letter) not in _MARK:
            letters.append(letter)
            marks = 0
        elif letters and marks < MARKS:
            letters[-1] += letter
            marks += 1
    return letters
