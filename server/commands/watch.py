"""`fairdeal watch`: a race, live in the terminal."""

from __future__ import annotations

import click

from bots.client import Client
from server.commands.answers import json_lines_option, print_json
from server.commands.online import RaceAddress, race_address, run_online, server_option
from server.commands.spectate import show_standings, spectate

__all__ = ["watch"]


@click.command
@click.argument("race")
@server_option
@json_lines_option
def watch(race: str, server: str, as_json: bool) -> None:
    """Watch RACE, an id or the address of its page, to its end."""
    run_online(_watch(race_address(race, server), as_json))


async def _watch(address: RaceAddress, as_json: bool) -> None:
    async with Client(address.server) as client:
        race = await spectate(client, address.race, as_json)
    if as_json:
        print_json({"standings": race.standings or [], "race": address.race})
    else:
        show_standings(race)
