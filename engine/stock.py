"""The stock of deals proved winnable, as it stands in Redis: numbers, from which only a key makes deals (events.md)."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.codes import OPEN_LETTERS, Code, parse_game
from engine.double.rules import DoubleRules
from engine.secrets import stock_number

__all__ = [
    "NUMBER_BITS",
    "SHELVES",
    "Proved",
    "deal_of",
    "pack_proved",
    "shelf_key",
    "shelf_of",
    "unpack_proved",
]

SHELVES: Final = "{stock}:shelves"
"""A set of the shelves that were asked for, beside those that are always kept full."""
NUMBER_BITS: Final = 53
"""Numbers are drawn by chance, so that none is used twice whatever is lost; this long they fit any reader of JSON."""


class Proved(Struct, frozen=True):
    """A deal of the stock: its number there, and the key (by its `kid`) that makes the deal of it."""

    kid: str
    number: int


def shelf_of(game: str, sealed: bool) -> str:
    """Return the shelf on which winnable deals of a game (`GO1-C`) lie, for sealed races or for open ones.

    What a card pays when it is put up again changes nothing about winning.
    """
    letters, version, rules = parse_game(game)
    if isinstance(rules, DoubleRules):
        rules = replace(rules, once=False)
    return f"{letters}{version}-{rules}:{'sealed' if sealed else 'open'}"


def shelf_key(shelf: str) -> str:
    """The list of the proved deals on a shelf, oldest first."""
    return f"{{stock}}:{shelf}"


def deal_of(shelf: str, key: bytes, number: int) -> Code:
    """Return the deal that a number stands for on a shelf: sealed the whole of it, in the open its last letters."""
    game, _, kind = shelf.partition(":")
    letters, version, rules = parse_game(game)
    whole = stock_number(key, number)
    return Code(letters, version, rules, whole if kind == "sealed" else whole[-OPEN_LETTERS:])


def pack_proved(proved: Proved) -> str:
    """Write a deal of the stock down; the inverse of `unpack_proved`."""
    return f"{proved.kid}:{proved.number}"


def unpack_proved(text: bytes) -> Proved:
    """Read a deal of the stock. Raises ValueError."""
    kid, _, number = text.decode().partition(":")
    return Proved(kid, int(number))
