"""`python -m tests.load`: what the product costs beside its yardsticks, in one run on the same cores."""

from __future__ import annotations

import asyncio
import json
import sys

import click
import msgspec

from tests.load.lines import LINES, LONG, SHORT
from tests.load.scale import SCALE

EVERY = (*LINES, *SCALE)


@click.command
@click.argument("names", nargs=-1, type=click.Choice([line.name for line in EVERY]))
@click.option("--short", is_flag=True, help="Fewer sockets and rounds: within a minute.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def main(names: tuple[str, ...], short: bool, as_json: bool) -> None:
    """Measure the lines of the table, in the long form also how costs grow; or those named."""
    found = {}
    for line in EVERY:
        if line.name in names or (not names and (line in LINES or not short)):
            measured = found[line.name] = asyncio.run(line.run(SHORT if short else LONG))
            click.echo(
                f"{line.name:<18}{measured.ratio:9.3f} {line.unit:<15} ({measured.low} to {measured.high}), target "
                f"{'at least' if line.least else 'at most'} {line.target:g}: {'holds' if measured.holds else 'MISSED'}"
                f"{'; ' + measured.note if measured.note else ''}",
                err=as_json,
            )
    if as_json:
        sys.stdout.write(json.dumps({name: msgspec.to_builtins(measured) for name, measured in found.items()}) + "\n")


if __name__ == "__main__":
    main()
