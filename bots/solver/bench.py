"""Measure the solvers: `python -m bots.solver.bench`; each rate beside that of a plain search in the same run."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from typing import get_args

import click
import numpy as np

from bots.solver.golf.position import LETTERS, Position, Switches, arrays
from bots.solver.golf.search import Limits, Want, search
from bots.solver.yardstick import plain_win, yardstick_room

FIRST_ANSWER = """
import resource, sys, time
sys.modules["scipy"] = None  # Only development has it, and numba would load it.
import numba
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
from bots.solver.bench import deals
from bots.solver.golf.position import LETTERS
from bots.solver.golf.search import Limits, search
for switches in LETTERS.values():
    search(deals(1)[0], switches, Limits())
print(time.process_time(), before / 1024, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def deals(count: int, seed: int = 1) -> list[Position]:
    """Shuffle so many deals without jokers."""
    chance = np.random.default_rng(seed)
    return [_dealt(tuple(int(card) % 13 + 1 for card in chance.permutation(52))) for _ in range(count)]


def _dealt(ranks: tuple[int, ...]) -> Position:
    return Position(tuple(ranks[at : at + 5] for at in range(0, 35, 5)), ranks[35], ranks[36:])


def in_mid_game(position: Position, letter: str = "E") -> Position:
    """Play a third of a deal's best line."""
    line = search(position, LETTERS[letter], Limits()).line
    columns, waste, stock = [list(column) for column in position.columns], position.waste, list(position.stock)
    for word in line[: len(line) // 3]:
        waste = stock.pop(0) if word == "d" else columns[int(word) - 1].pop()
    return Position(tuple(map(tuple, columns)), waste, tuple(stock))


def rate(
    solve: Callable[[Position], object], positions: list[Position], before: Callable[[], object] = lambda: None
) -> tuple[float, float]:
    """Return positions solved per second of CPU, and the longest that one took in milliseconds."""
    solve(positions[0])
    times = []
    for position in positions:
        before()
        begun = time.thread_time()
        solve(position)
        times.append(time.thread_time() - begun)
    return len(times) / sum(times), max(times) * 1000


def first_answer(cache: str) -> tuple[float, float, float]:
    """Solve a deal under each letter in a new process: its CPU seconds, and the MiB of numba alone and in all.

    Compiled kernels and Python's own compiled files are kept in `cache`.
    """
    ran = subprocess.run(
        [sys.executable, "-c", FIRST_ANSWER],
        env=os.environ | {"NUMBA_CACHE_DIR": cache, "PYTHONPYCACHEPREFIX": cache, "PYTHONDONTWRITEBYTECODE": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, numba_alone, in_all = map(float, ran.stdout.split())
    return seconds, numba_alone, in_all


@click.command
@click.option("--deals", "count", default=300, show_default=True, help="Deals that the solvers solve.")
@click.option("--plain", default=20, show_default=True, help="Deals that the plain search solves.")
def main(count: int, plain: int) -> None:
    """Print deals a second and core, and how often that is the plain search's rate under the same rules."""
    positions = deals(count)
    seen, todo = yardstick_room()

    def solve_plainly(position: Position, switches: Switches) -> bool:
        given = arrays(position, switches)
        return plain_win(given.columns, given.waste, given.stock, given.fits, switches.draw_waits, seen, todo)

    click.echo(f"{'':28}{'deals/s':>10}{'× plain':>10}{'longest ms':>12}")
    for letter, switches in LETTERS.items():
        base, longest = rate(partial(solve_plainly, switches=switches), positions[:plain], lambda: seen.fill(0))
        click.echo(f"{letter + ' plain win check':28}{base:10.1f}{1:10.1f}{longest:12.1f}")
        for want in get_args(Want):
            found, longest = rate(partial(search, switches=switches, limits=Limits(), want=want), positions)
            click.echo(f"{letter + ' ' + want:28}{found:10.1f}{found / base:10.1f}{longest:12.1f}")
        later = [in_mid_game(position, letter) for position in positions]
        found, longest = rate(partial(search, switches=switches, limits=Limits()), later)
        click.echo(f"{letter + ' most, in mid-game':28}{found:10.1f}{found / base:10.1f}{longest:12.1f}")
    with tempfile.TemporaryDirectory() as cache:
        for how in ("compiled anew", "from the cache"):
            seconds, numba_alone, in_all = first_answer(cache)
            click.echo(f"first answer {how}: {seconds:.2f} s of CPU, {in_all - numba_alone:.0f} MiB beyond numba")


if __name__ == "__main__":
    main()
