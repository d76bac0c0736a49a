"""`python -m server.commands.worker`: take seats that want a bot and play them, until told to stop."""

from __future__ import annotations

import contextlib
import os
from typing import Final

import click
from redis.asyncio import Redis

from bots.process import log_to_stderr, work_until_told
from bots.thinking import Thinking
from bots.wanted import Wanted
from bots.worker import SEATS, Worker
from server.commands.given import given, its_redis, name_option, while_stdin_option
from server.settings import LogLevel

__all__ = ["worker"]

NICENESS: Final = 5
"""Bots give way to the server where both share a machine."""
SERVER: Final = "FAIRDEAL_SERVER"
"""No setting of the server's, so it is none that `resolve` knows."""


@click.command
@click.option("--redis", metavar="URL", help="Where the wishes are: the Redis of the server.")
@click.option("--server", envvar=SERVER, required=True, metavar="URL", help="Where to play: http://127.0.0.1:8080.")
@name_option
@click.option("--seats", default=SEATS, show_default=True, type=click.IntRange(1), help="Seats played at a time.")
@click.option("--log-level", type=click.Choice([*LogLevel]), help="The least serious thing that is logged.")
@while_stdin_option
def worker(
    redis: str | None, server: str, name: str, seats: int, log_level: LogLevel | None, while_stdin: bool
) -> None:
    """Take seats that want a bot and play them. It holds no key, and plays over the same socket as everybody.

    Give it a name that no other living worker has: one that comes back under its name goes on with its seats at once.
    """
    environ = {name: text for name, text in os.environ.items() if name != SERVER}
    settings = given({"redis": redis, "log_level": log_level}, environ).settings
    client = its_redis(settings)
    log_to_stderr(settings.log_level.value)
    os.nice(NICENESS)
    work_until_told(_play(client, server, name, seats), while_stdin)


async def _play(client: Redis, server: str, name: str, seats: int) -> None:
    async with contextlib.aclosing(client):
        with Thinking() as thinking:
            await Worker(Wanted(client, name), server, thinking, seats=seats).work()


if __name__ == "__main__":
    worker()
