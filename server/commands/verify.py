"""`fairdeal verify`: check a replay file without a server."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

import click
import msgspec

from engine.replay.document import ReplayError, from_json
from engine.replay.verify import Verdict, verify_replay
from engine.replay.verify import verify as verify_file
from server.cli import FAILED
from server.commands.answers import json_option, print_json

__all__ = ["verify"]


@click.command
@click.argument("file", type=click.File("rb"))
@click.option("--seen", type=click.File("rb"), metavar="FRAMES", help="What a client received live, as JSON lines.")
@json_option
def verify(file: BinaryIO, seen: BinaryIO | None, as_json: bool) -> int:
    """Check that FILE, a replay, is whole, and that it tells what happened.

    The deal is the one that was committed to, every entry follows from the one before, and the log comes to the
    standings. With --seen it is also what was shown. The status is 1, and the first difference named, when not.
    """
    verdict = _verdict(file.read(), seen)
    if as_json:
        print_json(msgspec.to_builtins(verdict))
    elif verdict.ok:
        frames = f", {verdict.frames} frames as they were seen" if seen is not None else ""
        click.echo(f"verified: race {verdict.race} on {verdict.code}, {verdict.entries} entries{frames}")
    else:
        click.echo(f"fairdeal: {file.name} does not verify: {verdict.place}: {verdict.fault}", err=True)
    return 0 if verdict.ok else FAILED


def _verdict(data: bytes, seen: Iterable[bytes] | None) -> Verdict:
    if not data.lstrip().startswith(b"{"):
        return verify_file(data, seen)
    try:
        replay = from_json(data)
    except ReplayError as fault:
        return Verdict(False, place=fault.place, fault=fault.fault)
    return verify_replay(replay, seen)
