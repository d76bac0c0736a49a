"""The report's page: the summary and the rows of a run, put into the template."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup
from msgspec import Struct

from bots.bench.folder import Plan
from bots.bench.report.figures import Labelled, dots, histograms, number, shares, spreads
from bots.bench.rows import Row
from bots.bench.stats.intervals import Interval
from bots.bench.summary import Summary, Table
from bots.conditions import Conditions
from bots.contender import Failure

__all__ = ["command_of", "report_page"]

_PAIRS_SHOWN = 15
"""Pairs that a figure has room for; the table has them all."""


class Figure(Struct, frozen=True):
    """A drawing between its title and its caption."""

    title: str
    caption: str
    drawing: Markup


class Ended(Struct, frozen=True):
    """Games of a bot that ended for one reason, and the first of them."""

    bot: str
    reason: Failure
    games: int
    code: str
    detail: str | None


def report_page(summary: Summary, rows: Sequence[Row]) -> str:
    """Return the report of a run as one HTML document."""
    plan = summary.plan
    golf = bool(rows) and rows[0].removed is not None
    return _template().render(
        summary=summary,
        plan=plan,
        rows=rows,
        labels=plan.labels,
        golf=golf,
        cleared="removed" if golf else "placed",
        regretted=any(one.regret is not None for table in summary.tables for one in table.standings),
        taken_back=any(one.dropped != one.regret for table in summary.tables for one in table.standings if one.dropped),
        figures={table.mode: list(_figures(table, plan.labels, rows)) for table in summary.tables},
        failures=list(_failures(rows)),
        conditions=list(_conditions(summary)),
        command=command_of(plan),
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("bots.bench.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"number": number, "value": _value, "chance": _chance}
    return environment.get_template("template.html")


def _value(interval: Interval, sign: str = "") -> Markup:
    """Write an estimate with its interval below; `sign` "+" marks it as a difference."""
    value, low, high = (f"{end:{sign}.1f}" for end in (interval.value, interval.low, interval.high))
    return Markup('{}<span class="between">{} to {}</span>').format(value, low, high)


def _chance(p: float) -> str:
    return "< 0.0001" if p < 1e-4 else f"{p:.4f}"


def _figures(table: Table, labels: Mapping[str, str], rows: Sequence[Row]) -> Iterator[Figure]:
    bots = [one.bot for one in table.standings]
    games = {bot: [row for row in rows if row.bot == bot] for bot in bots}
    won = [Labelled(labels[one.bot], _percent(one.win_rate), f"{one.wins} of {one.games}") for one in table.standings]
    yield Figure("Games won", "Dots: games won; lines: 95 % intervals.", dots("Games won", won, "games won, %"))
    scores = [(labels[bot], [row.score for row in games[bot]]) for bot in bots]
    caption = "How often each settled score came, each bot to its own height; the line marks the mean."
    yield Figure("Scores", caption, histograms("Scores", scores, "score"))
    if table.comparisons:
        yield from _pair_figures(table, labels)
    moved = {bot: [row for row in games[bot] if row.moves] for bot in bots}
    times = [
        (labels[bot], [row.wall_ms / row.moves for row in moved[bot]], max(row.slowest_ms for row in moved[bot]))
        for bot in bots
        if moved[bot]
    ]
    if times:
        caption = (
            "Means of the games: the line spans 5 to 95 % of them, the box the middle half, the bar marks the median, "
            "the cross the slowest single move. Numbers: median / slowest."
        )
        yield Figure("Time for a move", caption, spreads("Time for a move", times, "ms a move, logarithmic"))


def _pair_figures(table: Table, labels: Mapping[str, str]) -> Iterator[Figure]:
    pairs = sorted(table.comparisons, key=lambda pair: -abs(pair.effect))[:_PAIRS_SHOWN]
    names = [f"{labels[pair.first]} – {labels[pair.second]}" for pair in pairs]
    title = "Scores on the same deals"
    caption = "Mean of the differences deal by deal, with 95 % intervals: right of 0 the first of the pair scores more."
    differences = [
        Labelled(name, pair.score_difference, f"{pair.score_difference.value:+.1f}")
        for name, pair in zip(names, pairs, strict=True)
    ]
    yield Figure(title, caption, dots(title, differences, "points"))
    title = "Who scored more, deal by deal"
    caption = "Deals on which the first of the pair scored more, the same, less."
    counted = [(name, (pair.better, pair.equal, pair.worse)) for name, pair in zip(names, pairs, strict=True)]
    yield Figure(title, caption, shares(title, counted, ("first more", "the same", "second more")))


def _percent(rate: Interval) -> Interval:
    return Interval(100 * rate.value, 100 * rate.low, 100 * rate.high)


def _failures(rows: Sequence[Row]) -> Iterator[Ended]:
    found: dict[tuple[str, Failure], list[Row]] = {}
    for row in rows:
        if row.reason is not None:
            found.setdefault((row.bot, row.reason), []).append(row)
    for (bot, reason), ended in found.items():
        yield Ended(bot, reason, len(ended), ended[0].code, ended[0].detail)


def _conditions(summary: Summary) -> Iterator[tuple[str, str]]:
    conditions, machine = summary.plan.conditions, summary.machine
    yield "goal, undo", f"{conditions.goal}, {conditions.undo.value}"
    if summary.plan.pace is not None:
        yield "races", f"over a server, pace {summary.plan.pace}; times are those from the start to a seat's end"
    else:
        yield "time", _time(conditions)
    if conditions.nodes is not None:
        yield "nodes", f"{conditions.nodes} a move for built-in bots, in place of the time"
    yield "operations", f"at most {conditions.operations(summary.plan.game)} a game"
    yield "memory", f"{conditions.memory_mb} MB for the processes of a program"
    yield "seed", str(conditions.seed)
    yield "machine", f"{machine.processor}, {machine.cores} cores, {machine.system}"
    yield "software", f"Fairdeal {machine.fairdeal}, {machine.python}"


def _time(conditions: Conditions) -> str:
    game = "" if conditions.game_ms is None else f", {conditions.game_ms:g} ms a game"
    return f"{conditions.move_ms:g} ms a move{game}, wall clock"


def command_of(plan: Plan) -> str:
    """Return the command that makes this run again."""
    conditions, default = plan.conditions, Conditions()
    words = ["fairdeal", "bench", plan.suite, "--deals", str(plan.deals)]
    for who in plan.bots:
        words += ["--bot", who.spec]
    if plan.elo is not None:
        words += ["--sprt", "--elo", *(f"{end:g}" for end in plan.elo)]
    if plan.pace is not None:
        words += ["--race", "--pace", plan.pace]
    values: dict[str, Any] = {name: getattr(conditions, name) for name in Conditions.__struct_fields__}
    for name, value in values.items():
        if value != getattr(default, name):
            words += [f"--{name.replace('_', '-')}", f"{value:g}" if isinstance(value, float) else str(value)]
    return shlex.join(words)
