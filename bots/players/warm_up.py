"""Load or compile every kernel before a first move needs one; `python -m bots.players.warm_up` does it by hand."""

from __future__ import annotations

import time

from bots.player import Budget, Seat
from bots.players.solver import SolverGolf
from bots.solver.double import verdict as double
from bots.solver.verdict import solve_golf
from engine.codes import deal, parse_code
from engine.golf.rules import GolfRules
from engine.solo import deal_out

CODES = ("GO1-E-AAAAAAB", "GO1-S-AAAAAAB")
"""One deal for each kind of search."""


def warm_up() -> float:
    """Solve and play a move of each kind once; returns the seconds it took.

    Meant for the process that will play: some seconds where nothing is compiled yet, a part of a second afterwards.
    """
    begun = time.perf_counter()
    for text in CODES:
        code = parse_code(text)
        assert isinstance(code.rules, GolfRules)
        cards = deal(code)
        solve_golf(code.rules, cards.columns, cards.waste, cards.stock)
        SolverGolf(Seat(code.rules)).choose(deal_out(code).position(), Budget(nodes=1))
    double.warm_up()
    return time.perf_counter() - begun


if __name__ == "__main__":
    print(f"ready after {warm_up():.2f} s")
