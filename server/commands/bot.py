"""`fairdeal bot`: try a bot of one's own out, and play with it on a server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from msgspec import Struct

from bots.bench.check import checked
from bots.client import Client, Refused
from bots.conditions import Conditions
from bots.contender import Failed
from bots.external.racer import Racer
from bots.pace import PaceError, pace_of
from bots.seat import play_series
from bots.thinking import Thinking
from engine.codes import CodeError
from engine.race.card import Goal
from engine.race.events import DeclineReason
from engine.race.matching import pool_asked_for
from engine.wire.outbound import Challenged, Matched, Welcome
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
@click.option("--race", "race", metavar="RACE", help="The race's id, or the address of its page.")
@click.option("--queue", is_flag=True, help="Wait for quick races instead.")
@click.option("--challenges", is_flag=True, help="Take challenges instead; the bot's name is claimed for that.")
@click.option("--game", help="With --queue: GO1-C, DS1-D3N…; unset: the first game that the bot plays.")
@click.option("--goal", type=click.Choice([goal.value for goal in Goal]), help="With --queue: what wins.")
@click.option("--rated", is_flag=True, help="With --queue: races that count.")
@click.option(
    "--races", type=click.IntRange(1), default=1, show_default=True, help="With --queue or --challenges: so many."
)
@click.option("--pace", default="fast", show_default=True, help="slow, steady, quick, fast or moves per second.")
@click.option(
    "--token-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Be the player of the token in this file; written for a new player.",
)
@click.option("--memory-mb", type=click.IntRange(1), default=1024, show_default=True, help="For its processes.")
@command_argument
def run(
    server: str,
    race: str | None,
    queue: bool,
    challenges: bool,
    game: str | None,
    goal: str | None,
    rated: bool,
    races: int,
    pace: str,
    token_file: Path | None,
    memory_mb: int,
    command: tuple[str, ...],
) -> None:
    """Play races with the bot that CMD starts, one, quick ones or challenges: join, be ready, play to the end."""
    if (race is not None) + queue + challenges != 1:
        raise InputRefused("expected one of --race RACE, --queue and --challenges")
    address = None if race is None else race_address(race, server)
    try:
        pace_of(pace)
        pool_asked_for(game or "GO", goal, rated)
    except (PaceError, CodeError) as fault:
        raise InputRefused(str(fault)) from fault
    log_to(level=LogLevel.WARNING)
    with _racer(command, memory_mb) as racer:
        if address is not None:
            rid = address.race
            run_online(_online(racer, address.server, pace, token_file, lambda seat: seat.play(rid), rid))
        elif challenges:
            run_online(_online(racer, server, pace, token_file, lambda seat: seat.play_challenges(races)))
        else:
            wanted = game or racer.greeting.games[0]
            run_online(
                _online(racer, server, pace, token_file, lambda seat: seat.play_quick(wanted, goal, rated, races))
            )


class _Seat(Struct, frozen=True):
    """The bot on a server, at a pace."""

    racer: Racer
    client: Client
    thinking: Thinking
    pace: str

    async def play(self, rid: str) -> bool:
        """Play a race and those of its series, and say how it went; False where it was called off."""
        last = await play_series(self.client, rid, self.racer.entry(self.pace), None, self.thinking)
        race = self.client.races[last]
        mine = next((one for one in race.standings or () if one["seat"] == race.seat), None)
        if mine is None:
            click.echo("The race was called off.")
            return False
        self.racer.settle(mine["status"], mine["score"], mine["moves"])
        click.echo(f"rank {mine['rank']}, {mine['status']}, score {mine['score']}, {mine['moves']} moves")
        return True

    async def play_quick(self, game: str, goal: str | None, rated: bool, races: int) -> None:
        """Wait for so many quick races and play them; one that was called off is waited for anew."""
        messages = self.client.messages()
        played = 0
        while played < races:
            await self.client.queue(game, goal, rated=rated)
            click.echo("Waiting for a race…", err=True)
            async for message in messages:
                if isinstance(message, Welcome):
                    # Whoever was cut off waits no longer.
                    await self.client.queue(game, goal, rated=rated)
                if isinstance(message, Matched) and message.previous is None:
                    played += await self.play(message.race)
                    break

    async def play_challenges(self, races: int) -> None:
        """Accept so many challenges to games that the bot plays, and play them; others are declined."""
        client, messages = self.client, self.client.messages()
        client.token = client.http.token = await client.http.claim()
        click.echo(f"Challenge {client.name} at {client.server}/p/{client.player}", err=True)
        played = 0
        async for message in messages:
            if not isinstance(message, Challenged):
                continue
            try:
                if message.card["game"][:2] not in self.racer.greeting.games:
                    await client.leave(message.race, DeclineReason.GAME)
                else:
                    played += await self.play(message.race)
            except Refused as refused:
                click.echo(f"The race of {message.by.name} is no more: {refused}", err=True)
            if played == races:
                return


async def _online(
    racer: Racer,
    server: str,
    pace: str,
    token_file: Path | None,
    work: Callable[[_Seat], Awaitable[object]],
    race: str | None = None,
) -> None:
    """Do some work as the bot's player, who is kept in the token file."""
    said, token = racer.greeting, _token(token_file)
    client = Client(server, token, name=said.name, kind="bot", engine=f"{said.name} {said.version}", race=race)
    with Thinking() as thinking:
        async with client:
            if token is None:
                _keep_token(token_file, client.token)
            await work(_Seat(racer, client, thinking, pace))


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
