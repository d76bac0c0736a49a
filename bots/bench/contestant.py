"""Who takes part in a bench, as data that can be sent to other machines."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from bots.bench.faults import RunRefused
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


def contestant(name: str) -> Contestant:
    """Return the bot of the roster with this name. Raises RunRefused."""
    try:
        found = entry(name)
    except UnknownPlayer as fault:
        raise RunRefused(f"{fault}, or cmd:COMMAND") from fault
    return Contestant(spec=name, name=name, mode=found.mode, games=found.games)
