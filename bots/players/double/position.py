"""A position of Double Solitaire as the steady player thinks of it: waste and stock as one row, the stops on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from bots.players.double.sight import RANK, ROW, UNSEEN, Sight

__all__ = ["Position", "Stop", "place_for", "position_of", "put_up", "safe", "stops"]

_SAME_COLOUR: Final = tuple((0, 1, 6, 7) if row in (0, 6) else (2, 3, 4, 5) for row in ROW)
_OTHER_COLOUR: Final = tuple((2, 3, 4, 5) if row in (0, 6) else (0, 1, 6, 7) for row in ROW)


class Position(NamedTuple):
    """Face-up cards of the columns, heights of the eight places, waste and stock in the order drawn, cards drawn."""

    columns: tuple[tuple[int, ...], ...]
    foundations: tuple[int, ...]
    talon: tuple[int, ...]
    drawn: int


class Stop(NamedTuple):
    """Where drawing can stop with a known card on top of the waste, and the words that lead there."""

    drawn: int
    draws: int
    recycled: bool
    words: tuple[str, ...]


def position_of(sight: Sight) -> Position:
    """Return the position that a seat sees."""
    return Position(sight.columns, sight.foundations, sight.waste + sight.stock, len(sight.waste))


def stops(at: Position, turned: int, recycling: bool) -> Iterator[Stop]:
    """Yield every stop that draws of so many cards and at most one recycle lead to, nearest first, each once.

    No stop lies beyond a card that the seat has not seen.
    """
    cards = len(at.talon)
    drawn, draws, passed = at.drawn, 0, set()
    if drawn:
        passed.add(drawn)
        yield Stop(drawn, 0, False, ())
    while drawn < cards:
        drawn, draws = min(cards, drawn + turned), draws + 1
        if at.talon[drawn - 1] == UNSEEN:
            return
        passed.add(drawn)
        yield Stop(drawn, draws, False, ("d",) * draws)
    if not recycling:
        return
    words, drawn = ("d",) * draws + ("r",), 0
    while drawn < cards:
        drawn, draws = min(cards, drawn + turned), draws + 1
        words += ("d",)
        if drawn not in passed:
            yield Stop(drawn, draws, True, words)


def place_for(card: int, foundations: tuple[int, ...]) -> int | None:
    """Return which place (0..7) takes a card: the first of its suit's row when both do."""
    row, below = ROW[card], RANK[card] - 1
    if foundations[row] == below:
        return row
    return row + 1 if foundations[row + 1] == below else None


def put_up(foundations: tuple[int, ...], place: int) -> tuple[int, ...]:
    """Return the heights with one card more on a place."""
    return (*foundations[:place], foundations[place] + 1, *foundations[place + 1 :])


def safe(card: int, foundations: tuple[int, ...]) -> bool:
    """Tell whether a card that goes up can never be missed on the tableau.

    What could come to lie on it, at once or later, are lower cards: of the other colour from one rank below, of its own
    from two below, each in four copies. When all of these are up, only such as were taken back could lie there; they
    would be taken back to hold still lower cards, of which none is in play. So a line that wins with the card left down
    wins without those take-backs too, and then the card is only in the way. One pack's milder rules do not carry over:
    there the second card of a suit and rank does not exist, here it may still wait for a place.
    """
    below = RANK[card] - 1
    return all(foundations[place] >= below for place in _OTHER_COLOUR[card]) and all(
        foundations[place] >= below - 1 for place in _SAME_COLOUR[card]
    )
