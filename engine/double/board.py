"""Double Solitaire's board: an immutable position, its moves and what each leads to (rules.md, "Double Solitaire")."""

from __future__ import annotations

from typing import Any, Final, TypeVar, assert_never

from msgspec import Struct
from msgspec.structs import replace

from engine.cards import FACE_DOWN, SUITS, Card, Turned, card_text, is_red, rank_of, suit_of, texts
from engine.deal import Deal
from engine.double.legal import legal_words
from engine.double.moves import (
    ColumnToColumn,
    ColumnToFoundation,
    DoubleMove,
    Draw,
    FoundationToColumn,
    Recycle,
    WasteToColumn,
    WasteToFoundation,
    parse_move,
)
from engine.double.rules import COLUMNS, STOCK, DoubleRules
from engine.double.score import POINTS, after_recycle, score_text
from engine.refusals import Reason, Status

__all__ = ["DoubleBoard"]

# Looking a member up in its enum takes ten times as long as a name of the module (Python 3.11). And moves are asked for
# their `type`: a pattern with fields costs ten times as much on a Struct, and isinstance five times where it says no.
_PLAYING: Final = Status.PLAYING
_WON: Final = Status.WON
_KING: Final = 13
_EVERY_CARD: Final = 104
_EMPTY: Final = (0,) * 8
_ROWS: Final = range(0, 8, 2)

T = TypeVar("T")


