"""Who takes part in a bench, as data that can be sent to other machines."""

from __future__ import annotations

import shlex
from typing import Final, Literal

from msgspec import Struct

from bots.bench.faults import RunRefused
from bots.conditions import Conditions
from bots.contender import Failed
from bots.external.bot import greeting_of
from bots.roster import UnknownPlayer, entry

__all__ = ["COMMAND", "Contestant", "contestant"]

COMMAND: Final = "cmd:"
"""What a bot of one's own begins with: `cmd:./mybot --fast`."""


class Contestant(Struct, frozen=True):
    """A bot as it was named (`spec`), and what it says of itself."""

    spec: str
    name: str
    version: str = ""
    mode: Literal["fair", "oracle"] = "fair"
    games: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    """The program and its arguments; of a built-in bot none."""


def contestant(spec: str, conditions: Conditions) -> Contestant:
    """Return the bot of the roster with this name, or a program after asking it for its own. Raises RunRefused."""
    if spec.startswith(COMMAND):
        return _program(spec, conditions)
    try:
        found = entry(spec)
    except UnknownPlayer as fault:
        raise RunRefused(f"{fault}, or cmd:COMMAND") from fault
    return Contestant(spec=spec, name=spec, mode=found.mode, games=found.games)


def _program(spec: str, conditions: Conditions) -> Contestant:
    try:
        command = tuple(shlex.split(spec.removeprefix(COMMAND)))
    except ValueError as fault:
        raise RunRefused(f"expected a command after {COMMAND}, found {spec!r}: {fault}") from fault
    if not command:
        raise RunRefused(f"expected a command after {COMMAND}, found none")
    try:
        said = greeting_of(command, conditions)
    except Failed as fault:
        raise RunRefused(f"{spec}: {fault.detail} (see `fairdeal bot check`)") from fault
    return Contestant(spec, said.name, said.version, said.mode, said.games, command)
