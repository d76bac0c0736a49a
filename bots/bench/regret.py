"""What a game gave away of the best that its deal had to give, where the solver knows that exactly."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from bots.analysis.position import reach
from bots.analysis.run import run_answer
from engine.codes import parse_code
from engine.game import first_board
from engine.record import Record
from engine.solo import UNDO

__all__ = ["given_away"]

DEALS_KNOWN: Final = 20_000
"""Deals whose best is remembered, so that it is searched once for all the bots that play them in one process."""


def given_away(record: Record, score: int) -> tuple[int | None, int | None]:
    """Return the points below the best at the deal, and the sum of what single moves gave away; of Golf only.

    Without undo both are the same: what one move has given away, none brings back.
    """
    if record.code.game != "GO":
        return None, None
    if UNDO not in record.words:
        regret = _best_score(str(record.code)) - score
        return regret, regret
    found = run_answer(record.code, record.words)
    return found.regret, found.dropped


@lru_cache(DEALS_KNOWN)
def _best_score(code: str) -> int:
    return reach(first_board(parse_code(code))).best.score
