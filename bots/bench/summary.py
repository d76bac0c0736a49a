"""A run in numbers: each bot's results, with the uncertainty that so many games leave."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from bots.bench.contestant import Contestant
from bots.bench.folder import Plan
from bots.bench.rows import Row
from bots.bench.stats.intervals import Interval, sample_mean, wilson

__all__ = ["Standing", "Summary", "summarized"]


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
    """Points below the best score known, over the deals where one is known."""


class Summary(Struct, frozen=True):
    """A run: what it was, whether it is complete, and its results, fair bots and oracles apart."""

    plan: Plan
    complete: bool
    standings: Mapping[str, Sequence[Standing]]
    """Mode → its bots, by score."""


def summarized(plan: Plan, rows: Sequence[Row], best: Mapping[str, int], *, complete: bool) -> Summary:
    """Sum a run up; `best` has the best settled scores known, by code."""
    standings: dict[str, list[Standing]] = {}
    for who in plan.bots:
        games = [row for row in rows if row.bot == who.spec]
        if games:
            standings.setdefault(who.mode, []).append(_standing(who, games, best))
    for table in standings.values():
        table.sort(key=lambda standing: (-standing.score.value, -standing.win_rate.value))
    return Summary(plan, complete, standings)


def _standing(who: Contestant, games: Sequence[Row], best: Mapping[str, int]) -> Standing:
    wins = sum(row.won for row in games)
    moved = [row for row in games if row.moves]
    regrets = [float(best[row.code] - row.score) for row in games if row.code in best]
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
        strokes=sample_mean([float(35 - row.cleared) for row in games]) if golf else None,
        failures=dict(sorted(Counter(row.reason.value for row in games if row.reason is not None).items())),
        ms_per_move=statistics.median([row.wall_ms / row.moves for row in moved] or [0.0]),
        slowest_ms=max(row.slowest_ms for row in games),
        cpu_ms_per_move=sum(row.cpu_ms for row in moved) / max(1, sum(row.moves for row in moved)),
        memory_mb=max(row.memory_mb for row in games),
        nodes_per_move=statistics.median(nodes) if nodes else None,
        regret=sample_mean(regrets) if regrets else None,
    )
