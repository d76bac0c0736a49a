"""Game codes such as `GO1-E-AAAAAAB`: forgiving reading, canonical writing, and the cards they deal (codes.md)."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from math import ceil, log2
from typing import Final

from msgspec import Struct

from engine.cards import Card
from engine.deal import Deal
from engine.double.rules import DoubleRules
from engine.golf.rules import GolfRules
from engine.literal import order_of_rank, orders, rank_of_order
from engine.published import PUBLISHED
from engine.shuffle import shuffled

__all__ = [
    "ALPHABET",
    "DEFAULT_GAMES",
    "OPEN_LETTERS",
    "SEALED_LETTERS",
    "Code",
    "CodeError",
    "CodePart",
    "Rules",
    "deal",
    "literal_code",
    "literal_letters",
    "number_letters",
    "parse_code",
    "parse_game",
    "shortened",
]

Rules = GolfRules | DoubleRules

ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
"""RFC 4648 base 32."""
OPEN_LETTERS: Final = 7
"""Width of an everyday number: 35 bits."""
SEALED_LETTERS: Final = 26
"""Width of a 128-bit seed; the first letter carries three bits only."""

_RULES: Final[dict[str, type[GolfRules] | type[DoubleRules]]] = {"GO": GolfRules, "DS": DoubleRules}
_RULES_EXPECTED: Final = {
    "GO": "E, C or S with the options J1, J2 and X",
    "DS": "D1 or D3, then N or V, then the option O or nothing",
}
DEFAULT_GAMES: Final = {"GO": "GO1-E", "GO1": "GO1-E", "DS": "DS1-D1N", "DS1": "DS1-D1N"}
"""A game named without rules → the game with its default rules, where a person asks for one."""
_DASHES: Final = re.compile(r"[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]")
_MISREAD: Final = str.maketrans("018", "OIB")


class CodePart(StrEnum):
    """The part of a code that cannot be read."""

    GAME = "game"
    VERSION = "version"
    RULES = "rules"
    LENGTH = "length"
    LETTER = "letter"
    NUMBER = "number"


class CodeError(ValueError):
    """A text that is not a game code; `part` tells which part is wrong."""

    def __init__(self, part: CodePart, expected: str, found: str) -> None:
        self.part, self.expected, self.found = part, expected, found
        super().__init__(f"{_SAYS[part]}: expected {expected}, found {shortened(found)}")


_SAYS: Final = {
    CodePart.GAME: "unknown game",
    CodePart.VERSION: "unknown version",
    CodePart.RULES: "unknown rule",
    CodePart.LENGTH: "wrong length",
    CodePart.LETTER: "bad letter",
    CodePart.NUMBER: "number out of range",
}


def shortened(text: str) -> str:
    """Quote a text that somebody wrote, as far as a message has room for it."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


class Code(Struct, frozen=True):
    """A game, the version of its shuffle (0: the number is the deal itself), its rules, its number part."""

    game: str
    version: int
    rules: Rules
    number: str

    def __str__(self) -> str:
        """Return the canonical code; the inverse of `parse_code`."""
        return f"{self.game}{self.version}-{self.rules}-{self.number}"

    @property
    def published(self) -> bool:
        """True when the app's own pages print this deal."""
        return self.rules.plain_pack and (self.game, self.version, self.number) in PUBLISHED


def literal_letters(rules: Rules) -> int:
    """Return the width of a literal number: 46 to 48 letters for Golf, 100 for Double Solitaire."""
    return ceil(log2(orders(rules.pack)) / 5)


def parse_game(text: str) -> tuple[str, int, Rules]:
    """Read the first two parts of a code, `GO1-C`, into game, version and rules. Raises CodeError."""
    tidy = _tidy(text).replace("-", "")
    game, version, rest = _head(tidy)
    return game, version, _rules(game, rest)


def parse_code(text: str) -> Code:
    """Read a code however it is typed: lower case, spaces, no hyphens, other dashes, 0 for O. Raises CodeError."""
    tidy = _tidy(text)
    parts = tidy.split("-")
    if len(parts) == 3 and all(parts):
        game, version, rest = _head(parts[0])
        if rest:
            raise CodeError(CodePart.VERSION, "one digit after the game, as in GO1", parts[0])
        rules = _rules(game, parts[1])
        return Code(game, version, rules, _number(version, rules, parts[2]))
    game, version, rest = _head(tidy.replace("-", ""))
    return Code(game, version, *_rules_and_number(game, version, rest))


