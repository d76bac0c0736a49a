"""Which moves of Double Solitaire are legal: found without trying each, since every position told lists them."""

# ruff: noqa: PERF401 - of what the loops look for there is mostly none, and a comprehension is a function (Python 3.11).

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.cards import SUITS, Card, is_red, rank_of
from engine.double.rules import COLUMNS

if TYPE_CHECKING:
    from engine.double.board import DoubleBoard

__all__ = ["legal_words"]

_KING: Final = 13
_STEP: Final = tuple(2 * rank_of(card) + (rank_of(card) + is_red(card)) % 2 for card in map(Card, range(52)))
"""Card → its step. A card and the one it goes onto differ by one in rank and in colour: by two in their steps."""
_EMPTY: Final = (2 * _KING + 2, 2 * _KING + 3)
"""The steps of an empty column, onto which kings go."""
_ONTO: Final = tuple(
    tuple(tuple(range(step + 2, step + 2 * cards + 1, 2)) for cards in range(_KING + 1)) for step in range(28)
)
"""Step of a run's last card, cards of the run → the steps of what it, or some of its last cards, go onto."""
_NO_CARD: Final = Card(-1)
_NEXT: Final = tuple((*map(Card, range(ace, ace + _KING)), _NO_CARD) for ace in (0, 0, 13, 13, 26, 26, 39, 39))
"""Foundation, its height → the card that it takes next."""
_TOP_ONTO: Final = tuple((0, *(_STEP[card] + 2 for card in pile[:-1])) for pile in _NEXT)
"""Foundation, its height → the step of what its top card goes onto."""

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
    takers, waste = _takers(board.columns), board.waste
    wanted, words = set(), []
    for place, height in enumerate(board.foundations):
        wanted.add(_NEXT[place][height])
        if height and (onto := _TOP_ONTO[place][height]) in takers:
            for to in takers[onto]:
                words.append(_TAKEN_BACK[place][to])
    words += _from_columns(board, takers, wanted)
    if waste:
        for to in takers.get(_STEP[waste[-1]] + 2, ()):
            words.append(_PLAYED[to])
        if waste[-1] in wanted:
            words.append("w-f")
    if board.stock:
        words.append("d")
    elif waste and board.rules.scoring == "N":
        words.append("r")
    words.sort()
    return words


def _takers(columns: tuple[tuple[Card, ...], ...]) -> dict[int, list[int]]:
    """Return which columns (from 0) have a free card of each step, or are empty."""
    takers: dict[int, list[int]] = {}
    empty = []
    for at, column in enumerate(columns):
        if not column:
            empty.append(at)
            continue
        step = _STEP[column[-1]]
        if step in takers:
            takers[step].append(at)
        else:
            takers[step] = [at]
    if empty:
        takers |= dict.fromkeys(_EMPTY, empty)
    return takers


def _from_columns(board: DoubleBoard, takers: dict[int, list[int]], wanted: set[Card]) -> list[str]:
    """Return what columns give to one another and to the foundations, which want these cards."""
    down, words = board.down, []
    for at, column in enumerate(board.columns):
        if column:
            free = column[-1]
            step = _STEP[free]
            for onto in _ONTO[step][len(column) - down[at]]:
                if onto in takers:
                    cards = (onto - step) // 2
                    for to in takers[onto]:
                        words.append(_RUNS[at][to][cards - 1])
            if free in wanted:
                words.append(_UP[at])
    return words
