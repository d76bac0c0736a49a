"""`fairdeal keyring`: make the key ring that nodes share, rotate it in two steps, and sign tokens with it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import click
from msgspec.structs import replace

from server.commands.answers import InputRefused, json_option, print_json
from server.players import Scope, Tokens, new_player
from server.store.keyring import KeyRing, KeyRingError, chosen, extended, open_key_ring, replace_key_ring

__all__ = ["keyring"]

_FILE: Final = click.Path(dir_okay=False, path_type=Path)


@click.group(no_args_is_help=False)
def keyring() -> None:
    """Make, show and rotate the file of keys that all nodes share.

    Rotate in two steps, for a node can serve a race only if it has its key: `add`, restart every node, `use`, restart
    every node. Old keys stay, for races and tokens that name them.
    """


@keyring.command
@click.argument("file", type=_FILE)
def new(file: Path) -> None:
    """Make a key ring with one key; an existing file is left as it is."""
    if file.exists():
        raise InputRefused(f"expected the name of a file to be made, found {file} there already: choose another")
    _opened(file)
    click.echo(f"Made {file}.", err=True)


@keyring.command
@click.argument("file", type=_FILE)
@json_option
def show(file: Path, as_json: bool) -> None:
    """Show the names of the keys, never the keys."""
    ring = _existing(file)
    if as_json:
        print_json({"current": ring.current, "kids": list(ring.keys)})
    else:
        for kid in ring.keys:
            click.echo(f"{kid} (current)" if kid == ring.current else kid)


@keyring.command
@click.argument("file", type=_FILE)
def add(file: Path) -> None:
    """Add a key that is not used yet, and print its name."""
    ring = extended(_existing(file))
    replace_key_ring(file, ring)
    click.echo(next(reversed(ring.keys)))


@keyring.command
@click.argument("file", type=_FILE)
@click.argument("kid")
def use(file: Path, kid: str) -> None:
    """Use a key for all that begins from now on."""
    try:
        ring = chosen(_existing(file), kid)
    except KeyRingError as fault:
        raise InputRefused(str(fault)) from fault
    replace_key_ring(file, ring)


@keyring.command
@click.argument("file", type=_FILE)
@click.option("--admin", is_flag=True, help="Let the token rule on races and players.")
@click.option("--name", default="Admin", show_default=True, help="The player's name.")
def token(file: Path, admin: bool, name: str) -> None:
    """Print a new player's token, signed with the current key of FILE; it works on every node of that ring."""
    player = new_player(name)
    if admin:
        player = replace(player, scopes=(*player.scopes, Scope.ADMIN))
    click.echo(Tokens(_existing(file), lambda: time.time_ns() // 1_000_000).sign(player))


def _existing(file: Path) -> KeyRing:
    if not file.exists():
        raise InputRefused(f"expected a key ring, found no file {file}: make one with `fairdeal keyring new {file}`")
    return _opened(file)


def _opened(file: Path) -> KeyRing:
    try:
        return open_key_ring(file)
    except KeyRingError as fault:
        raise InputRefused(str(fault)) from fault
    except OSError as fault:
        raise InputRefused(f"expected a file that can be written, found {file}: {fault.strerror}") from fault
