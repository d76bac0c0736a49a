"""What a command is given: settings, and the Redis of a server that runs elsewhere."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

import click
from redis.asyncio import Redis

from server.settings import Resolved, Settings, SettingWrong, resolve
from server.store.connect import connect
from server.store.url import UrlWrong

__all__ = ["given", "its_redis", "name_option", "while_stdin_option"]

name_option = click.option(
    "--name", default=lambda: f"{socket.gethostname()}:{os.getpid()}", help="A name that no other living one has."
)
while_stdin_option = click.option("--while-stdin", is_flag=True, hidden=True, help="Stop when standard input ends.")


def given(flags: Mapping[str, object], environ: Mapping[str, str] = os.environ) -> Resolved:
    """Return the settings of a command's flags and surroundings. Raises UsageError."""
    try:
        return resolve(flags, environ)
    except SettingWrong as wrong:
        raise click.UsageError(str(wrong)) from wrong


def its_redis(settings: Settings) -> Redis:
    """Return a client of the server's Redis, for what works for a server and starts none. Raises UsageError."""
    if settings.redis is None:
        raise click.UsageError("expected the server's Redis, found none: give --redis URL, or set FAIRDEAL_REDIS_FILE")
    try:
        return connect(settings.redis)
    except UrlWrong as wrong:
        raise click.UsageError(f"the URL of Redis cannot be used: {wrong}") from wrong
