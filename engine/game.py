"""What a game is to the rest: moves read from words, boards that answer and change, one table of games."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from engine.codes import Code, Rules, deal
from engine.golf.board import GolfBoard
from engine.golf.moves import MOVES as GOLF_MOVES
from engine.golf.moves import GolfMove
from engine.golf.rules import GolfRules

__all__ = ["GAMES", "Board", "Game", "GameNotPlayable", "Move", "first_board", "game_of"]

Board = GolfBoard
Move = GolfMove


class Game(Struct, frozen=True):
    """A game's facts: its letters, its English name, how many operations can be undone, its default time limit."""

    letters: str
    name: str
    undo_depth: int
    time_limit_s: int
    max_operations: int
    """Where a bench ends a game that does not end by itself."""

    def parse(self, word: str) -> Move | None:
        """Read a word other than `u`; None when it is no word of the notation."""
        return GOLF_MOVES.get(word)


class GameNotPlayable(ValueError):
    """A game that has codes and deals but cannot be played here."""

    def __init__(self, letters: str) -> None:
        super().__init__(f"expected a game that can be played ({', '.join(GAMES)}), found {letters}")


GAMES: Final = {"GO": Game("GO", "Golf", undo_depth=100, time_limit_s=600, max_operations=200)}


def game_of(letters: str) -> Game:
    """Return the game with these letters. Raises GameNotPlayable."""
    try:
        return GAMES[letters]
    except KeyError:
        raise GameNotPlayable(letters) from None


def first_board(code: Code) -> Board:
    """Return the position that a code deals. Raises GameNotPlayable."""
    rules: Rules = code.rules
    if isinstance(rules, GolfRules):
        return GolfBoard.start(rules, deal(code))
    raise GameNotPlayable(code.game)
