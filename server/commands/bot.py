"""`fairdeal bot`: try a bot of one's own out, and play with it on a server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from bots.bench.check import checked
from bots.client import Client
from bots.conditions import Conditions
from bots.contender import Failed
from bots.external.racer import Racer
from bots.pace import PaceError, pace_of
from bots.seat import play_seat
from bots.thinking import Thinking
from server.cli import FAILED
from server.commands.answers import InputRefused, json_option, print_json
from server.commands.online import race_address, run_online, server_option
from server.settings import LogLevel
from server.watch.logs import log_to

__all__ = ["bot"]


@click.group(no_args_is_help=False)
def bot() -> None:
    """Try a bot of your own out, and play with it on a server."""


command_argument = click.argument("command", nargs=-1, required=True, metavar="-- CMD…")


@bot.command
@command_argument
@json_option
def check(command: tuple[str, ...], as_json: bool) -> int:
    """Say what the bot that CMD starts does wrong, trying all that the protocol asks of it."""
    findings = []
    for finding in checked(command):
        findings.append(finding)
        if not as_json:
            click.echo(f"{'ok   ' if finding.ok else 'WRONG'}  {finding.tried}: {finding.seen}")
    wrong = sum(not finding.ok for finding in findings)
    if as_json:
        print_json({"ok": not wrong, "findings": findings})
    else:
        click.echo(f"{wrong} of {len(findings)} wrong" if wrong else "Nothing is wrong with it.")
    return FAILED if wrong else 0


@bot.command
@server_option
@click.option("--race", "race", metavar="RACE", required=True, help="The race's id, or the address of its page.")
@click.option("--pace", default="fast", show_default=True, help="slow, steady, quick, fast or moves per second.")
@click.option(
    "--token-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Be the player of the token in this file; written for a new player.",
)
@click.option("--memory-mb", type=click.IntRange(1), default=1024, show_default=True, help="For its processes.")
@command_argument
def run(server: str, race: str, pace: str, token_file: Path | None, memory_mb: int, command: tuple[str, ...]) -> None:
    """Play a race with the bot that CMD starts: join, be ready, play to the end."""
    address = race_address(race, server)
    try:
        pace_of(pace)
    except PaceError as fault:
        raise InputRefused(str(fault)) from fault
    log_to(level=LogLevel.WARNING)
    with _racer(command, memory_mb) as racer:
        run_online(_race(racer, address.server, address.race, pace, token_file))


async def _race(racer: Racer, server: str, rid: str, pace: str, token_file: Path | None) -> None:
    said, token = racer.greeting, _token(token_file)
    client = Client(server, token, name=said.name, kind="bot", engine=f"{said.name} {said.version}")
    with Thinking() as thinking:
        async with client:
            if token is None:
                _keep_token(token_file, client.token)
            await play_seat(client, rid, racer.entry(pace), None, thinking)
            race = client.races[rid]
    mine = next((one for one in race.standings or () if one["seat"] == race.seat), None)
    if mine is None:
        click.echo("The race was called off.")
        return
    racer.settle(mine["status"], mine["score"], mine["moves"])
    click.echo(f"rank {mine['rank']}, {mine['status']}, score {mine['score']}, {mine['moves']} moves")


def _token(file: Path | None) -> str | None:
    try:
        return None if file is None else file.read_text().strip() or None
    except FileNotFoundError:
        return None


def _keep_token(file: Path | None, token: str | None) -> None:
    """Write a token down for the next time; whoever has it is the player, so nobody else may read it."""
    if file is not None and token is not None:
        file.touch(0o600)
        file.write_text(f"{token}\n")


@contextmanager
def _racer(command: tuple[str, ...], memory_mb: int) -> Iterator[Racer]:
    try:
        racer = Racer(command, Conditions(memory_mb=memory_mb))
    except Failed as failed:
        raise click.ClickException(f"{failed.detail} (see `fairdeal bot check`)") from failed
    with racer:
        if racer.greeting.mode != "fair":
            raise InputRefused("expected a fair bot, found an oracle: nobody in a race is given the whole deal")
        yield racer
