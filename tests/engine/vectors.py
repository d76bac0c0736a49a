"""The published vectors: codes with the cards they deal, to check any implementation against."""

import json
from pathlib import Path
from typing import NamedTuple

from engine.cards import parse_cards
from engine.deal import Deal

__all__ = ["PUBLISHED", "VECTORS", "Vector"]

_DATA = Path(__file__).parent / "data"


class Vector(NamedTuple):
    """One line of the vectors."""

    game: str
    jokers: int
    number: str
    literal: str
    deal: Deal

    def __str__(self) -> str:
        return f"{self.game}{self.jokers or ''}-{self.number[:7]}"


def _vector(game: str, entry: dict) -> Vector:
    columns = tuple(map(parse_cards, entry["columns"]))
    deal = Deal(columns, parse_cards(entry["waste"]), parse_cards(entry["stock"]))
    return Vector(game, entry.get("jokers", 0), entry["number"].split()[-1], entry["literal"], deal)


def _vectors() -> list[Vector]:
    codes = json.loads((_DATA / "codes.json").read_text(encoding="utf-8"))
    games = {"golf": "GO", "golf_jokers": "GO", "double_solitaire": "DS"}
    return [_vector(game, entry) for part, game in games.items() for entry in codes[part]]


VECTORS = _vectors()
PUBLISHED_ENTRIES = json.loads((_DATA / "published.json").read_text(encoding="utf-8"))["deals"]
PUBLISHED = [_vector("GO", entry) for entry in PUBLISHED_ENTRIES]
