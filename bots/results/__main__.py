"""Measure and write up what can be won: `python -m bots.results measure VARIANT --deals N`, then `… render`."""

from __future__ import annotations

import sys
from math import isfinite
from pathlib import Path

import click
import msgspec

from bots.results.measure import MeasureRefused, measure
from bots.results.render import page, with_table
from bots.results.tally import DATA, Tally, kept
from bots.results.variants import VARIANTS, Limits

BOTS = Path(__file__).parent.parent

folder_option = click.option(
    "--data",
    "folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True, writable=True),
    default=DATA,
    show_default="bots/results/data",
    help="Where the figures are kept.",
)


@click.group
def main() -> None:
    """Measure how many deals can be won, every card known, and how many players win; write the results up."""


@main.command("measure")
@click.argument("name", metavar="VARIANT", type=click.Choice(list(VARIANTS), case_sensitive=False))
@click.option("--deals", type=click.IntRange(1, 10**9), required=True, help="How many deals there are to be in all.")
@click.option(
    "--nodes",
    type=click.IntRange(1),
    help="States that the solver may look at for a deal; games that a player may play out for a decision.",
)
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="CPU seconds that it may take for a deal.")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes that solve.")
@folder_option
def measure_command(name: str, deals: int, nodes: int | None, seconds: float | None, jobs: int, folder: Path) -> None:
    """Decide deals of VARIANT until there are so many; goes on where it was stopped, and keeps what a Ctrl-C leaves."""
    if seconds is not None and not isfinite(seconds):
        raise click.BadParameter(f"expected a number of seconds, found {seconds}", param_hint="--seconds")
    variant = VARIANTS[name]
    if variant.player is not None and seconds is not None:
        raise click.BadParameter("expected --nodes for what is played, found seconds", param_hint="--seconds")
    limits = variant.limits
    if nodes is not None or seconds is not None:
        limits = Limits(nodes=nodes, ms=None if seconds is None else seconds * 1000)
    begun = _kept(folder, name)
    try:
        with click.progressbar(length=deals, label=name, file=sys.stderr, show_pos=True) as bar:
            done = begun.deals if begun else 0
            bar.update(done)

            def heard(tally: Tally) -> None:
                nonlocal done
                bar.update(tally.deals - done)
                done = tally.deals

            measure(variant, deals, limits, folder, jobs, heard)
    except MeasureRefused as refused:
        raise click.UsageError(str(refused)) from None
    except KeyboardInterrupt:
        click.echo("stopped; what was decided is kept, and the same command goes on from there", err=True)
        raise SystemExit(130) from None
    finally:
        if tally := _kept(folder, name):
            click.echo(f"{name}: {tally.deals} deals, {tally.won} won, {tally.unknown} not decided")


@main.command("render")
@folder_option
@click.option("--check", is_flag=True, help="Write nothing; fail when what is written differs from the figures.")
def render_command(folder: Path, check: bool) -> None:
    """Write bots/RESULTS.md and the table in bots/README.md from the figures."""
    tallies = [tally for name in VARIANTS if (tally := _kept(folder, name))]
    if not tallies:
        raise click.UsageError(f"expected figures in {folder}, found none: python -m bots.results measure comes first")
    readme = BOTS / "README.md"
    texts = {BOTS / "RESULTS.md": page(tallies), readme: with_table(readme.read_text("utf-8"), tallies)}
    for file, text in texts.items():
        if file.exists() and file.read_text("utf-8") == text:
            continue
        if check:
            raise click.ClickException(f"{file.name} differs from the figures: python -m bots.results render")
        file.write_text(text, "utf-8")
        click.echo(f"{file.name} is written")


def _kept(folder: Path, name: str) -> Tally | None:
    try:
        return kept(folder, name)
    except msgspec.DecodeError as wrong:
        message = f"expected a tally in {name}.json, found something else ({wrong}): remove that file"
        raise click.UsageError(message) from None


if __name__ == "__main__":
    main(prog_name="python -m bots.results")
