"""What the commands that talk to a server share: one event loop, an orderly end on signals, faults as sentences."""

from __future__ import annotations

import asyncio
import contextlib
import re
import signal
from collections.abc import Coroutine, Iterator
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import click
from msgspec import Struct

from bots.client import Closed, Refused, ServerUnreachable
from engine.refusals import ErrorCode
from server.commands.answers import InputRefused
from server.node import run
from server.store.connect import StoreUnavailable
from server.store.datadir import StartRefused
from server.store.url import UrlWrong

__all__ = ["DEFAULT_SERVER", "RaceAddress", "race_address", "run_online", "server_option", "server_url"]

DEFAULT_SERVER: Final = "http://127.0.0.1:8080"
_INPUT_FAULTS: Final = frozenset(
    {ErrorCode.UNKNOWN_RACE, ErrorCode.UNKNOWN_CODE, ErrorCode.FORBIDDEN, ErrorCode.BAD_FRAME, ErrorCode.ILLEGAL}
)
"""Refusals that say that the command was wrong, not that it failed."""

T = TypeVar("T")


def server_url(text: str) -> str:
    """Return a server's address as it was given, if it can be one. Raises InputRefused."""
    try:
        address = urlsplit(text)
        usable = address.scheme in ("http", "https") and bool(address.hostname) and address.port != 0
    except ValueError:  # Brackets that do not close, a port that is none.
        usable = False
    if not usable:
        raise InputRefused(f"expected the address of a server, such as {DEFAULT_SERVER}, found {text!r}")
    return text


server_option = click.option(
    "--server",
    type=server_url,
    metavar="URL",
    default=DEFAULT_SERVER,
    show_default=True,
    help="The server that has the race.",
)


class RaceAddress(Struct, frozen=True):
    """Where a race is: its server and its id."""

    server: str
    race: str


def race_address(text: str, server: str) -> RaceAddress:
    """Read a race's id, or the address of its page, which names the server too. Raises InputRefused."""
    found = re.fullmatch(r"(?:(?P<server>https?://[^/]+)/[rwx]/)?(?P<race>[a-z2-7]{26})/?(?:#.*)?", text.strip())
    if found is None:
        raise InputRefused(f"expected a race's id, 26 letters and digits, or the address of its page, found {text!r}")
    return RaceAddress(server if found["server"] is None else server_url(found["server"]), found["race"])


def run_online(work: Coroutine[Any, Any, T]) -> T:
    """Run some work to its end; SIGINT and SIGTERM cancel it, and then click.Abort is raised.

    What a server or the surroundings refuse becomes a sentence and an exit status.
    """

    async def until_told() -> T:
        task = asyncio.ensure_future(work)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, task.cancel)
        return await task

    with _explained():
        try:
            return run(until_told())
        except asyncio.CancelledError:
            raise click.Abort from None


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except Refused as refused:
        if refused.code in _INPUT_FAULTS:
            raise InputRefused(str(refused)) from refused
        raise click.ClickException(str(refused)) from refused
    except UrlWrong as wrong:
        raise InputRefused(f"the URL of Redis cannot be used: {wrong}") from wrong
    except (Closed, ServerUnreachable, StartRefused, StoreUnavailable) as fault:
        raise click.ClickException(str(fault)) from fault
