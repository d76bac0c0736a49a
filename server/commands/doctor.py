"""`fairdeal doctor`: what a server needs of its surroundings, what was found, how to mend it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from server.cli import FAILED
from server.commands.answers import InputRefused, json_option, print_json
from server.doctor import examine
from server.settings import SettingWrong, resolve

__all__ = ["doctor"]


@click.command
@click.option("--redis", metavar="URL", help="The Redis to check; without it the private one is tried.")
@click.option("--data", type=click.Path(path_type=Path), help="The data directory.")
@click.option("--port", type=int, help="The port that a server would listen on.")
@json_option
def doctor(redis: str | None, data: Path | None, port: int | None, as_json: bool) -> int:
    """Check Redis, data directory, port and solver cache; status 1 when something is to be mended."""
    try:
        settings = resolve({"redis": redis, "data": data, "port": port}).settings
    except SettingWrong as fault:
        raise InputRefused(str(fault)) from fault
    findings = asyncio.run(examine(settings))
    if as_json:
        print_json(findings)
    else:
        for finding in findings:
            mend = f": {finding.fix}" if finding.fix else ""
            click.echo(f"{'ok  ' if finding.ok else 'MEND'} {finding.check}: {finding.found}{mend}")
    return 0 if all(finding.ok for finding in findings) else FAILED
