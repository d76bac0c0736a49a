"""Measure the solver on random deals: `python -m bots.solver.double.bench D3N --deals 1000 --seconds 1`."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from statistics import median, quantiles

import click
import numpy as np

from bots.bench.stats.intervals import wilson
from bots.solver.double import room as at
from bots.solver.double import search
from bots.solver.double.hunt import find, memory, prepare
from bots.solver.double.line import setting_of
from bots.solver.double.position import RANK_BITS, Position, Setting
from bots.solver.double.verdict import solve_double
from bots.solver.golf.search import Limits
from bots.solver.jit import compiled
from engine.cards import Card
from engine.double.board import DoubleBoard
from engine.double.rules import DoubleRules

ONE_PACK = {"one-pack-d1": Setting(draw=1, packs=1), "one-pack-d3": Setting(draw=3, packs=1)}
"""Klondike with recycling, to compare with what is published; the engine does not know it."""
RULES = ("D1N", "D3N", "D1V", "D3V", *ONE_PACK)
ENTRIES = 1_000_000


def positions(packs: int, deals: int, seed: int) -> Iterator[Position]:
    """Deal one or two packs: 7 columns or 9."""
    columns = 7 if packs == 1 else 9
    chance = random.Random(seed)
    order = [suit << RANK_BITS | rank for suit in range(4) for rank in range(1, 14)] * packs
    ends = [columns_before * (columns_before + 1) // 2 for columns_before in range(columns + 1)]
    for _ in range(deals):
        chance.shuffle(order)
        piles = tuple(tuple(order[ends[c] : ends[c + 1]]) for c in range(columns))
        yield Position(piles, tuple(range(columns)), tuple(order[ends[-1] :]))


def board_of(position: Position, rules: DoubleRules) -> DoubleBoard:
    """Return the engine's board of a deal."""

    def cards(pile: tuple[int, ...]) -> tuple[Card, ...]:
        return tuple(Card((card >> RANK_BITS) * 13 + (card & 15) - 1) for card in pile)

    return DoubleBoard(rules, tuple(map(cards, position.columns)), position.down, (), cards(position.reserve))


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


def states_and_entries(setting: Setting) -> tuple[float, float]:
    """Return how many states are searched a second, and how many keys entered into a table as large."""
    mine, mark = memory(), memory().mark
    position = next(positions(setting.packs, 1, 2))
    table = np.zeros(len(mine.seen), np.int64)
    for _ in range(2):  # The first time is for compiling.
        prepare(mine, position, setting)
        mark[at.SLOTS], mark[at.WHOLE], mark[at.NOISE] = len(mine.seen) - 1, 1, 0
        begun = time.thread_time()
        search.search(mine, ENTRIES)
        between = time.thread_time()
        table.fill(0)
        enter_keys(table, ENTRIES)
        ended = time.thread_time()
    return int(mark[at.NODES]) / (between - begun), ENTRIES / (ended - between)


@click.command
@click.argument("name", metavar="RULES", type=click.Choice(RULES))
@click.option("--deals", default=1000, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--seconds", default=1.0, show_default=True, help="CPU seconds a deal may take.")
def main(name: str, deals: int, seed: int, seconds: float) -> None:
    """Print how many deals are decided and in what time, their win rate, and what is left open."""
    limits = Limits(ms=seconds * 1000)
    rules = DoubleRules.parse(name)
    setting = setting_of(rules) if rules else ONE_PACK[name]
    searched, entered = states_and_entries(setting)
    verdicts, times, placed, states = [], [], [], 0
    with click.progressbar(list(positions(setting.packs, deals, seed))) as dealt:
        for position in dealt:
            begun = time.thread_time()
            if rules is None:
                found = find(position, setting, limits)
                verdicts.append("winnable" if found.won else "unknown" if found.limit else "unwinnable")
                placed.append(setting.cards if found.won else found.up)
                states += found.nodes
            else:
                verdict = solve_double(board_of(position, rules), limits)
                verdicts.append(verdict.verdict)
                placed.append(verdict.best.placed)
                states += verdict.nodes
            times.append((time.thread_time() - begun) * 1000)
    counts = Counter(verdicts)
    won, lost = counts["winnable"], counts["unwinnable"]
    percentiles = quantiles(times, n=100)
    click.echo(f"{deals} deals, seed {seed}: {won} winnable, {lost} unwinnable, {counts['unknown']} open")
    click.echo(
        f"ms of CPU: median {median(times):.1f}, p90 {percentiles[89]:.1f}, p99 {percentiles[98]:.1f}, "
        f"longest {max(times):.0f}, mean {sum(times) / deals:.1f}; {states / deals:.0f} states a deal"
    )
    lowest, highest = wilson(won, deals, 0.999).low, wilson(deals - lost, deals, 0.999).high
    click.echo(f"win rate, 99.9 % interval, open deals counted both ways: {lowest:.4%} to {highest:.4%}")
    click.echo(f"cards up at the best ends: {sum(placed) / deals:.1f} on average")
    click.echo(f"{searched:.0f} states/s, {searched / entered:.3f} of the keys/s that a table as large takes")
    if open_deals := [number for number, verdict in enumerate(verdicts) if verdict == "unknown"]:
        click.echo(f"open: {' '.join(map(str, open_deals[:100]))}")


if __name__ == "__main__":
    main()
