"""A long run: `python -m tests.fuzz --seconds 600 [TARGET…]`. What is answered wrongly is put into the corpus."""

from __future__ import annotations

import hashlib
import sys
import time
import traceback
from random import Random

import click

from tests.fuzz.spoil import spoiled
from tests.fuzz.targets import CORPUS, TARGETS


@click.command
@click.argument("names", nargs=-1, type=click.Choice(list(TARGETS)))
@click.option("--seconds", default=60.0, show_default=True, help="How long to spoil inputs, all targets together.")
@click.option("--seed", default=0, show_default=True, help="Another seed gives other inputs.")
def main(names: tuple[str, ...], seconds: float, seed: int) -> None:
    """Spoil good inputs, read them, and keep one for each place where another fault than the reader's own comes up."""
    found: set[tuple[str, type[Exception], int | None]] = set()
    chosen = [TARGETS[name] for name in names or TARGETS]
    for target in chosen:
        chance, seeds, tried = Random(f"{seed} {target.name}"), [*target.seeds(), *target.kept()], 0
        until = time.monotonic() + seconds / len(chosen)
        while time.monotonic() < until:
            data, tried = spoiled(seeds, chance), tried + 1
            try:
                target.read(data)
            except target.refuses:
                pass
            except Exception as fault:  # noqa: BLE001 - any other fault is what is looked for.
                place = (target.name, type(fault), traceback.extract_tb(fault.__traceback__)[-1].lineno)
                if place in found:
                    continue
                found.add(place)
                path = CORPUS / target.name / hashlib.sha256(data).hexdigest()[:16]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
                click.echo(f"{target.name}: {fault!r}: {path.name}")
        click.echo(f"{target.name}: {tried:,} inputs", err=True)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
