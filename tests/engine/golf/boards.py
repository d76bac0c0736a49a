"""Golf boards written as text, for tests of single rules."""

from engine.cards import parse_cards
from engine.game import GAMES
from engine.golf.board import GolfBoard
from engine.golf.rules import GolfRules
from engine.solo import Solo, UndoPolicy

__all__ = ["board", "game_on"]


def board(columns: str, waste: str = "", stock: str = "", *, rules: str = "E", score: int = 0) -> GolfBoard:
    """Make a position; columns are parted by `/`, an empty one may be left out at the end."""
    parsed = GolfRules.parse(rules)
    assert parsed is not None
    piles = [parse_cards(column) for column in columns.split("/")]
    piles += [()] * (7 - len(piles))
    return GolfBoard(parsed, tuple(piles), parse_cards(waste), parse_cards(stock), score)


def game_on(position: GolfBoard, undo: UndoPolicy = UndoPolicy.FREE) -> Solo:
    """Make a game that starts on a position."""
    return Solo(GAMES["GO"], position, undo, seen=position.drawn)