def _tidy(text: str) -> str:
    return _DASHES.sub("-", "".join(text.split())).upper()


def _head(text: str) -> tuple[str, int, str]:
    game, version, rest = text[:2], text[2:3], text[3:]
    if game not in _RULES:
        raise CodeError(CodePart.GAME, "GO (Golf) or DS (Double Solitaire)", game)
    if version not in ("0", "1"):
        raise CodeError(CodePart.VERSION, f"{game}1 or {game}0", game + version)
    return game, int(version), rest


def _rules(game: str, text: str) -> Rules:
    rules = _RULES[game].parse(text)
    if rules is None:
        raise CodeError(CodePart.RULES, f"{_RULES_EXPECTED[game]}, as in {DEFAULT_GAMES[game]}", text)
    return rules


def _rules_and_number(game: str, version: int, text: str) -> tuple[Rules, str]:
    """Part a text without hyphens: the number is its last 7, 26 or literal-length letters."""
    for at in range(1, min(len(text), 5)):
        rules = _RULES[game].parse(text[:at])
        if rules is not None and len(text) - at in _widths(version, rules):
            return rules, _number(version, rules, text[at:])
    longest = next((at for at in range(min(len(text), 4), 0, -1) if _RULES[game].parse(text[:at])), 0)
    rules = _rules(game, text[:longest])
    raise CodeError(CodePart.LENGTH, _widths_text(version, rules), text[longest:])


def _widths(version: int, rules: Rules) -> tuple[int, ...]:
    return (OPEN_LETTERS, SEALED_LETTERS) if version else (literal_letters(rules),)


def _widths_text(version: int, rules: Rules) -> str:
    return " or ".join(map(str, _widths(version, rules))) + " letters in the number part"


def _number(version: int, rules: Rules, text: str) -> str:
    letters = text.translate(_MISREAD)
    for letter in letters:
        if letter not in ALPHABET:
            raise CodeError(CodePart.LETTER, "letters A to Z and digits 2 to 7 in the number part", letter)
    if len(letters) not in _widths(version, rules):
        raise CodeError(CodePart.LENGTH, _widths_text(version, rules), f"{len(letters)}: {letters}")
    if version and len(letters) == SEALED_LETTERS and ALPHABET.index(letters[0]) >= 8:
        raise CodeError(CodePart.NUMBER, "a first letter A to H (128 bits in all)", letters[0])
    if not version and _value(letters) >= orders(rules.pack):
        raise CodeError(CodePart.NUMBER, "a rank below the number of orders of the pack", letters)
    return letters


def _value(letters: str) -> int:
    value = 0
    for letter in letters:
        value = value * 32 + ALPHABET.index(letter)
    return value


def number_letters(value: int, width: int) -> str:
    """Write a number in base 32, big-endian, at full width; raises ValueError when it does not fit."""
    if not 0 <= value < 32**width:
        raise ValueError(f"expected a number below 32^{width}, found {value}")
    return "".join(ALPHABET[value >> 5 * place & 31] for place in reversed(range(width)))


@lru_cache(maxsize=1024)
def deal(code: Code) -> Deal:
    """Return the lay-out that a code deals; the same code always deals the same cards."""
    return code.rules.lay_out(_order(code))


def _order(code: Code) -> tuple[Card, ...]:
    if code.published:
        return PUBLISHED[code.game, code.version, code.number]
    if code.version == 0:
        return order_of_rank(_value(code.number), code.rules.pack)
    return shuffled(f"fairdeal:{code.game}{code.version}:{code.number}".encode(), code.rules.pack)


def literal_code(rules: Rules, lay_out: Deal) -> Code:
    """Return the version 0 code of a lay-out; raises ValueError when the rules do not lay out their pack so."""
    order = lay_out.order
    if sorted(order) != sorted(rules.pack) or rules.lay_out(order) != lay_out:
        raise ValueError(f"expected the {len(rules.pack)} cards of the pack of {rules}, each in its place")
    game = "GO" if isinstance(rules, GolfRules) else "DS"
    return Code(game, 0, rules, number_letters(rank_of_order(order), literal_letters(rules)))
