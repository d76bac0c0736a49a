"""A run in numbers: each bot's results, with the uncertainty that so many games leave."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from bots.bench.contestant import Contestant
from bots.bench.folder import Plan
from bots.bench.machine import Machine, this_machine
from bots.bench.rows import Row
from bots.bench.stats.intervals import Interval, sample_mean, wilson
from bots.bench.stats.paired import Comparison, compared
from bots.bench.stats.rating import Rating, ratings
from bots.bench.stats.sprt import Sprt
from engine.golf.rules import TABLEAU

__all__ = ["Standing", "Summary", "Table", "compared_rows", "summarized"]


class Standing(Struct, frozen=True):
    """One bot's results over all its games."""

    bot: str
    name: str
    version: str
    mode: str
    games: int
    wins: int
    win_rate: Interval
    score: Interval
    cleared: Interval
    """Cards removed (Golf) or placed (Double Solitaire)."""
    moves: Interval
    strokes: Interval | None
    """Golf: cards left."""
    failures: Mapping[str, int]
    """Reason → games that a limit or the bot's own fault ended."""
    ms_per_move: float
    """Median over the games."""
    slowest_ms: float
    cpu_ms_per_move: float
    memory_mb: float
    nodes_per_move: float | None
    regret: Interval | None
    """Points below the best score of the deal, over the deals where one is known: in Golf, all."""
    dropped: Interval | None
    """Golf: points that single moves gave away; more than the regret where some was taken back."""


class Table(Struct, frozen=True):
    """The bots of one mode: fair bots and oracles are never compared."""

    mode: str
    standings: Sequence[Standing]
    """By score."""
    comparisons: Sequence[Comparison] = ()
    """Each bot with each that stands below it, over the deals that both played."""
    ratings: Sequence[Rating] = ()


class Summary(Struct, frozen=True):
    """A run: what it was, whether it is complete, and its results."""

    plan: Plan
    complete: bool
    tables: Sequence[Table]
    machine: Machine
    sprt: Sprt | None = None


def summarized(
    plan: Plan, rows: Sequence[Row], best: Mapping[str, int], *, complete: bool, sprt: Sprt | None = None
) -> Summary:
    """Sum a run up; `best` has the best settled scores known, by code."""
    games: dict[str, dict[str, Row]] = {who.spec: {} for who in plan.bots}
    for row in rows:
        games[row.bot][row.code] = row
    modes = sorted({who.mode for who in plan.bots if games[who.spec]})
    tables = [_table(mode, [who for who in plan.bots if who.mode == mode], games, best) for mode in modes]
    return Summary(plan, complete, tables, this_machine(), sprt)


def compared_rows(first: str, second: str, ours: Mapping[str, Row], theirs: Mapping[str, Row]) -> Comparison | None:
    """Compare two bots by their rows of the same deals, by code; None where there are none."""
    pairs = [(row, theirs[code]) for code, row in ours.items() if code in theirs]
    if not pairs:
        return None
    wins = [(one.won, other.won) for one, other in pairs]
    scores = [(float(one.score), float(other.score)) for one, other in pairs]
    return compared(first, second, wins, scores)


def _table(
    mode: str, bots: Sequence[Contestant], games: Mapping[str, Mapping[str, Row]], best: Mapping[str, int]
) -> Table:
    standings = [_standing(who, list(games[who.spec].values()), best) for who in bots if games[who.spec]]
    standings.sort(key=lambda standing: (-standing.score.value, -standing.win_rate.value))
    names = [standing.bot for standing in standings]
    comparisons = [compared_rows(one, other, games[one], games[other]) for one, other in combinations(names, 2)]
    common = [code for code in games[names[0]] if all(code in games[name] for name in names)]
    rated = {name: [float(games[name][code].score) for code in common] for name in names}
    return Table(
        mode,
        standings,
        [comparison for comparison in comparisons if comparison is not None],
        ratings(rated) if common and len(names) > 1 else [],
    )


def _standing(who: Contestant, games: Sequence[Row], best: Mapping[str, int]) -> Standing:
    wins = sum(row.won for row in games)
    moved = [row for row in games if row.moves]
    regrets = [regret for row in games if (regret := _regret(row, best)) is not None]
    dropped = [float(row.dropped) for row in games if row.dropped is not None]
    nodes = [row.nodes / row.moves for row in moved if row.nodes is not None]
    golf = games[0].removed is not None
    return Standing(
        bot=who.spec,
        name=who.name,
        version=who.version,
        mode=who.mode,
        games=len(games),
        wins=wins,
        win_rate=wilson(wins, len(games)),
        score=sample_mean([float(row.score) for row in games]),
        cleared=sample_mean([float(row.cleared) for row in games]),
        moves=sample_mean([float(row.moves) for row in games]),
        strokes=sample_mean([float(TABLEAU - row.cleared) for row in games]) if golf else None,
        failures=dict(sorted(Counter(row.reason.value for row in games if row.reason is not None).items())),
        ms_per_move=statistics.median([row.wall_ms / row.moves for row in moved] or [0.0]),
        slowest_ms=max(row.slowest_ms for row in games),
        cpu_ms_per_move=sum(row.cpu_ms for row in moved) / max(1, sum(row.moves for row in moved)),
        memory_mb=max(row.memory_mb for row in games),
        nodes_per_move=statistics.median(nodes) if nodes else None,
        regret=sample_mean(regrets) if regrets else None,
        dropped=sample_mean(dropped) if dropped else None,
    )


def _regret(row: Row, best: Mapping[str, int]) -> float | None:
    """Return the points below the deal's best: the solver's, else the best that the suite knows of."""
    if row.regret is not None:
        return float(row.regret)
    return float(best[row.code] - row.score) if row.code in best else None
