"""`fairdeal analyst`: answer what is asked about deals and games, and keep proved deals in stock."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

import click
from redis.asyncio import Redis

from server.commands.given import given, its_redis, name_option, while_stdin_option
from server.store.keyring import KeyRingError, open_key_ring

__all__ = ["analyst"]

NICENESS: Final = 15
"""Analysts give way to the server and to the bots that play."""


@click.command
@click.option("--redis", metavar="URL", help="The Redis of the server.")
@click.option("--keyring", metavar="FILE", help="The server's key ring; without it no deals are proved.")
@click.option("--stock", type=int, help="Proved deals kept ready for each game.")
@name_option
@while_stdin_option
def analyst(redis: str | None, keyring: str | None, stock: int | None, name: str, while_stdin: bool) -> None:
    """Analyse games and prove deals for a server, at low priority, until Ctrl-C. It takes no seats."""
    settings = given({"redis": redis, "keyring": keyring, "stock": stock}).settings
    client = its_redis(settings)
    from bots.process import log_to_stderr, work_until_told

    log_to_stderr(settings.log_level.value)
    os.nice(NICENESS)
    key = None if settings.keyring is None else _key(settings.keyring)
    work_until_told(_answer(client, name, key, settings.stock), while_stdin)


async def _answer(client: Redis, name: str, key: tuple[str, bytes] | None, stock: int) -> None:
    from bots.analysis.analyst import Analyst
    from bots.analysis.prover import StockProver

    async with contextlib.aclosing(client):
        prover = StockProver(client, *key, stock) if key is not None and stock else None
        await Analyst(client, name, prover).work()


def _key(path: Path) -> tuple[str, bytes]:
    """Return the current key of a ring, which must be there: a ring of one's own would prove deals for nobody."""
    if not path.exists():
        raise click.UsageError(f"expected the key ring of the server, found no file {path}")
    try:
        ring = open_key_ring(path)
        return ring.current, ring.key(ring.current)
    except (KeyRingError, OSError) as fault:
        raise click.ClickException(f"The key ring cannot be used: {fault}.") from fault
