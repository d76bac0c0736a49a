"""`fairdeal config`: the settings in force, where each came from, secrets masked."""

from __future__ import annotations

from collections.abc import Iterable

import click

from server.commands.answers import InputRefused, json_option, print_json
from server.settings import Row, SettingWrong, resolve

__all__ = ["config"]

_HEAD = """# Settings

Each is set by a flag of `fairdeal serve` where it has one, else by its environment variable, else by a file that the
variable with `_FILE` behind its name names (for secrets), else it has its default. A misspelt `FAIRDEAL_…` is
an error. `fairdeal config` shows those in force and where each came from. This page is made by
`fairdeal config --table > deploy/SETTINGS.md`.

| variable | meaning | range | default |
|---|---|---|---|
| `FAIRDEAL_DATA` | data directory: private Redis, key ring, archive | a path | the user's own data directory |"""


@click.command
@json_option
@click.option("--table", is_flag=True, help="Print the names, defaults and meanings as a page in Markdown.")
def config(as_json: bool, table: bool) -> None:
    """Show every setting: its value and source, its default and range, the variable that sets it."""
    if table:
        click.echo(_page(resolve(environ={}).rows()))
        return
    try:
        rows = resolve().rows()
    except SettingWrong as fault:
        raise InputRefused(str(fault)) from fault
    if as_json:
        print_json({row.name: row for row in rows})
        return
    for row in rows:
        value = "unset" if row.value is None else row.value
        click.echo(f"{row.name} = {value}  ({row.source}; {row.meaning}; {row.range}; {row.variable})")


def _page(rows: Iterable[Row]) -> str:
    """The settings as a table for those who read before they run; nothing of this machine is in it."""
    lines = [
        f"| `{row.variable}` | {row.meaning} | {row.range} | {'unset' if row.default is None else row.default} |"
        for row in rows
        if row.name != "data"
    ]
    return "\n".join([_HEAD, *lines])
