"""Draw the suites that come with the bench, once and for all: `python -m bots.bench.draw FOLDER [SUITE …]`.

The numbers come from a fixed seed and are the same for all the rules of a game, so that rules can be compared as well.
Where the game has an exact solver each deal is written with the best score that there is. Suites that are named so have
only deals proved winnable, by a line that the engine has replayed, or proved unwinnable.
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from typing import Final

from bots.bench.suites import Suite, drawn_codes, drawn_suite
from engine.codes import deal, parse_code
from engine.double.board import DoubleBoard
from engine.double.rules import DoubleRules
from engine.golf.rules import GolfRules

__all__ = ["DRAWN", "PROVED", "best_score", "drawn", "proved", "suite_text"]

DRAWN: Final = {
    "golf-classic-1000": ("GO1-C", 1000),
    "golf-easy-1000": ("GO1-E", 1000),
    "golf-strict-1000": ("GO1-S", 1000),
    "double-d1n-200": ("DS1-D1NO", 200),
    "double-d3n-200": ("DS1-D3NO", 200),
    "double-d3v-200": ("DS1-D3VO", 200),
}
"""Suite → its game and how many deals it has."""
PROVED: Final = {
    "golf-classic-winnable-500": ("GO1-C", 500, "winnable"),
    "golf-classic-unwinnable-500": ("GO1-C", 500, "unwinnable"),
    "golf-easy-winnable-500": ("GO1-E", 500, "winnable"),
    "golf-easy-unwinnable-500": ("GO1-E", 500, "unwinnable"),
    "golf-strict-winnable-500": ("GO1-S", 500, "winnable"),
    "golf-strict-unwinnable-500": ("GO1-S", 500, "unwinnable"),
    "double-d1n-winnable-500": ("DS1-D1NO", 500, "winnable"),
    "double-d3n-winnable-500": ("DS1-D3NO", 500, "winnable"),
}
"""Suite → its game, how many deals it has, and what is proved of them."""
VERSION: Final = 1
SEED: Final = 1
PROVED_SEED: Final = 2
STATES: Final = 1_000_000
"""What a proof may take in Double Solitaire."""


def drawn(name: str, deals: int | None = None) -> Suite:
    """Return the deals of a suite as they are drawn, or the first of them."""
    if name in DRAWN:
        game, all_deals = DRAWN[name]
        return drawn_suite(game, all_deals if deals is None else deals, SEED)
    game, all_deals, verdict = PROVED[name]
    codes = (code for code in drawn_codes(game, PROVED_SEED) if proved(code) == verdict)
    return Suite(
        game, f"drawn with seed {PROVED_SEED}, {verdict}", tuple(islice(codes, all_deals if deals is None else deals))
    )


def proved(text: str) -> str:
    """Return what the solvers prove of a deal: `winnable`, `unwinnable`, or `unknown` where that takes too long."""
    from bots.solver.double.verdict import solve_double
    from bots.solver.verdict import Limits, solve_golf

    code = parse_code(text)
    cards = deal(code)
    if isinstance(code.rules, GolfRules):
        return solve_golf(code.rules, cards.columns, cards.waste, cards.stock, want="win").verdict
    assert isinstance(code.rules, DoubleRules)
    return solve_double(DoubleBoard.start(code.rules, cards), Limits(nodes=STATES)).verdict


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
        f"# {name}: {len(suite.codes)} deals of {suite.name}, {suite.version} by bots/bench/draw.py",
        f"# version {VERSION}",
    ]
    for code in suite.codes:
        best = best_score(code)
        lines.append(code if best is None else f"{code} {best}")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    folder, *names = sys.argv[1:]
    for name in names or [*DRAWN, *PROVED]:
        (Path(folder) / f"{name}.txt").write_text(suite_text(name), "utf-8")
