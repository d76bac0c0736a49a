"""The greedy player of Double Solitaire."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from bots.player import DONE, Budget, Choice, Seat
from bots.players.double.sight import KING, RANK, ROW, Sight, look
from engine.double.moves import MOVES, ColumnToColumn, ColumnToFoundation, WasteToColumn, WasteToFoundation


class GreedyDouble:
    """Plays what looks best at once: cards turned up, cards put up, cards from the waste; never takes one back.

    Every such move brings the game further or empties a column, so they come to an end; so does the drawing, since it
    recycles only when something has changed since it did so last.
    """

    def __init__(self, seat: Seat) -> None:
        self._chance = Random(seat.seed)
        self._recycled: tuple[object, ...] | None = None

    def choose(self, view: Mapping[str, Any], budget: Budget) -> Choice:
        """Pick the word of most value, else draw, else recycle; settle when a whole round has changed nothing."""
        sight = look(view)
        values = {word: value for word in sight.legal if (value := _value(sight, word))}
        if values:
            best = max(values.values())
            return Choice(self._chance.choice([word for word, value in values.items() if value == best]))
        if "d" in sight.legal:
            return Choice("d")
        cards = sight.columns, sight.waste, sight.foundations
        if "r" in sight.legal and cards != self._recycled:
            self._recycled = cards
            return Choice("r")
        return Choice(DONE)


def _value(sight: Sight, word: str) -> int:
    """Return what a move is worth, 0 for one that leads nowhere by itself."""
    match MOVES[word]:
        case ColumnToFoundation(source):
            run, down = sight.columns[source - 1], sight.down[source - 1]
            if len(run) == 1 and down:
                return 60 + down
            return 50 if _free_to_go(sight, run[-1]) else 15
        case WasteToFoundation():
            return 50 if _free_to_go(sight, sight.waste[-1]) else 20
        case ColumnToColumn(source, target, cards):
            return _value_of_run(sight, source - 1, target - 1, cards)
        case WasteToColumn():
            return 30
        case _:
            return 0


def _value_of_run(sight: Sight, source: int, target: int, cards: int) -> int:
    run, down = sight.columns[source], sight.down[source]
    if cards < len(run):
        # Part of a run moves only where the card that this frees goes up: else it could go to and fro for ever.
        return 10 if _goes_up(sight, run[-cards - 1]) else 0
    if down:
        return 40 + down
    if RANK[run[0]] == KING:
        return 0
    return 25 if _king_waits(sight) else 0


def _goes_up(sight: Sight, card: int) -> bool:
    return RANK[card] - 1 in sight.foundations[ROW[card] : ROW[card] + 2]


def _free_to_go(sight: Sight, card: int) -> bool:
    """Tell whether no card that could be laid on this one is still in play, or only aces and twos, which go up too."""
    lower = RANK[card] - 1
    others = range(2, 6) if ROW[card] in (0, 6) else (0, 1, 6, 7)
    return lower <= 1 or all(sight.foundations[place] >= lower for place in others)


def _king_waits(sight: Sight) -> bool:
    """Tell whether a king would use an empty column: the waste's top or one that lies on face-down cards."""
    if sight.waste and RANK[sight.waste[-1]] == KING:
        return True
    return any(run and down and RANK[run[0]] == KING for run, down in zip(sight.columns, sight.down, strict=True))
