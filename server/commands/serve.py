"""`fairdeal serve`: a node, and the workers that play the bots' seats."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import click

from server.commands.online import run_online
from server.commands.workers import bot_workers
from server.node import node
from server.settings import Settings, SettingWrong, resolve
from server.watch.logs import log_to

__all__ = ["serve"]


@click.command
@click.option("--host", help="Address to listen on.")
@click.option("--port", type=int, help="Port to listen on; 0: any free one.")
@click.option("--redis", metavar="URL", help="A running Redis; unless given, a private one.")
@click.option("--data", metavar="DIR", type=click.Path(file_okay=False), help="Data directory.")
@click.option("--bots", type=int, help="Processes that play the bots' seats.")
def serve(**flags: Any) -> None:
    """Run a server until Ctrl-C or SIGTERM."""
    try:
        settings = resolve(flags).settings
    except SettingWrong as wrong:
        raise click.UsageError(str(wrong)) from wrong
    if settings.workers > 1:
        raise click.UsageError(
            f"expected 1 process that serves, found {settings.workers}: start several servers on one Redis instead"
        )
    log_to(level=settings.log_level)
    with contextlib.suppress(click.Abort):
        run_online(_serve(settings))


async def _serve(settings: Settings) -> None:
    async with (
        node(settings) as address,
        bot_workers(settings.bots, address.redis_url, address.local_url, settings.log_level),
    ):
        click.echo(f"Serving {address.url}, until Ctrl-C.", err=True)
        await asyncio.get_running_loop().create_future()
