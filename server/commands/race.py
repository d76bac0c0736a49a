"""`fairdeal race`: bots against each other on a real server, live in the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import click

from bots.client import Client, Following, Refused
from bots.pace import PaceError, pace_of
from bots.roster import UnknownPlayer, entry
from engine.codes import Code, parse_code
from server.commands.answers import InputRefused, json_lines_option, print_json, refusing
from server.commands.online import run_online, server_url
from server.commands.spectate import show_standings, spectate
from server.commands.workers import bot_workers
from server.node import node
from server.settings import LogLevel, resolve
from server.watch.logs import log_to

__all__ = ["race"]

CALL_OFF_S: Final = 2.0
"""How long an interrupted command tries to leave no open race behind."""


@click.command
@click.argument("code")
@click.option("--bot", "bots", multiple=True, required=True, metavar="NAME", help="A bot of the roster; one a seat.")
@click.option("--pace", default="fast", show_default=True, help="slow, steady, quick, fast or moves per second.")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Keep the replay file.")
@click.option(
    "--server",
    type=server_url,
    metavar="URL",
    help="Race there; unless given, on a private server for this race alone.",
)
@json_lines_option
def race(code: str, bots: tuple[str, ...], pace: str, save: Path | None, server: str | None, as_json: bool) -> None:
    """Race bots on CODE and show it live.

    With --json each event is a line, as a spectator sees it, and the last line has the standings.
    """
    with refusing():
        parsed = parse_code(code)
        card = _card(parsed, bots, pace)
    if save is not None and not os.access(save.absolute().parent, os.W_OK):
        raise InputRefused(f"expected a folder that can be written, found {save.absolute().parent}")
    seen, record = run_online(_race(card, server, as_json, save is not None))
    if save is not None and record is not None:
        save.write_bytes(record)
    if as_json:
        print_json({"standings": seen.standings or [], "race": seen.race})
    else:
        show_standings(seen)


def _card(code: Code, bots: tuple[str, ...], pace: str) -> dict[str, Any]:
    try:
        moves_per_s = pace_of(pace).moves_per_s
        for name in bots:
            if code.game not in entry(name).games:
                raise UnknownPlayer(name, code.game)
    except (PaceError, UnknownPlayer) as fault:
        raise InputRefused(str(fault)) from fault
    wishes = [{"bot": name, "pace": moves_per_s} for name in bots]
    return {"code": str(code), "seats": len(bots), "bots": wishes, "name": " – ".join(bots)}


async def _race(
    card: dict[str, Any], server: str | None, as_json: bool, records: bool
) -> tuple[Following, bytes | None]:
    """Hold the race; returns it as it ended, and its replay file if that is wanted."""
    async with _server(server) as address, Client(address, name="fairdeal race") as client:
        rid = await client.create_race(card)
        try:
            seen = await spectate(client, rid, as_json)
        except asyncio.CancelledError:
            await _call_off(client, rid)
            raise
        return seen, await client.http.record(rid) if records else None


@contextlib.asynccontextmanager
async def _server(server: str | None) -> AsyncIterator[str]:
    """The server named, or one of its own with a worker, in a folder that goes with it; yields its address."""
    if server is not None:
        yield server
        return
    with tempfile.TemporaryDirectory(prefix="fairdeal-race-") as folder:
        # Nothing of the surroundings: this server is nobody else's. Bots need no countdown.
        flags = {"data": folder, "port": 0, "start_delay_ms": 0, "log_level": LogLevel.WARNING}
        settings = resolve(flags, {}).settings
        log_to(level=settings.log_level)
        async with (
            node(settings) as address,
            bot_workers(1, address.redis_url, address.local_url, settings.log_level),
        ):
            yield address.local_url


async def _call_off(client: Client, rid: str) -> None:
    """Leave no race behind that waits for bots; one that has begun plays itself out."""
    with contextlib.suppress(TimeoutError, Refused):
        async with asyncio.timeout(CALL_OFF_S):
            await client.cancel(rid)
