"""Golf's board: an immutable position, the moves it allows and what each leads to (rules.md, "Golf")."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from engine.cards import FACE_DOWN, Card, Turned, card_text, rank_of, texts
from engine.deal import Deal
from engine.golf.moves import MOVES, REMOVALS, Draw, GolfMove
from engine.golf.rules import TABLEAU, GolfRules
from engine.golf.score import REMOVED, when_stuck
from engine.refusals import Reason, Status

__all__ = ["FITTING", "GolfBoard"]

_WORDS: Final = tuple(map(str, REMOVALS))
# Looking a member up in its enum takes ten times as long as a name of the module (Python 3.11).
_PLAYING: Final = Status.PLAYING
_STUCK: Final = Status.STUCK
_KING: Final = 13
_ACE: Final = 1


def _fits(letter: str, waste: Card, card: Card) -> bool:
    """Tell whether a card goes onto another under a rule letter; a joker fits all and all fit a joker."""
    onto, rank = rank_of(waste), rank_of(card)
    if not onto or not rank:
        return True
    if letter == "S" and onto == _KING:
        return False
    return abs(onto - rank) == 1 or (letter == "E" and {onto, rank} == {_KING, _ACE})


def _fitting(letter: str) -> tuple[frozenset[Card], ...]:
    return tuple(frozenset(card for card in _CARDS if _fits(letter, waste, card)) for waste in _CARDS)


_CARDS: Final = tuple(Card(card) for card in range(54))
_ANY_CARD: Final = frozenset(_CARDS)
FITTING: Final = {letter: _fitting(letter) for letter in ("E", "C", "S")}
"""Rule letter → for each card on the waste, the cards that go onto it."""


class GolfBoard(Struct, frozen=True, gc=False):
    """A position; every move makes a new one. Columns run from the top (covered) card down to the free one."""

    rules: GolfRules
    columns: tuple[tuple[Card, ...], ...]
    waste: tuple[Card, ...]
    stock: tuple[Card, ...]
    score: int = 0
    status: Status = _PLAYING

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
        return TABLEAU - sum(map(len, self.columns))

    @property
    def drawn(self) -> int:
        """Stock cards turned up so far."""
        return self.rules.stock_size - len(self.stock)

    @property
    def earned(self) -> int:
        """The points earned by removals, whatever getting stuck has cost."""
        return REMOVED * self.cleared if self.status is _STUCK else self.score

    @property
    def settled_score(self) -> int:
        """The score if the game ended here: cards left are charged as when stuck."""
        return self.score if self.status is not _PLAYING else when_stuck(self.score, self.left)

    @property
    def score_text(self) -> str:
        """The score as it is shown."""
        return str(self.score)

    def accepted(self) -> frozenset[Card]:
        """Return the cards that may go to the waste now; while it is empty, every card."""
        return FITTING[self.rules.letter][self.waste[-1]] if self.waste else _ANY_CARD

    def any_fits(self) -> bool:
        """Tell whether some free card may be removed."""
        accepted = self.accepted()
        return any(column and column[-1] in accepted for column in self.columns)

    def draw_waits(self) -> bool:
        """Tell whether a draw is not allowed yet: Strict waits until no free card fits, unless the waste is empty."""
        return self.rules.letter == "S" and bool(self.waste) and self.any_fits()

    def answer(self, word: str) -> tuple[GolfBoard, list[Turned]] | Reason:
        """Return the position after a word other than undo and the cards it turns up, or why it is refused."""
        move = MOVES.get(word)
        if move is None:
            return Reason.BAD_MOVE
        reason = self.refusal(move)
        if reason is not None:
            return reason
        turned: list[Turned] = [{"pile": "waste", "card": card_text(self.stock[0])}] if type(move) is Draw else []
        return self.after(move), turned

    def refusal(self, move: GolfMove) -> Reason | None:
        """Return why a move cannot be played, the first reason that applies, or None when it can."""
        if self.status is not _PLAYING:
            return Reason.GAME_OVER if self.status is Status.WON else Reason.NO_MOVES
        if type(move) is Draw:
            if not self.stock:
                return Reason.STOCK_EMPTY
            return Reason.DRAW_NOT_ALLOWED if self.draw_waits() else None
        column = self.columns[move.column - 1]
        if not column or (move.row is not None and move.row > len(column)):
            return Reason.COLUMN_EMPTY
        if move.row is not None and move.row < len(column):
            return Reason.BLOCKED
        return None if column[-1] in self.accepted() else Reason.NOT_ADJACENT

    def after(self, move: GolfMove) -> GolfBoard:
        """Return the position after a move that is not refused, won or stuck if it is; the penalty comes at once."""
        if type(move) is Draw:
            waste = (*self.waste, self.stock[0])
            board = GolfBoard(self.rules, self.columns, waste, self.stock[1:], self.score)
        else:
            columns = list(self.columns)
            column = columns[move.column - 1]
            columns[move.column - 1] = column[:-1]
            waste = (*self.waste, column[-1])
            board = GolfBoard(self.rules, tuple(columns), waste, self.stock, self.score + REMOVED)
            if not any(columns):
                return replace(board, status=Status.WON)
        if not board.stock and not board.any_fits():
            return replace(board, status=_STUCK, score=when_stuck(board.score, board.left))
        return board

    def legal(self) -> list[str]:
        """Return every legal move but undo, in canonical words, sorted."""
        if self.status is not _PLAYING:
            return []
        accepted = self.accepted()
        words = []
        for at, column in enumerate(self.columns):
            if column and column[-1] in accepted:
                words.append(_WORDS[at])
        # A draw waits as `draw_waits` says; that some card fits is known here.
        if self.stock and not (words and self.rules.letter == "S" and self.waste):
            words.append("d")
        return words

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
