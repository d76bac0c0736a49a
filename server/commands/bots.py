"""`fairdeal bots`: the built-in bots."""

from __future__ import annotations

import click

from bots.roster import ROSTER
from server.commands.answers import json_option, print_json

__all__ = ["bots"]


@click.command
@json_option
def bots(as_json: bool) -> None:
    """List the built-in bots: what each does, which games it plays, how fast."""
    if as_json:
        print_json(
            [
                {
                    "name": bot.name,
                    "description": bot.description,
                    "games": bot.games,
                    "mode": bot.mode,
                    "pace": bot.pace,
                }
                for bot in ROSTER.values()
            ]
        )
        return
    width = max(map(len, ROSTER))
    for bot in ROSTER.values():
        click.echo(f"{bot.name:<{width}}  {'+'.join(bot.games)}  {bot.description}")
