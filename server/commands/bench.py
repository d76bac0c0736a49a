"""`fairdeal bench`: measure and compare bots on the same deals."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import FrameType
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bots.bench.bench import Bench
from bots.bench.cluster import Cluster, cluster
from bots.bench.compare import compared_runs
from bots.bench.contestant import contestant
from bots.bench.faults import RunRefused
from bots.bench.machine import cores
from bots.bench.rows import Row
from bots.bench.run import Processes, end_processes
from bots.bench.schedule import Schedule
from bots.bench.suites import SUITES, suite
from bots.conditions import Conditions
from bots.pace import PaceError, pace_of
from engine.solo import UndoPolicy
from server.commands.answers import InputRefused, json_option, print_json
from server.commands.bench_races import race_bench
from server.commands.bench_tables import comparison_table, summary_screen

__all__ = ["bench"]

_DEFAULT = Conditions()


class BenchGroup(click.Group):
    """Takes what is no subcommand's name for the suite of `run`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `run` before everything but a subcommand and a call for help without a suite."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group(cls=BenchGroup, no_args_is_help=False, subcommand_metavar="SUITE --bot A --bot B … | compare A B")
def bench() -> None:
    """Benchmark bots on the same deals: `fairdeal bench run --help` has all options, and `run` may be left out."""


@bench.command
@click.argument("suite_name", metavar="SUITE")
@click.option("--bot", "bots", multiple=True, required=True, metavar="BOT", help="A bot of the roster, or cmd:COMMAND.")
@click.option("--deals", type=click.IntRange(1), help="The first deals of the suite only; of a game, so many drawn.")
@click.option("--seed", type=int, default=0, show_default=True, help="For drawn deals, and for bots that use chance.")
@click.option(
    "--move-ms", type=click.FloatRange(1), default=_DEFAULT.move_ms, show_default=True, help="Wall time for a move."
)
@click.option("--game-ms", type=click.FloatRange(1), help="Wall time for a game.")
@click.option("--nodes", type=click.IntRange(1), help="Nodes for a move of a built-in bot, in place of its time.")
@click.option("--max-ops", type=click.IntRange(1), help="Operations that end a game (GO 200, DS 2000).")
@click.option(
    "--memory-mb", type=click.IntRange(1), default=_DEFAULT.memory_mb, show_default=True, help="For a cmd: bot."
)
@click.option(
    "--undo", type=click.Choice([policy.value for policy in UndoPolicy]), default=_DEFAULT.undo.value,
    show_default=True, help="What may be taken back.",
)  # fmt: skip
@click.option("--sprt", is_flag=True, help="Stop as soon as it is clear whether the first bot is stronger.")
@click.option("--elo", type=(float, float), metavar="LOW HIGH", default=(0, 20), help="What --sprt tells apart: 0 20.")
@click.option("--race", "raced", is_flag=True, help="Race over a server of its own, all bots against each other.")
@click.option("--pace", default="fast", show_default=True, help="With --race: slow to fast, or moves per second.")
@click.option("--jobs", type=click.IntRange(1), help="Processes; unless given, as many as there are cores.")
@click.option("--dask", metavar="ADDRESS", help="Play on the cluster of this Dask scheduler (extra cluster).")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Keep rows and report there; go on with a run."
)
@json_option
def run(
    suite_name: str,
    bots: tuple[str, ...],
    deals: int | None,
    sprt: bool,
    elo: tuple[float, float],
    jobs: int | None,
    dask: str | None,
    raced: bool,
    pace: str,
    out: Path | None,
    as_json: bool,
    **terms: Any,
) -> None:
    """Benchmark bots on SUITE: a suite by name, a file of codes, or a game such as GO1-C for drawn ones.

    A run that was stopped goes on when it is started again with the same --out.
    """
    conditions = Conditions(**terms | {"undo": UndoPolicy(terms["undo"])})
    if raced:
        _check_race(pace, sprt=sprt, dask=dask, **terms)
    with _refusing(), _players(jobs, dask) as players:
        chosen = suite(suite_name, deals=deals, seed=conditions.seed, goal=conditions.goal)
        contestants = [contestant(name, conditions) for name in bots]
        bench = Bench(
            chosen,
            contestants,
            conditions,
            jobs=players.jobs,
            out=out,
            elo=elo if sprt else None,
            pace=pace if raced else None,
        )
        if raced:
            with _progress(bench) as heard:
                summary = race_bench(bench, pace, heard)
        else:
            with _stopped_by_ctrl_c(bench.schedule), _progress(bench) as heard:
                summary = bench.run(players.executor, heard)
    if as_json:
        print_json(summary)
    else:
        Console().print(summary_screen(summary), soft_wrap=not sys.stdout.isatty())
        if out is not None:
            click.echo(f"report: {out / 'report.html'}", err=True)
    if not summary.complete:
        again = f"start it again with --out {out} to go on" if out is not None else "with --out it could go on"
        raise click.ClickException(f"stopped after {len(bench.rows)} of {bench.games} games: {again}")


