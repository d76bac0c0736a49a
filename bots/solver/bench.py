"""Measure the solvers: `python -m bots.solver.bench`; each rate beside that of a plain search in the same run."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from typing import Literal

import click
import numpy as np

from bots.solver.golf.position import LETTERS, Position, Switches, arrays
from bots.solver.golf.search import Limits, search
from bots.solver.yardstick import plain_win, yardstick_room

FIRST_ANSWER = """
import resource, time
from bots.players.warm_up import warm_up
warm_up()
print(time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def deals(count: int, seed: int = 1) -> list[Position]:
    """Shuffle so many deals without jokers."""
    chance = np.random.default_rng(seed)
    return [_dealt(tuple(int(card) % 13 + 1 for card in chance.permutation(52))) for _ in range(count)]


def _dealt(ranks: tuple[int, ...]) -> Position:
    return Position(tuple(ranks[at : at + 5] for at in range(0, 35, 5)), ranks[35], ranks[36:])


def in_mid_game(position: Position) -> Position:
    """Play a deal's best line half-way."""
    line = search(position, LETTERS["E"], Limits()).line
    columns, waste, stock = [list(column) for column in position.columns], position.waste, list(position.stock)
    for word in line[: len(line) // 2]:
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


def first_answer(cache: str) -> tuple[float, float]:
    """Return the CPU seconds of a new process that uses every kernel once, and the most MiB it took."""
    ran = subprocess.run(
        [sys.executable, "-c", FIRST_ANSWER],
        env=os.environ | {"NUMBA_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, mebibytes = map(float, ran.stdout.split())
    return seconds, mebibytes


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
        wants: tuple[Literal["win", "most"], ...] = ("win", "most")
        for want in wants:
            found, longest = rate(partial(search, switches=switches, limits=Limits(), want=want), positions)
            click.echo(f"{letter + ' ' + want:28}{found:10.1f}{found / base:10.1f}{longest:12.1f}")
    halves = [in_mid_game(position) for position in positions[:100]]
    found, longest = rate(partial(search, switches=LETTERS["E"], limits=Limits()), halves)
    click.echo(f"{'E most, in mid-game':28}{found:10.1f}{'':10}{longest:12.1f}")
    with tempfile.TemporaryDirectory() as cache:
        for how in ("compiled anew", "from the cache"):
            seconds, mebibytes = first_answer(cache)
            click.echo(f"first answer {how}: {seconds:.1f} s of CPU, {mebibytes:.0f} MiB")


if __name__ == "__main__":
    main()
