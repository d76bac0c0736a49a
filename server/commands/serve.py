"""`fairdeal serve`: a node, of one process or several, the workers that play the bots' seats, and the analysts."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import sys
from pathlib import Path
from typing import Any, Final

import click

from server.commands.given import given
from server.commands.online import run_online
from server.commands.workers import working_for
from server.live.neighbours import Neighbours
from server.node import node, serving
from server.processes import processes
from server.settings import Settings
from server.watch.logs import log_to

__all__ = ["serve"]

COLLECTED_AFTER: Final = (20_000, 20, 20)
"""Objects made until the youngest are looked at, and how often then until older ones are; at first 700, 10, 10."""


@click.command
@click.option("--host", help="Address to listen on.")
@click.option("--port", type=int, help="Port to listen on; 0: any free one.")
@click.option("--redis", metavar="URL", help="A running Redis; unless given, a private one.")
@click.option("--data", metavar="DIR", type=click.Path(file_okay=False), help="Data directory.")
@click.option("--archive", metavar="DIR|URL", help="Folder of replay files, or s3://BUCKET/PREFIX.")
@click.option("--workers", type=int, help="Processes that serve, on one port.")
@click.option("--bots", type=int, help="Processes that play the bots' seats.")
@click.option(
    "--share",
    type=(click.Path(file_okay=False, path_type=Path), int, int),
    metavar="DIR NUMBER COUNT",
    hidden=True,
    help="Be one of several, until standard input ends.",
)
def serve(share: tuple[Path, int, int] | None, **flags: Any) -> None:
    """Run a server until Ctrl-C or SIGTERM."""
    settings = given(flags).settings
    log_to(level=settings.log_level)
    with contextlib.suppress(click.Abort):
        run_online(_serve(settings) if share is None else _share(settings, Neighbours(*share)))


async def _serve(settings: Settings) -> None:
    async with (
        node(settings) if settings.workers == 1 else processes(settings) as address,
        working_for(address, settings, bots=settings.bots),
    ):
        _settle_memory()
        click.echo(f"Serving {address.url}, until Ctrl-C.", err=True)
        await asyncio.get_running_loop().create_future()


async def _share(settings: Settings, neighbours: Neighbours) -> None:
    """Serve beside others as a child of `processes`, which has made what this stands on and hears the first line."""
    if settings.redis is None or settings.keyring is None:
        raise click.UsageError("expected a Redis and a key ring to share, found none: use --workers N")
    async with serving(settings, neighbours=neighbours) as address:
        _settle_memory()
        click.echo(address.local_url)
        await _parent_gone()


def _settle_memory() -> None:
    """Let the collector pass over what lives as long as the process, and look at the rest less often.

    Races are immutable and go by their reference counts; a whole collection stops every socket of the node.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED_AFTER)


async def _parent_gone() -> None:
    """Wait until standard input ends: whoever started this is gone then."""
    loop = asyncio.get_running_loop()
    gone = asyncio.Event()

    def read() -> None:
        if not os.read(sys.stdin.fileno(), 4096):
            loop.remove_reader(sys.stdin.fileno())
            gone.set()

    loop.add_reader(sys.stdin.fileno(), read)
    await gone.wait()
