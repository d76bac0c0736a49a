"""Solve a position of Double Solitaire and prove the answer by playing its line through the engine."""

from __future__ import annotations

import time
from typing import Literal

from msgspec import Struct

from bots.solver.double.line import Played, position_of, setting_of
from bots.solver.double.placeless.widely import Trial, followed, most_cards
from bots.solver.double.places.hunt import find
from bots.solver.golf.search import Limits
from bots.solver.verdict import LineRefused
from engine.double.board import DoubleBoard
from engine.double.rules import COLUMNS, DoubleRules

__all__ = ["Limits", "LineRefused", "Most", "Verdict", "replay", "solve_double", "warm_up"]


class Most(Struct, frozen=True):
    """The best end that is known to be within reach: cards on the foundations (of 104) and the score there."""

    placed: int
    score: int


class Verdict(Struct, frozen=True):
    """Whether a position can still be won, and the most cards that a line was found to put up.

    `unknown` means that a limit (`nodes`, `time` or `memory`) ended the search first. A limit that is named with
    `unwinnable` has ended the search for the most cards.
    """

    verdict: Literal["winnable", "unwinnable", "unknown"]
    line: tuple[str, ...]
    """Words from the position on to `best`: the win, where there is one."""
    best: Most
    bound: int
    """No line puts up more cards than this."""
    nodes: int
    """States visited."""
    ms: float
    """CPU milliseconds."""
    limit: str | None = None


def solve_double(board: DoubleBoard, limits: Limits = Limits()) -> Verdict:  # noqa: B008 (frozen)
    """Solve a position, all its cards known. Raises LineRefused if the engine does not agree with the line found."""
    begun = time.thread_time()
    setting = setting_of(board.rules)
    found = (find if setting.recycles else most_cards)(position_of(board), setting, limits)
    played = Played(board)
    played.follow(found.path)
    if played.board.cleared != found.up:
        reason = f"{played.board.cleared} cards are up, not {found.up}"
        raise LineRefused((*played.words, "end"), len(played.words), reason)
    if found.won:
        played.finish()
    end = replay(board, played.words)
    lost = found.limit is None or found.bound < setting.cards
    unproved: Literal["unwinnable", "unknown"] = "unwinnable" if lost else "unknown"
    return Verdict(
        verdict="winnable" if end.left == 0 else unproved,
        line=tuple(played.words),
        best=Most(placed=end.cleared, score=end.settled_score),
        bound=found.bound,
        nodes=found.nodes,
        ms=(time.thread_time() - begun) * 1000,
        limit=found.limit,
    )


def warm_up() -> float:
    """Load or compile the kernels before a first answer needs them; returns the seconds it took."""
    begun = time.perf_counter()
    for scoring in ("N", "V"):
        board = DoubleBoard(
            DoubleRules(scoring=scoring), ((),) * COLUMNS, (0,) * COLUMNS, (), (), foundations=(13,) * 8
        )
        solve_double(board, Limits(1))
    followed(position_of(board), setting_of(board.rules), Trial(1, (0,) * 8, None), Limits())
    return time.perf_counter() - begun


def replay(board: DoubleBoard, line: tuple[str, ...] | list[str]) -> DoubleBoard:
    """Play a line of words through the engine. Raises LineRefused."""
    for index, word in enumerate(line):
        answer = board.answer(word)
        if not isinstance(answer, tuple):
            raise LineRefused(line, index, answer)
        board, _ = answer
    return board
