"""A race followed to its end by a spectator: on the terminal, as JSON lines, or in silence."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import Final

import click
import msgspec
from rich.console import Console
from rich.live import Live

from bots.client import Client, Following
from engine.wire.outbound import Ev, Progress, Skip, Snap
from server.commands.screen import race_screen, standings_table

__all__ = ["show_standings", "spectate"]

REFRESH_S: Final = 0.1


async def spectate(client: Client, rid: str, as_json: bool) -> Following:
    """Watch a race until it is over; returns it as it was then. Raises Refused, Closed."""
    if as_json:
        return await _print_events(client, rid)
    race = await client.watch(rid)
    if sys.stdout.isatty():
        await _show(race)
    await race.until(lambda race: race.over)
    return race


def show_standings(race: Following) -> None:
    """Print how a race ended, for people."""
    if race.standings is None:
        click.echo(f"The race was called off ({race.status}).")
    elif not sys.stdout.isatty():
        Console().print(standings_table(race.standings))


async def _print_events(client: Client, rid: str) -> Following:
    """Print each message about the race as a line of JSON, as a spectator hears it."""
    messages = client.messages()
    race = await client.watch(rid)
    async for message in messages:
        if isinstance(message, Snap | Ev | Skip | Progress) and message.race == rid:
            click.echo(msgspec.json.encode(message))
            if isinstance(message, Snap) and message.status in ("finished", "voided"):
                break
    client.ignore(messages)
    return race


async def _show(race: Following) -> None:
    with Live(race_screen(race), auto_refresh=False) as live:
        while not race.over:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await race.change()
            live.update(race_screen(race), refresh=True)
            await asyncio.sleep(REFRESH_S)
        live.update(race_screen(race), refresh=True)
