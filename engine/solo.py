"""One player's game on one deal: the board, its undo history and the counters around it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from engine.cards import Turned, texts
from engine.codes import Code
from engine.double.board import DoubleBoard
from engine.double.taps import taps
from engine.game import GAMES, UNDO, Board, Game, first_board
from engine.refusals import Reason

__all__ = ["UNDO", "Played", "Solo", "UndoPolicy", "deal_out", "line_of"]


class UndoPolicy(StrEnum):
    """What may be taken back: anything, only moves that turned up no card, nothing."""

    FREE = "free"
    UNREVEALED = "unrevealed"
    NONE = "none"


_FREE: Final = UndoPolicy.FREE
"""Every move asks for it, and a name of the module is found ten times as fast as a member in its enum (Python 3.11)."""


class Played(Struct, frozen=True, gc=False):
    """What an accepted word did: the game after it and the cards it turned face up."""

    solo: Solo
    turned: list[Turned]


class Solo(Struct, frozen=True, gc=False):
    """A game in play. `moves` counts every move and no undo; `seen` is how many stock cards were ever turned up."""

    game: Game
    board: Board
    undo: UndoPolicy = UndoPolicy.FREE
    moves: int = 0
    seen: int = 0
    history: tuple[Board, ...] = ()

    @property
    def undoable(self) -> int:
        """Operations that can be undone now."""
        return len(self.history)

    def play(self, word: str) -> Played | Reason:
        """Play a word of the notation, or say why it is refused; a refusal changes nothing."""
        game, history, seen = self.game, self.history, self.seen
        if word == UNDO:
            if not history:
                return Reason.NOTHING_TO_UNDO
            return Played(Solo(game, history[-1], self.undo, self.moves, seen, history[:-1]), [])
        answer = self.board.answer(word)
        if type(answer) is Reason:
            return answer
        board, turned = answer
        if turned and (drawn := board.drawn) > seen:
            seen = drawn
        if self.undo is not _FREE and (turned or self.undo is UndoPolicy.NONE):
            history = ()
        else:
            history = (*history[1 - game.undo_depth :], self.board)
        return Played(Solo(game, board, self.undo, self.moves + 1, seen, history), turned)

    def position(self, *, revealed: bool = False) -> dict[str, Any]:
        """Return the position as the player sees it: the `board` of the protocol (notation.md).

        `revealed`: with the face-down cards of the columns shown, for who has the code and so the whole deal.
        """
        legal = self.board.legal()
        position = {
            "game": self.game.letters,
            "status": self.board.status.value,
            "score": self.board.score,
            "score_text": self.board.score_text,
            "moves": self.moves,
            "undoable": self.undoable,
            **self.board.faces(self.seen),
            "legal": legal,
        }
        if revealed:
            return position | {"columns": [texts(column) for column in self.board.columns]}
        return position | taps(self.board, legal) if isinstance(self.board, DoubleBoard) else position


def deal_out(code: Code, undo: UndoPolicy = UndoPolicy.FREE) -> Solo:
    """Return a game at its first position."""
    return Solo(GAMES[code.game], first_board(code), undo)


def line_of(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words that stand, of accepted ones among which are undos: played alone they lead to the same board."""
    line: list[str] = []
    for word in words:
        if word == UNDO:
            line.pop()
        else:
            line.append(word)
    return tuple(line)
