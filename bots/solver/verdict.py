"""Solve a position of Golf and prove the answer by playing its line through the engine."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from bots.solver.golf.position import EMPTY, LETTERS, Position
from bots.solver.golf.search import Limits, Want, search
from engine.cards import Card, rank_of
from engine.golf.board import GolfBoard
from engine.golf.moves import MOVES
from engine.golf.rules import GolfRules

__all__ = ["Best", "Limits", "LineRefused", "Verdict", "solve_golf"]


class Best(Struct, frozen=True):
    """The best end that is known to be within reach: cards removed in all (of 35) and the score as settled there."""

    removed: int
    score: int


class Verdict(Struct, frozen=True):
    """Whether a position can still be won, and the best that can be had from it.

    `unknown` means that a limit (`nodes` or `time`) ended the search first; `best` is then what was found.
    """

    verdict: Literal["winnable", "unwinnable", "unknown"]
    line: tuple[str, ...]
    """Words from the position on to `best`: the win, where there is one."""
    best: Best
    nodes: int
    """Heights of the columns that were looked at."""
    ms: float
    """CPU milliseconds."""
    limit: str | None = None


class LineRefused(AssertionError):
    """The engine refused a move of a line that a solver had found: one of the two is wrong."""

    def __init__(self, line: Sequence[str], index: int, reason: str) -> None:
        self.line, self.index, self.reason = tuple(line), index, reason
        super().__init__(f"expected a line of legal moves, but {line[index]!r} at index {index} is refused: {reason}")


def solve_golf(
    rules: GolfRules,
    columns: Sequence[Sequence[Card]],
    waste: Sequence[Card],
    stock: Sequence[Card],
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    *,
    want: Want = "most",
) -> Verdict:
    """Solve a position: columns from the buried card down, the waste (top card last, or empty), the stock as drawn.

    `want` is what `search` is to find: for `win` and `win, least stock` an unwinnable position's `best` is only what
    came along. Raises LineRefused if the engine does not agree with the line found.
    """
    begun = time.thread_time()
    position = Position(
        columns=tuple(tuple(rank_of(card) for card in column) for column in columns),
        waste=rank_of(waste[-1]) if waste else EMPTY,
        stock=tuple(rank_of(card) for card in stock),
    )
    found = search(position, LETTERS[rules.letter], limits, want=want)
    removed = 35 - sum(len(column) for column in columns)
    start = GolfBoard(rules, tuple(map(tuple, columns)), tuple(waste), tuple(stock), score=10 * removed)
    end = replay(start, found.line)
    if found.left != end.left:
        raise LineRefused((*found.line, "end"), len(found.line), f"{end.left} cards are left, not {found.left}")
    unproved: Literal["unwinnable", "unknown"] = "unknown" if found.limit else "unwinnable"
    return Verdict(
        verdict="winnable" if end.left == 0 else unproved,
        line=found.line,
        best=Best(removed=end.cleared, score=end.settled_score),
        nodes=found.nodes,
        ms=(time.thread_time() - begun) * 1000,
        limit=found.limit,
    )


def replay(board: GolfBoard, line: Sequence[str]) -> GolfBoard:
    """Play a line through the engine. Raises LineRefused."""
    for index, word in enumerate(line):
        move = MOVES[word]
        if reason := board.refusal(move):
            raise LineRefused(line, index, reason)
        board = board.after(move)
    return board
