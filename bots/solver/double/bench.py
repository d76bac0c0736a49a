"""Measure the solver on deals: `python -m bots.solver.double.bench D3N --deals 1000 --seconds 1`."""

from __future__ import annotations

import time
from collections import Counter
from math import isnan
from statistics import median, quantiles

import click
import numpy as np

from bots.bench.stats.intervals import wilson
from bots.solver.double import mark as at
from bots.solver.double.klondike import KLONDIKE, numbered
from bots.solver.double.line import position_of, setting_of
from bots.solver.double.places.hunt import find, memory, prepare
from bots.solver.double.places.search import search
from bots.solver.double.position import Position, Setting
from bots.solver.double.verdict import solve_double
from bots.solver.golf.search import Limits
from bots.solver.jit import compiled
from engine.codes import OPEN_LETTERS, Code, deal, number_letters
from engine.double.board import DoubleBoard
from engine.double.rules import DoubleRules

RULES = ("D1N", "D3N", "D1V", "D3V", *KLONDIKE)
FIRST = 2
"""Number of the first deal: those before it are lay-outs that the app has published, not shuffled."""
ENTRIES = 1_000_000


def board(rules: DoubleRules, number: int) -> DoubleBoard:
    """Return the deal of that number."""
    return DoubleBoard.start(rules, deal(Code("DS", 1, rules, number_letters(number, OPEN_LETTERS))))


@compiled
def enter_keys(table: at.Int64, entries: int) -> int:
    """Enter so many keys into a hash table, the least that a search does for a state; returns how many were new."""
    new = 0
    mask = len(table) - 1
    for number in range(1, entries + 1):
        key = (number * 0x1F58476D1CE4E5B9) & at.KEYS
        key = ((key ^ (key >> 29)) * 0x14D049BB133111EB) & at.KEYS
        place = (key ^ (key >> 20)) & mask
        while table[place] not in (0, key):
            place = (place + 1) & mask
        new += table[place] == 0
        table[place] = key
    return new


def states_and_entries(position: Position, setting: Setting) -> tuple[float, float]:
    """Return how many states are searched a second, and how many keys entered into a table as large."""
    mine, mark = memory(), memory().mark
    table = np.zeros(len(mine.seen), np.int64)
    for _ in range(2):  # The first time is for compiling.
        prepare(mine, position, setting)
        mark[at.SLOTS], mark[at.WHOLE], mark[at.NOISE] = len(mine.seen) - 1, 1, 0
        begun = time.thread_time()
        search(mine, ENTRIES)
        between = time.thread_time()
        table.fill(0)
        enter_keys(table, ENTRIES)
        ended = time.thread_time()
    return int(mark[at.NODES]) / (between - begun), ENTRIES / (ended - between)


def decided(rules: DoubleRules | None, setting: Setting, number: int, limits: Limits) -> tuple[str, int, int, int]:
    """Decide a deal, without rules one of one pack: the verdict, cards put up, cards at most, states looked at."""
    if rules is None:
        found = find(numbered(number), setting, limits)
        verdict = "winnable" if found.won else "unknown" if found.limit else "unwinnable"
        return verdict, setting.cards if found.won else found.up, found.bound, found.nodes
    solved = solve_double(board(rules, number), limits)
    return solved.verdict, solved.best.placed, solved.bound, solved.nodes


@click.command
@click.argument("name", metavar="RULES", type=click.Choice(RULES))
@click.option("--deals", type=click.IntRange(2), default=1000, show_default=True)
@click.option(
    "--seconds",
    type=click.FloatRange(0, 3600, min_open=True),
    default=1.0,
    show_default=True,
    help="CPU seconds a deal may take.",
)
def main(name: str, deals: int, seconds: float) -> None:
    """Print how many deals are decided and in what time, their win rate, and what is left open."""
    if isnan(seconds):
        raise click.BadParameter("expected a number of seconds, found nan", param_hint="--seconds")
    limits = Limits(ms=seconds * 1000)
    rules = DoubleRules.parse(name)
    setting = setting_of(rules) if rules else KLONDIKE[name]
    first = position_of(board(rules, FIRST)) if rules else numbered(FIRST)
    searched, entered = states_and_entries(first, setting)
    verdicts, times, placed, bounds, states = [], [], [], [], 0
    with click.progressbar(range(FIRST, FIRST + deals)) as numbers:
        for number in numbers:
            begun = time.thread_time()
            verdict, up, bound, nodes = decided(rules, setting, number, limits)
            verdicts.append(verdict)
            placed.append(up)
            bounds.append(bound)
            states += nodes
            times.append((time.thread_time() - begun) * 1000)
    counts = Counter(verdicts)
    won, lost = counts["winnable"], counts["unwinnable"]
    percentiles = quantiles(times, n=100)
    click.echo(f"{deals} deals from number {FIRST} on: {won} winnable, {lost} unwinnable, {counts['unknown']} open")
    click.echo(
        f"ms of CPU: median {median(times):.1f}, p90 {percentiles[89]:.1f}, p99 {percentiles[98]:.1f}, "
        f"longest {max(times):.0f}, mean {sum(times) / deals:.1f}; {states / deals:.0f} states a deal"
    )
    lowest, highest = wilson(won, deals, 0.999).low, wilson(deals - lost, deals, 0.999).high
    click.echo(f"win rate, 99.9 % interval, open deals counted both ways: {lowest:.4%} to {highest:.4%}")
    click.echo(
        f"cards up at the best ends: {sum(placed) / deals:.1f} on average, and at most {sum(bounds) / deals:.1f} ever"
    )
    click.echo(f"{searched:.0f} states/s, {searched / entered:.3f} of the keys/s that a table as large takes")
    if open_deals := [FIRST + at for at, verdict in enumerate(verdicts) if verdict == "unknown"]:
        click.echo(f"open: {' '.join(number_letters(number, OPEN_LETTERS) for number in open_deals[:100])}")


if __name__ == "__main__":
    main()