class DoubleBoard(Struct, frozen=True, gc=False):
    """A position; every move makes a new one. Columns run from the top (covered) card down to the free one.

    The first `down` cards of each column lie face down. `foundations` are the heights of the eight places, two a suit,
    first place first; `highest`, kept under the option O, how high the taller and the lower place of each suit have
    ever been in this game.
    """

    rules: DoubleRules
    columns: tuple[tuple[Card, ...], ...]
    down: tuple[int, ...]
    waste: tuple[Card, ...]
    stock: tuple[Card, ...]
    foundations: tuple[int, ...] = _EMPTY
    score: int = 0
    status: Status = _PLAYING
    highest: tuple[int, ...] = _EMPTY

    @classmethod
    def start(cls, rules: DoubleRules, lay_out: Deal) -> DoubleBoard:
        """Return the position before the first move: the last card of each column lies face up."""
        score = POINTS[rules.scoring].start
        return cls(rules, lay_out.columns, tuple(range(COLUMNS)), lay_out.waste, lay_out.stock, score=score)

    @property
    def cleared(self) -> int:
        """Cards on the foundations."""
        return sum(self.foundations)

    @property
    def left(self) -> int:
        """Cards not on the foundations."""
        return _EVERY_CARD - self.cleared

    @property
    def drawn(self) -> int:
        """Cards gone from the stock: in the first round those turned up so far, later all have been seen."""
        return STOCK - len(self.stock)

    @property
    def earned(self) -> int:
        """The points earned so far, less what recycles have cost."""
        return self.score

    @property
    def settled_score(self) -> int:
        """The score if the game ended here: nothing is charged for cards left."""
        return self.score

    @property
    def score_text(self) -> str:
        """The score as it is shown, in Vegas as `-$104`."""
        return score_text(self.rules, self.score)

    def answer(self, word: str) -> tuple[DoubleBoard, list[Turned]] | Reason:
        """Return the position after a word other than undo and the cards it turns up, or why it is refused."""
        move = parse_move(word)
        if move is None:
            return Reason.BAD_MOVE
        reason = self.refusal(move)
        return (self.after(move), self.turned_by(move)) if reason is None else reason

    def refusal(self, move: DoubleMove) -> Reason | None:
        """Return why a move cannot be played, or None when it can. The first reason that applies answers.

        Face-down cards named; the game's end; for a draw or a recycle the scoring, then the stock, then the waste; for
        cards the pile they come from (the waste empty, too few elsewhere, then the pile itself named as target), then
        where they go: an empty column, the colour, the rank; a foundation.
        """
        if type(move) is ColumnToColumn:
            down = self.down[move.source - 1]
            if down and move.cards > len(self.columns[move.source - 1]) - down:
                return Reason.FACE_DOWN
        if self.status is _WON:
            return Reason.GAME_OVER
        if type(move) is Draw:
            return None if self.stock else Reason.STOCK_EMPTY
        if type(move) is Recycle:
            return self._recycle_refusal()
        if type(move) is WasteToColumn:
            return self._misfit(self.waste[-1], move.target) if self.waste else Reason.WASTE_EMPTY
        if type(move) is WasteToFoundation:
            return self._not_put_up(self.waste) if self.waste else Reason.WASTE_EMPTY
        if type(move) is ColumnToColumn:
            column = self.columns[move.source - 1]
            if len(column) < move.cards:
                return Reason.PILE_EMPTY
            return Reason.SAME_PILE if move.source == move.target else self._misfit(column[-move.cards], move.target)
        if type(move) is ColumnToFoundation:
            column = self.columns[move.source - 1]
            return self._not_put_up(column) if column else Reason.PILE_EMPTY
        if type(move) is FoundationToColumn:
            height = self.foundations[_at(move)]
            return self._misfit(Card(move.suit * 13 + height - 1), move.target) if height else Reason.PILE_EMPTY
        assert_never(move)

    def _recycle_refusal(self) -> Reason | None:
        if self.rules.scoring == "V":
            return Reason.NO_RECYCLING
        if self.stock:
            return Reason.STOCK_NOT_EMPTY
        return None if self.waste else Reason.WASTE_EMPTY

    def _misfit(self, card: Card, target: int) -> Reason | None:
        """Return why a card does not go onto a column (1..9)."""
        column = self.columns[target - 1]
        if not column:
            return None if rank_of(card) == _KING else Reason.NOT_A_KING
        onto = column[-1]
        if is_red(card) == is_red(onto):
            return Reason.WRONG_COLOR
        return None if rank_of(card) + 1 == rank_of(onto) else Reason.WRONG_RANK

    def _not_put_up(self, pile: tuple[Card, ...]) -> Reason | None:
        """Return why the last card of a pile that has some does not go onto a foundation."""
        return Reason.NOT_ON_FOUNDATION if self._place_for(pile[-1]) is None else None

    def _place_for(self, card: Card) -> int | None:
        """Return which foundation (0..7) takes a card: the first of its suit's row when both do."""
        first, below = 2 * suit_of(card), rank_of(card) - 1
        if self.foundations[first] == below:
            return first
        return first + 1 if self.foundations[first + 1] == below else None

    def after(self, move: DoubleMove) -> DoubleBoard:
        """Return the position after a move that is not refused."""
        if type(move) is Draw:
            turned = self.rules.draw
            return replace(self, waste=self.waste + self.stock[:turned], stock=self.stock[turned:])
        if type(move) is Recycle:
            # The waste holds the cards in the order drawn, and in that order they are drawn again.
            return replace(self, waste=(), stock=self.waste, score=after_recycle(self.score))
        if type(move) is WasteToColumn:
            columns = self._put_on(move.target, self.waste[-1:])
            score = self.score + POINTS[self.rules.scoring].waste_to_column
            return replace(self, columns=columns, waste=self.waste[:-1], score=score)
        if type(move) is WasteToFoundation:
            return replace(self, waste=self.waste[:-1])._put_up(self.waste[-1])
        if type(move) is ColumnToColumn:
            columns = self._put_on(move.target, self.columns[move.source - 1][-move.cards :])
            return self._taken_from(move.source, move.cards, columns)
        if type(move) is ColumnToFoundation:
            return self._taken_from(move.source, 1, self.columns)._put_up(self.columns[move.source - 1][-1])
        if type(move) is FoundationToColumn:
            at = _at(move)
            height = self.foundations[at]
            columns = self._put_on(move.target, (Card(move.suit * 13 + height - 1),))
            return replace(self, columns=columns, foundations=_changed(self.foundations, at, height - 1))
        assert_never(move)

    def _put_on(self, target: int, cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
        """Return the columns with more cards on one of them (1..9)."""
        return _changed(self.columns, target - 1, self.columns[target - 1] + cards)

    def _taken_from(self, source: int, cards: int, columns: tuple[tuple[Card, ...], ...]) -> DoubleBoard:
        """Return the board with these columns less the last cards of one (1..9); what they uncover turns face up."""
        at = source - 1
        rest = columns[at][:-cards]
        columns = _changed(columns, at, rest)
        if not self._uncovers(source, cards):
            return replace(self, columns=columns)
        score = self.score + POINTS[self.rules.scoring].turned_up
        return replace(self, columns=columns, down=_changed(self.down, at, len(rest) - 1), score=score)

    def _uncovers(self, source: int, cards: int) -> bool:
        """Tell whether a face-down card lies under the last cards of a column (1..9)."""
        down = self.down[source - 1]
        return down > 0 and len(self.columns[source - 1]) - cards == down

    def _put_up(self, card: Card) -> DoubleBoard:
        """Return the board with one more card on the foundations; the last one wins."""
        place = self._place_for(card)
        if place is None:
            raise ValueError(f"expected a foundation that takes {card_text(card)}, found none")
        foundations = _changed(self.foundations, place, rank_of(card))
        highest = self._highest(foundations, suit_of(card)) if self.rules.once else self.highest
        pays = not self.rules.once or highest != self.highest
        score = self.score + POINTS[self.rules.scoring].put_up if pays else self.score
        status = _WON if sum(foundations) == _EVERY_CARD else _PLAYING
        return replace(self, foundations=foundations, highest=highest, score=score, status=status)

    def _highest(self, foundations: tuple[int, ...], suit: int) -> tuple[int, ...]:
        """Return `highest` once a suit stands so.

        At least one card of a rank lies up there when the taller place reaches it, both when the lower does too: their
        number is above the highest it has been exactly when one of the two is higher than it has ever been.
        """
        at = 2 * suit
        lower, taller = sorted(foundations[at : at + 2])
        was_taller, was_lower = self.highest[at : at + 2]
        return (*self.highest[:at], max(taller, was_taller), max(lower, was_lower), *self.highest[at + 2 :])

    def turned_by(self, move: DoubleMove) -> list[Turned]:
        """Return the cards that a move turns face up."""
        if type(move) is Draw:
            return [{"pile": "waste", "card": text} for text in texts(self.stock[: self.rules.draw])]
        if type(move) is ColumnToColumn and self._uncovers(move.source, move.cards):
            return [{"pile": f"t{move.source}", "card": card_text(self.columns[move.source - 1][-move.cards - 1])}]
        if type(move) is ColumnToFoundation and self._uncovers(move.source, 1):
            return [{"pile": f"t{move.source}", "card": card_text(self.columns[move.source - 1][-2])}]
        return []

    def legal(self) -> list[str]:
        """Return every legal move but undo, in canonical words, sorted."""
        return legal_words(self) if self.status is _PLAYING else []

    def faces(self, seen: int) -> dict[str, Any]:
        """Return what the player sees of the cards, `seen` stock cards having ever been turned up (notation.md)."""
        # The stock's last cards stay the same until all have been seen, so those unseen are at its end.
        unseen = min(STOCK - seen, len(self.stock))
        return {
            "columns": [
                [FACE_DOWN] * down + texts(column[down:]) for column, down in zip(self.columns, self.down, strict=True)
            ],
            "down": list(self.down),
            "waste": texts(self.waste),
            "stock": len(self.stock),
            "stock_known": texts(self.stock[: len(self.stock) - unseen]) + [FACE_DOWN] * unseen,
            "foundations": {suit: list(self.foundations[at : at + 2]) for suit, at in zip(SUITS, _ROWS, strict=True)},
        }

    def __str__(self) -> str:
        """Print the board: one line a column, face-down cards in brackets, then foundations, waste and stock."""
        columns = [
            f"{number}: {_pile_text(column, down)}".rstrip()
            for number, (column, down) in enumerate(zip(self.columns, self.down, strict=True), 1)
        ]
        rows = [
            f"{suit} {self.foundations[at]} {self.foundations[at + 1]}" for suit, at in zip(SUITS, _ROWS, strict=True)
        ]
        waste = " ".join(texts(self.waste)) or "empty"
        counts = f"stock: {len(self.stock)}  score: {self.score_text}  {self.status}"
        return "\n".join([*columns, f"foundations: {'  '.join(rows)}", f"waste: {waste}", counts])


def _at(move: FoundationToColumn) -> int:
    """Return which of the foundations (0..7) a card is taken from."""
    return 2 * move.suit + move.place - 1


def _changed(of: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    return (*of[:at], value, *of[at + 1 :])


def _pile_text(column: tuple[Card, ...], down: int) -> str:
    hidden = f"[{' '.join(texts(column[:down]))}]" if down else ""
    return f"{hidden} {' '.join(texts(column[down:]))}".strip()
