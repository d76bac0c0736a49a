"""What a game is to the rest: moves read from words, boards that answer and change, one table of games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, assert_never

from msgspec import Struct

from engine.codes import Code, Rules, deal
from engine.double.board import DoubleBoard
from engine.double.moves import MOVES as DOUBLE_MOVES
from engine.double.moves import DoubleMove, parse_move
from engine.double.rules import DoubleRules
from engine.golf.board import GolfBoard
from engine.golf.moves import MOVES as GOLF_MOVES
from engine.golf.moves import GolfMove
from engine.golf.rules import GolfRules

__all__ = ["GAMES", "UNDO", "Board", "Game", "Move", "first_board"]

UNDO: Final = "u"
"""The word for undo, in every game."""

Board = GolfBoard | DoubleBoard
Move = GolfMove | DoubleMove


class Game(Struct, frozen=True):
    """A game's facts: its letters, its English name, how many operations can be undone, its default time limit."""

    letters: str
    name: str
    undo_depth: int
    time_limit_s: int
    max_operations: int
    """Where a bench ends a game that does not end by itself."""
    parse: Callable[[str], Move | None]
    """Read a word other than `u`; None when it is no word of the notation."""
    canonical: frozenset[str] = frozenset({UNDO})
    """Words that are known to be written in the one way there is, undo among them: they need not be read."""


GAMES: Final = {
    "GO": Game(
        "GO",
        "Golf",
        undo_depth=100,
        time_limit_s=600,
        max_operations=200,
        parse=GOLF_MOVES.get,
        canonical=frozenset({UNDO, *GOLF_MOVES}),
    ),
    "DS": Game(
        "DS",
        "Double Solitaire",
        undo_depth=200,
        time_limit_s=1800,
        max_operations=2000,
        parse=parse_move,
        canonical=frozenset({UNDO, *DOUBLE_MOVES}),
    ),
}
"""Every game that has codes, by its letters."""


def first_board(code: Code) -> Board:
    """Return the position that a code deals."""
    rules: Rules = code.rules
    match rules:
        case GolfRules():
            return GolfBoard.start(rules, deal(code))
        case DoubleRules():
            return DoubleBoard.start(rules, deal(code))
        case _:
            assert_never(rules)
