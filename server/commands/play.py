"""`fairdeal play`: all that one machine needs to race against bots, started by one command."""

from __future__ import annotations

import asyncio
import contextlib
import webbrowser
from pathlib import Path
from typing import Any, Final

import click
from msgspec.structs import replace

from bots.client import Client
from bots.roster import ROSTER, UnknownPlayer, entry
from engine.codes import DEFAULT_GAMES, parse_code
from server.commands.answers import InputRefused, refusing
from server.commands.given import given
from server.commands.online import run_online
from server.commands.workers import working_for
from server.node import node
from server.settings import LogLevel, Settings, Source
from server.watch.logs import log_to

__all__ = ["play"]

CODE: Final = "GO1-E-AAAAAAB"


@click.command
@click.argument("code", default=CODE)
@click.option("--bot", "bots", multiple=True, metavar="NAME", help="A bot to race against (the best one); one a seat.")
@click.option("--port", type=int, help="The first port to try.")
@click.option("--redis", metavar="URL", help="A running Redis; unless given, a private one.")
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Data directory.")
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
def play(code: str, bots: tuple[str, ...], port: int | None, redis: str | None, data: Path | None, opens: bool) -> None:
    """Race against bots on CODE (GO1-E-AAAAAAB) in the browser, until Ctrl-C."""
    with refusing():
        card = _card(code, bots)
    resolved = given({"port": port, "redis": redis, "data": data})
    settings = resolved.settings
    if resolved.sources["log_level"] is Source.DEFAULT:
        # Whoever plays wants to see the address, not what goes on behind it.
        settings = replace(settings, log_level=LogLevel.WARNING)
    log_to(level=settings.log_level)
    with contextlib.suppress(click.Abort):
        run_online(_play(settings, card, opens))


def _card(code: str, bots: tuple[str, ...]) -> dict[str, Any]:
    parsed = parse_code(code)
    bots = bots or (_best(parsed.game),)
    for name in bots:
        try:
            if parsed.game not in entry(name).games:
                raise UnknownPlayer(name, parsed.game)
        except UnknownPlayer as unknown:
            raise InputRefused(str(unknown)) from unknown
    return {"code": str(parsed), "seats": len(bots) + 1, "bots": [{"bot": name} for name in bots]}


def _best(game: str) -> str:
    """Return the best bot for a game (its letters) that sees no more than a person does."""
    fair = [one.name for one in ROSTER.values() if game in one.games and one.mode == "fair"]
    return max(fair, key=lambda name: entry(name).rating(DEFAULT_GAMES[game]) or 0)


async def _play(settings: Settings, card: dict[str, Any], opens: bool) -> None:
    async with (
        node(settings, next_port=True) as address,
        working_for(address, settings, bots=max(1, settings.bots)),
    ):
        async with Client(address.local_url, name="fairdeal play") as client:
            rid = await client.create_race(card)
        page = f"{address.url}/r/{rid}"
        click.echo(page)
        click.echo("Open this page to play; Ctrl-C here ends the server.", err=True)
        if opens:
            await asyncio.to_thread(webbrowser.open, page)
        await asyncio.get_running_loop().create_future()
