"""Golf's board: an immutable position, the moves it allows and what each leads to (rules.md, "Golf")."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from msgspec import Struct

from engine.cards import FACE_DOWN, Card, card_text, rank_of, texts
from engine.deal import Deal
from engine.golf.moves import DRAW, REMOVALS, Draw, GolfMove
from engine.golf.rules import COLUMNS, TABLEAU, GolfRules
from engine.golf.score import after_removal, when_stuck
from engine.refusals import Reason, Status

__all__ = ["GolfBoard", "fitting"]

_KING: Final = 13
_ACE: Final = 1


def _adjacent(letter: str, waste: int, rank: int) -> bool:
    """Tell whether a card of `rank` goes onto one of rank `waste` under a rule letter; 0 is a joker, which fits all."""
    if not waste or not rank:
        return True
    if letter == "S" and waste == _KING:
        return False
    return abs(waste - rank) == 1 or (letter == "E" and {waste, rank} == {_KING, _ACE})


@cache
def fitting(letter: str) -> tuple[frozenset[Card], ...]:
    """Return, for each card on the waste, the cards that go onto it under a rule letter."""
    cards = [Card(card) for card in range(54)]
    return tuple(
        frozenset(card for card in cards if _adjacent(letter, rank_of(waste), rank_of(card))) for waste in cards
    )


class GolfBoard(Struct, frozen=True):
    """A position; every move makes a new one. Columns run from the top (covered) card down to the free one."""

    rules: GolfRules
    columns: tuple[tuple[Card, ...], ...]
    waste: tuple[Card, ...]
    stock: tuple[Card, ...]
    score: int = 0
    status: Status = Status.PLAYING

    @classmethod
    def start(cls, rules: GolfRules, lay_out: Deal) -> GolfBoard:
        """Return the position before the first move; never won or stuck."""
        return cls(rules, lay_out.columns, lay_out.waste, lay_out.stock)

    @property
    def left(self) -> int:
        """Cards still in the tableau."""
        return sum(map(len, self.columns))

    @property
    def cleared(self) -> int:
        """Cards removed from the tableau."""
        return TABLEAU - self.left

    @property
    def drawn(self) -> int:
        """Stock cards turned up so far."""
        return self.rules.stock_size - len(self.stock)

    @property
    def settled_score(self) -> int:
        """The score if the game ended here: cards left are charged as when stuck."""
        return self.score if self.status is not Status.PLAYING else when_stuck(self.score, self.left)

    def fits(self, card: Card) -> bool:
        """Tell whether a card may go to the waste now."""
        return not self.waste or card in fitting(self.rules.letter)[self.waste[-1]]

    def any_fits(self) -> bool:
        """Tell whether some free card may be removed."""
        if not self.waste:
            return any(self.columns)
        fits = fitting(self.rules.letter)[self.waste[-1]]
        return any(column and column[-1] in fits for column in self.columns)

    def may_draw(self) -> bool:
        """Tell whether a draw is allowed: Strict waits until no free card fits, unless the waste is empty."""
        return bool(self.stock) and (self.rules.letter != "S" or not self.waste or not self.any_fits())

    def refusal(self, move: GolfMove) -> Reason | None:
        """Return why a move cannot be played, the first reason that applies, or None when it can."""
        if self.status is Status.WON:
            return Reason.GAME_OVER
        if self.status is Status.STUCK:
            return Reason.NO_MOVES
        if isinstance(move, Draw):
            if not self.stock:
                return Reason.STOCK_EMPTY
            return None if self.may_draw() else Reason.DRAW_NOT_ALLOWED
        column = self.columns[move.column - 1]
        if not column or (move.row is not None and move.row > len(column)):
            return Reason.COLUMN_EMPTY
        if move.row is not None and move.row < len(column):
            return Reason.BLOCKED
        return None if self.fits(column[-1]) else Reason.NOT_ADJACENT

    def after(self, move: GolfMove) -> GolfBoard:
        """Return the position after a move that is not refused."""
        if isinstance(move, Draw):
            return self._settled(self.columns, (*self.waste, self.stock[0]), self.stock[1:], self.score)
        at = move.column - 1
        column = self.columns[at]
        columns = (*self.columns[:at], column[:-1], *self.columns[at + 1 :])
        return self._settled(columns, (*self.waste, column[-1]), self.stock, after_removal(self.score))

    def _settled(
        self, columns: tuple[tuple[Card, ...], ...], waste: tuple[Card, ...], stock: tuple[Card, ...], score: int
    ) -> GolfBoard:
        """Make the next position, won or stuck if it is; winning comes first, the penalty at once."""
        if not any(columns):
            return GolfBoard(self.rules, columns, waste, stock, score, Status.WON)
        if not stock:
            fits = fitting(self.rules.letter)[waste[-1]]
            if not any(column and column[-1] in fits for column in columns):
                return GolfBoard(
                    self.rules, columns, waste, stock, when_stuck(score, sum(map(len, columns))), Status.STUCK
                )
        return GolfBoard(self.rules, columns, waste, stock, score)

    def turned_by(self, move: GolfMove) -> list[tuple[str, Card]]:
        """Return the cards that a move turns face up, each with its pile."""
        return [("waste", self.stock[0])] if isinstance(move, Draw) else []

    def legal(self) -> list[str]:
        """Return every legal move but undo, in canonical words, sorted."""
        if self.status is not Status.PLAYING:
            return []
        removals = [
            str(REMOVALS[at])
            for at, column in zip(range(COLUMNS), self.columns, strict=True)
            if column and self.fits(column[-1])
        ]
        return [*removals, str(DRAW)] if self.may_draw() else removals

    def faces(self, seen: int) -> dict[str, Any]:
        """Return what the player sees of the cards, `seen` stock cards having ever been turned up (notation.md)."""
        known = max(0, seen - self.drawn)
        return {
            "columns": [texts(column) for column in self.columns],
            "waste": texts(self.waste),
            "stock": len(self.stock),
            "stock_known": texts(self.stock[:known]) + [FACE_DOWN] * (len(self.stock) - known),
            "removed": self.cleared,
            "left": self.left,
        }

    def __str__(self) -> str:
        """Print the board: one line a column, then waste and stock."""
        columns = [f"{number}: {' '.join(texts(column))}".rstrip() for number, column in enumerate(self.columns, 1)]
        waste = card_text(self.waste[-1]) if self.waste else "empty"
        counts = f"waste: {waste}  stock: {len(self.stock)}  score: {self.score}  {self.status}"
        return "\n".join([*columns, counts])
