"""Which moves of Double Solitaire are legal: found without trying each, since every position told lists them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.cards import SUITS, Card, is_red, rank_of
from engine.double.rules import COLUMNS

if TYPE_CHECKING:
    from engine.double.board import DoubleBoard

__all__ = ["legal_words"]

_KING: Final = 13
_CARDS: Final = tuple(map(Card, range(52)))
_RANK: Final = tuple(map(rank_of, _CARDS))
_STRAND: Final = tuple((rank_of(card) + is_red(card)) % 2 for card in _CARDS)
"""Card → 0 or 1. A card and the one it goes onto differ by one in rank and in colour, so a run is of one strand."""

_NUMBERS: Final = range(1, COLUMNS + 1)
_RUNS: Final = tuple(
    tuple(tuple(f"t{of}-t{to}" + (f"x{cards}" if cards > 1 else "") for cards in range(1, 14)) for to in _NUMBERS)
    for of in _NUMBERS
)
"""Column, column (from 0), cards less one → word."""
_UP: Final = tuple(f"t{of}-f" for of in _NUMBERS)
_PLAYED: Final = tuple(f"w-t{to}" for to in _NUMBERS)
_TAKEN_BACK: Final = tuple(tuple(f"f{suit}{place}-t{to}" for to in _NUMBERS) for suit in SUITS for place in ("", "2"))


def legal_words(board: DoubleBoard) -> list[str]:
    """Return every legal move but undo of a game in play, in canonical words, sorted by code point."""
    columns, foundations = board.columns, board.foundations
    empty = [at for at, column in enumerate(columns) if not column]
    ends = [(at, _RANK[column[-1]], _STRAND[column[-1]]) for at, column in enumerate(columns) if column]
    words = []
    if board.stock:
        words.append("d")
    elif board.waste and board.rules.scoring == "N":
        words.append("r")
    for at, low, strand in ends:
        up = len(columns[at]) - board.down[at]
        runs = _RUNS[at]
        for onto, rank, other_strand in ends:
            if strand == other_strand and low < rank <= low + up:
                words.append(runs[onto][rank - low - 1])
        if empty and low + up - 1 == _KING:
            words += [runs[onto][up - 1] for onto in empty]
        row = columns[at][-1] // 13 * 2
        if foundations[row] == low - 1 or foundations[row + 1] == low - 1:
            words.append(_UP[at])
    if board.waste:
        card = board.waste[-1]
        words += [_PLAYED[onto] for onto in _takers(card, ends, empty)]
        row, below = card // 13 * 2, _RANK[card] - 1
        if foundations[row] == below or foundations[row + 1] == below:
            words.append("w-f")
    for place, height in enumerate(foundations):
        if height:
            top = Card(place // 2 * 13 + height - 1)
            words += [_TAKEN_BACK[place][onto] for onto in _takers(top, ends, empty)]
    words.sort()
    return words


def _takers(card: Card, ends: list[tuple[int, int, int]], empty: list[int]) -> list[int]:
    """Return the columns (from 0) that take a card."""
    rank, strand = _RANK[card] + 1, _STRAND[card]
    if rank > _KING:
        return empty
    return [at for at, end, other_strand in ends if end == rank and strand == other_strand]
