"""Draw the suites that come with the bench, once and for all: `python -m bots.bench.draw FOLDER`.

The numbers come from fixed seeds and are the same for all the rules of a game, so that rules can be compared as well.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from bots.bench.suites import drawn_suite

__all__ = ["DRAWN", "suite_text"]

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


def suite_text(name: str) -> str:
    """Return a suite's file."""
    game, deals = DRAWN[name]
    codes = drawn_suite(game, deals, SEED).codes
    head = [f"# {name}: {deals} deals of {game}, drawn with seed {SEED} by bots/bench/draw.py", f"# version {VERSION}"]
    return "\n".join([*head, *codes, ""])


if __name__ == "__main__":
    for name in DRAWN:
        (Path(sys.argv[1]) / f"{name}.txt").write_text(suite_text(name), "utf-8")
