"""A bench's results on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bots.bench.stats.intervals import Interval
from bots.bench.stats.paired import Comparison
from bots.bench.stats.sprt import Sprt
from bots.bench.summary import Standing, Summary

__all__ = ["comparison_table", "summary_screen"]


def summary_screen(summary: Summary) -> RenderableType:
    """Show a run: what was played, a table for each mode, pairs, the early stop."""
    return Group(*_parts(summary))


def comparison_table(comparisons: Sequence[Comparison], labels: Mapping[str, str]) -> Table:
    """Show pairs: differences on the same deals, with intervals and how probable they are by chance."""
    table = _table("pairs, on the same deals", ("pair", "deals", "won %, more", "p", "score, more", "p"))
    for pair in comparisons:
        table.add_row(
            f"{labels[pair.first]} – {labels[pair.second]}",
            str(pair.deals),
            _between(pair.win_difference, 100, sign="+"),
            _chance(pair.win_p),
            _between(pair.score_difference, sign="+"),
            _chance(pair.score_p),
        )
    return table


def _parts(summary: Summary) -> Iterator[RenderableType]:
    plan, labels = summary.plan, summary.plan.labels
    version = f"version {plan.version}" if plan.version[:1].isdecimal() else plan.version
    yield Text(f"{plan.suite} {version}, {plan.deals} deals, hash {plan.hash}")
    for table in summary.tables:
        yield _standings_table(table.mode, table.standings, labels)
        if table.comparisons:
            yield comparison_table(table.comparisons, labels)
        if table.ratings:
            rated = (f"{labels[one.bot]} {_between(one.elo, digits=0)}" for one in table.ratings)
            yield Text(f"Elo: {', '.join(rated)}")
    if summary.sprt is not None:
        yield _sprt_text(summary.sprt, labels)


def _standings_table(mode: str, standings: Sequence[Standing], labels: Mapping[str, str]) -> Table:
    table = _table(f"{mode} bots", ("bot", "games", "won %", "score", "moves", "ms/move", "failed"))
    for one in standings:
        failures = " ".join(f"{number} {reason}" for reason, number in one.failures.items())
        table.add_row(
            labels[one.bot],
            str(one.games),
            _between(one.win_rate, 100),
            _between(one.score, digits=0),
            f"{one.moves.value:.1f}",
            f"{one.ms_per_move:.3g}",
            failures or "–",
        )
    return table


def _table(title: str, names: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for at, name in enumerate(names):
        table.add_column(name, justify="right" if at else "left", overflow="fold", no_wrap=0 < at < len(names) - 1)
    return table


def _sprt_text(test: Sprt, labels: Mapping[str, str]) -> Text:
    low, high = test.elo
    return Text(
        f"early stop: {labels[test.first]} over {labels[test.second]}, {low:g} against {high:g} Elo: {test.verdict} "
        f"after {test.deals} deals (llr {test.llr:.2f}, bounds {test.lower:.2f} and {test.upper:.2f})"
    )


def _between(interval: Interval, times: float = 1, *, digits: int = 1, sign: str = "") -> str:
    value, low, high = (f"{end * times:{sign}.{digits}f}" for end in (interval.value, interval.low, interval.high))
    return f"{value} ({low}…{high})"


def _chance(p: float) -> str:
    return "<.0001" if p < 1e-4 else f"{p:.4f}"
