"""`fairdeal bench`: measure and compare bots on the same deals."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from bots.bench.bench import Bench
from bots.bench.contestant import contestant
from bots.bench.faults import RunRefused
from bots.bench.rows import Row
from bots.bench.run import end_processes, processes
from bots.bench.schedule import Schedule
from bots.bench.stats.intervals import Interval
from bots.bench.suites import suite
from bots.bench.summary import Standing, Summary
from bots.conditions import Conditions
from engine.solo import UndoPolicy
from server.commands.answers import InputRefused, json_option, print_json

__all__ = ["bench"]


@click.command
@click.argument("suite_name", metavar="SUITE")
@click.option("--bot", "bots", multiple=True, required=True, metavar="BOT", help="A bot of the roster, or cmd:COMMAND.")
@click.option("--deals", type=click.IntRange(1), help="The first deals of the suite only; of a game, so many drawn.")
@click.option("--seed", type=int, default=0, show_default=True, help="For drawn deals, and for bots that use chance.")
@click.option("--move-ms", type=click.FloatRange(1), default=50.0, show_default=True, help="Wall time for a move.")
@click.option("--game-ms", type=click.FloatRange(1), help="Wall time for a game.")
@click.option("--nodes", type=click.IntRange(1), help="Nodes for a move of a built-in bot, in place of its time.")
@click.option("--max-ops", type=click.IntRange(1), help="Operations that end a game (GO 200, DS 2000).")
@click.option(
    "--memory-mb", type=click.IntRange(1), default=1024, show_default=True, help="For the processes of a cmd: bot."
)
@click.option(
    "--undo", type=click.Choice([policy.value for policy in UndoPolicy]), default="none", show_default=True,
    help="What may be taken back.",
)  # fmt: skip
@click.option("--jobs", type=click.IntRange(1), help="Processes; unless given, as many as there are cores.")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Keep rows and report there; go on with a run."
)
@json_option
def bench(
    suite_name: str,
    bots: tuple[str, ...],
    deals: int | None,
    seed: int,
    move_ms: float,
    game_ms: float | None,
    nodes: int | None,
    max_ops: int | None,
    memory_mb: int,
    undo: str,
    jobs: int | None,
    out: Path | None,
    as_json: bool,
) -> int:
    """Benchmark bots on SUITE: a suite by name, a file of codes, or a game such as GO1-C for drawn ones.

    A run that was stopped goes on when it is started again with the same --out.
    """
    conditions = Conditions(
        seed=seed, undo=UndoPolicy(undo), move_ms=move_ms, game_ms=game_ms, nodes=nodes, max_ops=max_ops,
        memory_mb=memory_mb,
    )  # fmt: skip
    jobs = jobs or cores()
    try:
        chosen = suite(suite_name, deals=deals, seed=seed)
        run = Bench(chosen, [contestant(name, conditions) for name in bots], conditions, out, jobs)
    except RunRefused as fault:
        raise InputRefused(str(fault)) from fault
    with _stopped_by_ctrl_c(run.schedule), _progress(run) as heard:
        summary = run.run(lambda: processes(run.jobs), heard)
    if as_json:
        print_json(summary)
    else:
        _show(summary)
    if not summary.complete:
        again = f"start it again with --out {out} to go on" if out is not None else "with --out it could go on"
        raise click.ClickException(f"stopped after {len(run.rows)} of {run.games} games: {again}")
    return 0


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _stopped_by_ctrl_c(schedule: Schedule) -> Iterator[None]:
    """Let the first Ctrl-C end the run with the games under way, and a second one at once."""

    def stop(number: int, frame: FrameType | None) -> None:
        if not schedule:
            end_processes()
            raise KeyboardInterrupt
        schedule.drop()
        click.echo("stopping after the games under way; Ctrl-C again stops at once", err=True)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _progress(run: Bench) -> Iterator[Callable[[Sequence[Row]], None]]:
    """Show a bar with an estimate where stderr is a terminal; yields what is to be told of new rows."""
    if not sys.stderr.isatty():
        yield lambda rows: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(run.suite.name, total=run.games, completed=len(run.rows))
        yield lambda rows: bar.advance(task, len(rows))


def _show(summary: Summary) -> None:
    plan = summary.plan
    console = Console()
    console.print(f"{plan.suite} {plan.version}  {plan.deals} deals  hash {plan.hash}", highlight=False)
    for mode, standings in summary.standings.items():
        console.print(_table(mode, standings))


def _table(mode: str, standings: Sequence[Standing]) -> Table:
    table = Table(title=f"{mode} bots", title_justify="left")
    for name in ("bot", "games", "won %", "score", "cleared", "moves", "ms/move", "MB", "failed"):
        table.add_column(name, justify="left" if name in ("bot", "failed") else "right", overflow="fold")
    for row in standings:
        failures = " ".join(f"{reason} {number}" for reason, number in row.failures.items())
        table.add_row(
            row.bot,
            str(row.games),
            _between(row.win_rate, 100),
            _between(row.score),
            f"{row.cleared.value:.1f}",
            f"{row.moves.value:.1f}",
            f"{row.ms_per_move:.3f}",
            f"{row.memory_mb:.0f}",
            failures,
        )
    return table


def _between(interval: Interval, times: float = 1) -> str:
    return f"{interval.value * times:.1f} [{interval.low * times:.1f}, {interval.high * times:.1f}]"
