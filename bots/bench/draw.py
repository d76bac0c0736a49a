"""Draw the suites that come with the bench, once and for all: `python -m bots.bench.draw FOLDER`.

The numbers come from a fixed seed and are the same for all the rules of a game, so that rules can be compared as well.
Where the game has an exact solver each deal is written with the best score that there is.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from bots.bench.suites import Suite, drawn_suite
from engine.codes import deal, parse_code
from engine.golf.rules import GolfRules

__all__ = ["DRAWN", "best_score", "drawn", "suite_text"]

DRAWN: Final = {
    "golf-classic-1000": ("GO1-C", 1000),
    "golf-easy-1000": ("GO1-E", 1000),
    "golf-strict-1000": ("GO1-S", 1000),
    "double-d1n-200": ("DS1-D1NO", 200),
    "double-d3n-200": ("DS1-D3NO", 200),
    "double-d3v-200": ("DS1-D3VO", 200),
}
"""Suite → its game and how many deals it has."""
VERSION: Final = 1
SEED: Final = 1


def drawn(name: str) -> Suite:
    """Return the deals of a suite as they are drawn."""
    game, deals = DRAWN[name]
    return drawn_suite(game, deals, SEED)


def best_score(text: str) -> int | None:
    """Return the best settled score that a deal allows whoever sees all its cards; None where no solver is exact."""
    from bots.solver.verdict import solve_golf

    code = parse_code(text)
    if not isinstance(code.rules, GolfRules):
        return None
    cards = deal(code)
    verdict = solve_golf(code.rules, cards.columns, cards.waste, cards.stock)
    return None if verdict.limit else verdict.best.score


def suite_text(name: str) -> str:
    """Return a suite's file."""
    suite = drawn(name)
    lines = [
        f"# {name}: {len(suite.codes)} deals of {suite.name}, drawn with seed {SEED} by bots/bench/draw.py",
        f"# version {VERSION}",
    ]
    for code in suite.codes:
        best = best_score(code)
        lines.append(code if best is None else f"{code} {best}")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    for name in DRAWN:
        (Path(sys.argv[1]) / f"{name}.txt").write_text(suite_text(name), "utf-8")
