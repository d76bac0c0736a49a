"""Rate the roster: `python -m bots.calibrate FOLDER` plays all its fair players over the same deals.

Each player's games are kept in a folder of their own, by pool: a run that was stopped goes on when it is started again,
and where a player has changed its folders are to be deleted. What comes out is written into `bots/ratings.json`.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import click
from msgspec import Struct
from msgspec.structs import replace

from bots.bench.bench import Bench
from bots.bench.contestant import contestant
from bots.bench.faults import RunRefused
from bots.bench.rows import Row
from bots.bench.run import Processes
from bots.bench.stats.rating import ratings
from bots.bench.suites import suite
from bots.conditions import Conditions
from bots.ratings import POOLS, PoolRatings, Rated, write_measured
from bots.roster import ROSTER

__all__ = ["MEAN", "Measure", "calibrate", "rated"]

MEAN: Final = 1500
"""The rating in the middle of the scale, with which a new person begins too."""
LEVEL: Final = "level-"
"""What the names of the players begin with whose mean is the middle."""


class Measure(Struct, frozen=True):
    """On which deals a pool is measured, and how many nodes a move may take.

    Only the solver counts them: in Double Solitaire as games played out, of which a move's time allows some dozens.
    """

    suite: str
    nodes: int


MEASURES: Final = {
    "GO1-E": Measure("golf-easy-1000", 2000),
    "GO1-C": Measure("golf-classic-1000", 2000),
    "GO1-S": Measure("golf-strict-1000", 2000),
    "DS1-D1N": Measure("double-d1n-200", 12),
    "DS1-D3N": Measure("double-d3n-200", 12),
}


def calibrate(pool: str, folder: Path, deals: int | None, jobs: int) -> PoolRatings:
    """Play what is left to play of a pool, and rate its players."""
    measure = MEASURES[pool]
    played = suite(measure.suite, deals=deals)
    conditions = Conditions(nodes=measure.nodes)
    rows: dict[str, Sequence[Row]] = {}
    for one in ROSTER.values():
        if one.mode == "fair" and played.game in one.games:
            # Its other games have nothing to do with this one, and may become more.
            who = replace(contestant(one.name, conditions), games=(played.game,))
            bench = Bench(played, [who], conditions, jobs=jobs, out=folder / pool / one.name)
            if bench.left:
                bench.run(lambda: Processes(jobs), lambda _: None)
            rows[one.name] = bench.rows
            click.echo(f"{pool} {one.name}: {len(bench.rows)} games", err=True)
    return PoolRatings(
        suite=played.name,
        version=played.version,
        hash=played.hash,
        deals=len(played.codes),
        nodes=measure.nodes,
        players=rated(rows),
    )


def rated(rows: Mapping[str, Sequence[Row]]) -> dict[str, Rated]:
    """Rate players by their games on the same deals, in the same order; the weakest first."""
    found = {
        rating.bot: rating.elo
        for rating in ratings({name: [row.score for row in games] for name, games in rows.items()})
    }
    levels = [elo.value for name, elo in found.items() if name.startswith(LEVEL)]
    shift = MEAN - statistics.mean(levels or [elo.value for elo in found.values()])
    return {
        name: Rated(
            rating=round(elo.value + shift),
            low=round(elo.low + shift),
            high=round(elo.high + shift),
            won=round(statistics.mean(row.won for row in rows[name]), 4),
            score=round(statistics.mean(row.score for row in rows[name]), 1),
            cpu_ms=round(statistics.mean(row.cpu_ms for row in rows[name]), 1),
        )
        for name, elo in sorted(found.items(), key=lambda item: item[1].value)
    }


@click.command
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--pool", "pools", multiple=True, type=click.Choice(POOLS), help="Only these; unless given, all.")
@click.option("--deals", type=click.IntRange(1), help="The first deals of each suite only.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
def main(folder: Path, pools: tuple[str, ...], deals: int | None, jobs: int) -> None:
    """Rate the roster; the games are kept in FOLDER."""
    for pool in pools or POOLS:
        try:
            write_measured({pool: calibrate(pool, folder, deals, jobs)})
        except RunRefused as fault:
            raise click.ClickException(f"{fault}: delete the folder to play its games anew") from fault


if __name__ == "__main__":
    main()