@bench.command
@click.argument("first", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="A")
@click.argument("second", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="B")
@json_option
def compare(first: Path, second: Path, as_json: bool) -> None:
    """Compare the bots of two result folders on the deals that both have, in pairs."""
    with _refusing():
        compared = compared_runs(first, second)
    if as_json:
        print_json(compared)
        return
    for note in compared.notes:
        click.echo(f"note: {note}", err=True)
    names = {name: name for pair in compared.comparisons for name in (pair.first, pair.second)}
    Console().print(comparison_table(compared.comparisons, names), soft_wrap=not sys.stdout.isatty())


@bench.command
@json_option
def suites(as_json: bool) -> None:
    """List the suites that come with the bench."""
    found = [suite(name) for name in SUITES]
    if as_json:
        print_json([{"name": s.name, "version": s.version, "hash": s.hash, "deals": len(s.codes)} for s in found])
        return
    widest = max(len(one.name) for one in found)
    for one in found:
        click.echo(f"{one.name:<{widest}} version {one.version}, {len(one.codes)} deals, hash {one.hash}")


def _check_race(pace: str, *, sprt: bool, dask: str | None, **terms: Any) -> None:
    """Raise UsageError for what has no meaning in a race."""
    for name in ("game_ms", "nodes", "max_ops"):
        if terms[name] is not None:
            raise click.UsageError(f"Give --race or --{name.replace('_', '-')}: a race goes by its own clock")
    if sprt or dask is not None:
        raise click.UsageError("Give --race without --sprt and --dask")
    try:
        pace_of(pace)
    except PaceError as fault:
        raise InputRefused(str(fault)) from fault


def _players(jobs: int | None, dask: str | None) -> AbstractContextManager[Cluster]:
    """Return those who play: a cluster, or processes of this machine."""
    if dask is None:
        here = jobs or cores()
        return nullcontext(Cluster(here, lambda: Processes(here)))
    if jobs is not None:
        raise click.UsageError("Give --jobs or --dask: the cluster has as many as its workers have threads")
    return cluster(dask)


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except RunRefused as fault:
        raise InputRefused(str(fault)) from fault


@contextmanager
def _stopped_by_ctrl_c(schedule: Schedule) -> Iterator[None]:
    """Let the first Ctrl-C end the run with the games under way, and a second one at once."""
    asked = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            end_processes()
            raise KeyboardInterrupt
        asked = True
        schedule.drop()
        click.echo("stopping after the games under way; Ctrl-C again stops at once", err=True)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _progress(bench: Bench) -> Iterator[Callable[[Sequence[Row]], None]]:
    """Show a bar with an estimate where stderr is a terminal; yields what is to be told of new rows."""
    if not sys.stderr.isatty():
        yield lambda rows: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(bench.suite.name, total=bench.games, completed=len(bench.rows))
        yield lambda rows: bar.advance(task, len(rows))
