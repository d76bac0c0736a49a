"""Double Solitaire boards written as text, for tests of single rules."""

import re

from engine.cards import SUITS, parse_cards
from engine.double.board import DoubleBoard
from engine.double.rules import DoubleRules
from engine.double.score import POINTS
from engine.game import GAMES
from engine.solo import Solo, UndoPolicy

__all__ = ["board", "game_on"]


def board(
    columns: str = "",
    waste: str = "",
    stock: str = "",
    *,
    up: str = "",
    rules: str = "D1N",
    score: int | None = None,
) -> DoubleBoard:
    """Make a position, written as boards are printed.

    Columns are parted by `/`, empty ones may be left out at the end, face-down cards are in brackets; `up` are the
    heights of the foundations that are not empty, `S 5 0 C 1 1`. As if nothing had ever been taken back.
    """
    parsed = DoubleRules.parse(rules)
    assert parsed is not None
    piles, down = [], []
    for column in columns.split("/"):
        hidden, shown = re.fullmatch(r"\s*(?:\[(.*)\])?(.*)", column).groups()  # type: ignore[union-attr]
        piles.append(parse_cards(hidden or "") + parse_cards(shown))
        down.append(len(parse_cards(hidden or "")))
    piles += [()] * (9 - len(piles))
    down += [0] * (9 - len(down))
    heights = {suit: (first, second) for suit, first, second in re.findall(r"([SHDC]) (\d+) (\d+)", up)}
    foundations = tuple(int(height) for suit in SUITS for height in heights.get(suit, (0, 0)))
    highest = tuple(
        height for at in range(0, 8, 2) for height in sorted(foundations[at : at + 2], reverse=True) if parsed.once
    )
    return DoubleBoard(
        parsed,
        tuple(piles),
        tuple(down),
        parse_cards(waste),
        parse_cards(stock),
        foundations,
        POINTS[parsed.scoring].start if score is None else score,
        highest=highest or (0,) * 8,
    )


def game_on(position: DoubleBoard, undo: UndoPolicy = UndoPolicy.FREE) -> Solo:
    """Make a game that starts on a position whose stock cards have not been seen yet."""
    return Solo(GAMES["DS"], position, undo, seen=position.drawn)
