"""`fairdeal bots`: the built-in bots."""

from __future__ import annotations

import click

from bots.ratings import POOLS
from bots.roster import ROSTER
from server.commands.answers import json_option, print_json

__all__ = ["bots"]


@click.command
@json_option
def bots(as_json: bool) -> None:
    """List the built-in bots: what each does, its rating in each game it plays, as measured by the bench."""
    if as_json:
        print_json(
            [
                {
                    "name": bot.name,
                    "description": bot.description,
                    "games": bot.games,
                    "mode": bot.mode,
                    "pace": bot.pace,
                    "ratings": {
                        pool: {"rating": rated.rating, "low": rated.low, "high": rated.high, "won": rated.won}
                        for pool in POOLS
                        if (rated := bot.rated(pool)) is not None
                    },
                }
                for bot in ROSTER.values()
            ]
        )
        return
    width = max(map(len, ROSTER))
    click.echo(f"{'':<{width}}  {'  '.join(POOLS)}")
    for bot in ROSTER.values():
        ratings = "  ".join(f"{bot.rating(pool) or '-':>{len(pool)}}" for pool in POOLS)
        click.echo(f"{bot.name:<{width}}  {ratings}  {bot.description}")
