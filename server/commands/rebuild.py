"""`fairdeal rebuild`: lobby, results and ratings made anew from the archive and the logs."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import click
import msgspec
from msgspec.structs import replace
from redis.exceptions import RedisError

from server.cli import FAILED
from server.commands.answers import json_option, print_json
from server.commands.given import given
from server.commands.online import run_online
from server.node import KEYRING_NAME, base, key_ring
from server.races.secrets import RaceSecrets
from server.read.rebuild import Rebuilt
from server.read.rebuild import rebuild as made_anew
from server.settings import Settings
from server.store.archive import open_archive
from server.store.connect import StoreUnavailable, connect
from server.store.history import History
from server.watch.logs import log_to

__all__ = ["rebuild"]

SHOWN_EVERY = 1_000


@click.command
@click.option("--redis", metavar="URL", help="A running Redis; unless given, a private one.")
@click.option("--data", metavar="DIR", type=click.Path(file_okay=False), help="Data directory.")
@click.option("--archive", metavar="DIR|URL", help="Folder of replay files, or s3://BUCKET/PREFIX.")
@json_option
def rebuild(as_json: bool, **flags: Any) -> int:
    """Make lobby, results and ratings anew from the archive and the logs in Redis.

    Where a server of this data directory runs on a Redis of its own, stop it first; one on --redis may go on.
    """
    settings = given(flags).settings
    log_to(level=settings.log_level)
    made = run_online(_rebuild(settings))
    if as_json:
        print_json(msgspec.to_builtins(made))
    else:
        click.echo(f"{made.counted} races read: {made.archived} from the archive, {made.live} from Redis.")
    for rid in made.damaged:
        click.echo(f"fairdeal: race {rid} cannot be read, and counts nowhere", err=True)
    return FAILED if made.damaged else 0


@contextlib.asynccontextmanager
async def _ground(settings: Settings) -> AsyncIterator[Settings]:
    """What a node stands on. With a running Redis the data directory is only read: a server may own it and go on."""
    if settings.redis is None:
        async with base(settings) as found:
            yield found
    else:
        yield replace(settings, keyring=settings.keyring or settings.data / KEYRING_NAME)


async def _rebuild(settings: Settings) -> Rebuilt:
    async with _ground(settings) as found:
        assert found.redis is not None
        assert found.keyring is not None
        archive, secrets = open_archive(found.archive, found.data), RaceSecrets(key_ring(found.keyring))
        async with (
            contextlib.aclosing(connect(found.redis)) as client,
            History(client, archive) as history,
        ):
            try:
                return await made_anew(client, history, secrets, _told)
            except (RedisError, OSError) as fault:
                raise StoreUnavailable(str(fault)) from fault


def _told(races: int) -> None:
    if races % SHOWN_EVERY == 0:
        click.echo(f"{races} races read", err=True)
