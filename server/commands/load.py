"""`fairdeal load`: a load test over the real protocol, which checks that nothing confirmed was lost."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any, Final
from urllib.parse import urlsplit

import aiohttp
import click

from bots.client import Http
from bots.swarm.audit import Ended, audit
from bots.swarm.swarm import Swarm
from bots.swarm.tally import Report
from bots.swarm.terms import SETTLE_S, Terms, TermsRefused
from engine.codes import CodeError, parse_game
from server.cli import FAILED
from server.commands.answers import InputRefused, json_option, print_json
from server.commands.online import DEFAULT_SERVER, run_online, server_url
from server.settings import LogLevel
from server.watch.logs import log_to

__all__ = ["load"]

FAULTS_SHOWN: Final = 10


@click.command
@click.option(
    "--server",
    "servers",
    type=server_url,
    metavar="URL",
    multiple=True,
    default=[DEFAULT_SERVER],
    help="A server; a node each.",
)
@click.option("--races", default=10, show_default=True, help="Races at a time.")
@click.option("--seats", default=2, show_default=True, help="Seats of a race.")
@click.option("--spectators", default=1, show_default=True, help="Spectators of a race.")
@click.option("--bot", "bots", multiple=True, metavar="NAME", help="A bot of the server's own; one more seat.")
@click.option("--seconds", default=10.0, show_default=True, help="How long to play.")
@click.option("--rate", default=10.0, show_default=True, help="Plays a second of a seat; 0: as many as it can.")
@click.option("--game", default="GO1-E", show_default=True, help="What is played: a code without its number.")
@click.option("--remote", is_flag=True, help="Put the load on a server of another machine, which is yours.")
@json_option
def load(servers: tuple[str, ...], rate: float, game: str, remote: bool, as_json: bool, **numbers: Any) -> int:
    """Hold races on a running server, count and time their moves, and check all of them afterwards.

    Every confirmed move has to be in the log once and in order, and every client has to have seen what there was to
    see (`verify --seen`). The status is 1 when not. Ctrl-C ends the play early; what was played is checked and told.
    """
    for server in servers:
        if not remote and not _on_loopback(server):
            raise InputRefused(f"expected a server on this machine, found {server}: if it is yours, add --remote")
    try:
        parse_game(game)
        terms = Terms(servers=tuple(one.rstrip("/") for one in servers), rate=rate or None, game=game, **numbers)
        terms.check()
    except (CodeError, TermsRefused) as refused:
        raise InputRefused(str(refused)) from refused
    log_to(level=LogLevel.WARNING)
    with tempfile.TemporaryDirectory(prefix="fairdeal-load-") as folder:
        report, whole = run_online(_load(terms, Path(folder), quiet=as_json))
    if as_json:
        print_json(report)
    else:
        _show(report)
    if not whole:
        raise click.Abort
    return 0 if report.ok else FAILED


def _on_loopback(server: str) -> bool:
    host = urlsplit(server).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _load(terms: Terms, folder: Path, *, quiet: bool) -> tuple[Report, bool]:
    """Play, then check: checking in between would be measured too. Raises ServerUnreachable, Refused.

    Returns what was found, and whether it was played to the end.
    """
    async with aiohttp.ClientSession() as session:
        for server in terms.servers:
            # Once races are on, a server that goes away is waited for; one that was never there is told at once.
            await Http(session, server).new_player("fairdeal load")
    swarm, over = Swarm(terms, folder), list[Ended]()
    stopped = _ctrl_c()
    _say(quiet, f"Playing for {terms.seconds:g} s on {', '.join(terms.servers)}.")

    def enough() -> bool:
        return stopped.is_set() or swarm.tally.played_s(perf_counter()) >= terms.seconds

    try:
        async with asyncio.timeout(terms.seconds + SETTLE_S):
            await swarm.run(enough, over.append)
    except TimeoutError:
        swarm.tally.faults.append(f"{swarm.tally.races - len(over)} races have not ended {SETTLE_S:g} s later")
    _say(quiet, f"Checking {len(over)} races.")
    for one in over:
        await asyncio.to_thread(audit, one, swarm.tally)
    return swarm.tally.report(), not stopped.is_set()


def _ctrl_c() -> asyncio.Event:
    """Return what the first Ctrl-C sets; a second one ends this at once."""
    stopped = asyncio.Event()
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None

    def stop() -> None:
        if stopped.is_set():
            task.cancel()
        else:
            click.echo("ending the races under way; Ctrl-C again stops at once", err=True)
        stopped.set()

    loop.add_signal_handler(signal.SIGINT, stop)
    return stopped


def _say(quiet: bool, line: str) -> None:
    if not quiet and sys.stderr.isatty():
        click.echo(line, err=True)


def _show(report: Report) -> None:
    click.echo(
        f"moves      {report.confirmed} confirmed, {report.moves_per_s:,.0f}/s, {report.dups} of them after a loss"
    )
    click.echo(f"latency    p50 {report.p50_ms} ms, p99 {report.p99_ms} ms, most {report.max_ms} ms")
    refused = ", ".join(f"{code} {count}" for code, count in sorted(report.refused.items()))
    click.echo(f"refused    {refused or 'none'}")
    click.echo(
        f"races      {report.verified} of {report.races} verified: {report.entries} entries, {report.frames} frames"
    )
    click.echo(f"lost       {report.lost}")
    click.echo(f"doubled    {report.doubled}")
    for fault in report.faults[:FAULTS_SHOWN]:
        click.echo(f"fault      {fault}")
    if len(report.faults) > FAULTS_SHOWN:
        click.echo(f"           and {len(report.faults) - FAULTS_SHOWN} more")
