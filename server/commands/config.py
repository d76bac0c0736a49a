"""`fairdeal config`: the settings in force, where each came from, secrets masked."""

from __future__ import annotations

import click

from server.commands.answers import InputRefused, json_option, print_json
from server.settings import SettingWrong, resolve

__all__ = ["config"]


@click.command
@json_option
def config(as_json: bool) -> None:
    """Show every setting: its value and source, its default and range, the variable that sets it."""
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
