"""`fairdeal replay`: step through a race that is over."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
import msgspec
from msgspec.structs import replace
from rich.console import Console, Group
from rich.text import Text

from bots.client import Client, Following
from engine.race.events import Event, Played, SeatEvent, Undone
from engine.race.model import Race
from engine.race.views import Role, Viewer, ev_for, snap_for
from engine.replay.document import Header, Replay, ReplayError, from_json
from engine.replay.file import read_replay
from engine.replay.seen import Step
from engine.replay.verify import followed
from engine.solo import UNDO
from server.commands.answers import InputRefused, json_lines_option, print_json
from server.commands.online import RaceAddress, race_address, run_online, server_option
from server.commands.screen import race_screen, standings_table

__all__ = ["replay"]

EVERYTHING: Final = Viewer(Role.WATCH, boards=True)
FORWARD: Final = frozenset({" ", "\r", "\n", "\x1b[C", "l", "n"})
BACK: Final = frozenset({"\x1b[D", "\x7f", "h", "p"})
TO_START: Final = frozenset({"\x1b[H", "0", "g"})
TO_END: Final = frozenset({"\x1b[F", "$", "G"})
LEAVE: Final = frozenset({"q", "\x1b", "\x03", "\x04"})
KEYS: Final = "→ or space: on   ←: back   0: start   $: end   q: leave"


@click.command
@click.argument("file_or_race")
@server_option
@json_lines_option
def replay(file_or_race: str, server: str, as_json: bool) -> None:
    """Step through a race: a replay FILE, or the id or address of a RACE that is over.

    On a terminal the arrow keys go on and back; elsewhere every entry is a line.
    """
    read = _read(file_or_race, server)
    try:
        steps = followed(read.header, read.entries)
    except ReplayError as fault:
        raise InputRefused(f"{file_or_race} cannot be replayed: {fault}") from fault
    if as_json:
        _print_json(read.header, steps)
    elif sys.stdin.isatty() and sys.stdout.isatty():
        _step_through(steps)
    else:
        _print_lines(read.header, steps)


def _read(file_or_race: str, server: str) -> Replay:
    path = Path(file_or_race)
    try:
        if path.exists():
            data = path.read_bytes()
        else:
            data = run_online(_record(race_address(file_or_race, server)))
        return from_json(data) if data.lstrip().startswith(b"{") else read_replay(data)
    except OSError as fault:
        raise InputRefused(f"{file_or_race} cannot be read: {fault.strerror}") from fault
    except ReplayError as fault:
        raise InputRefused(f"{file_or_race} cannot be replayed: {fault}") from fault


async def _record(address: RaceAddress) -> bytes:
    async with Client(address.server) as client:
        return await client.http.record(address.race)


def _print_json(header: Header, steps: Sequence[Step]) -> None:
    for step in steps:
        # At the end everyone may see all.
        click.echo(msgspec.json.encode(ev_for(replace(step.before, closed=True), step.event, step.after, EVERYTHING)))
    print_json({"standings": header.standings, "race": header.race})


def _print_lines(header: Header, steps: Sequence[Step]) -> None:
    for step in steps:
        click.echo(_sentence(step))
    Console().print(standings_table(header.standings))


def _step_through(steps: Sequence[Step]) -> None:
    place, last = 0, len(steps) - 1
    with Console().screen(hide_cursor=True) as screen:
        while True:
            shown = race_screen(_followed(steps[place].after, final=place == last))
            screen.update(Group(shown, Text(_sentence(steps[place])), Text(KEYS, style="dim")))
            key = click.getchar()
            if key in LEAVE:
                return
            place = min(last, max(0, _place_after(key, place, last)))


def _place_after(key: str, place: int, last: int) -> int:
    if key in FORWARD:
        return place + 1
    if key in BACK:
        return place - 1
    if key in TO_START:
        return 0
    return last if key in TO_END else place


def _followed(race: Race, *, final: bool) -> Following:
    """Return a race at one of its entries as one who may see everything would have followed it."""
    following = Following(race.id, "watch")
    snap = snap_for(replace(race, closed=True), EVERYTHING, max(race.at, race.start_at or 0), "watch")
    following.take(snap if final else replace(snap, standings=None, status=race.status(race.at).value))
    return following


def _sentence(step: Step) -> str:
    """Say what an entry says: its number, seconds since the start, seat, what happened, the score after it."""
    race, event = step.after, step.event
    since = "" if race.start_at is None else f"{(race.at - race.start_at) / 1000:+8.2f} s"
    seat = f"{event.seat} {_name(race, event)}" if isinstance(event, SeatEvent) else ""
    match event:
        case Played():
            said = event.m
        case Undone():
            said = UNDO
        case _:
            said = event.KIND.partition(".")[2]
    score = f"score {race.seats[event.seat].score}" if isinstance(event, Played | Undone) else ""
    return f"{race.seq:>5} {since:>10}  {seat:<24} {said:<10} {score}".rstrip()


def _name(race: Race, event: Event) -> str:
    seat = race.seats.get(event.seat) if isinstance(event, SeatEvent) else None
    return "" if seat is None else seat.name
