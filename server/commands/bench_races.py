"""`fairdeal bench --race`: the deals of a bench raced over a server of their own."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence

import click

from bots.bench.bench import Bench
from bots.bench.races import Races, race_deals
from bots.bench.rows import Row
from bots.bench.summary import Summary
from server.commands.online import run_online
from server.node import node
from server.settings import LogLevel, resolve
from server.watch.logs import log_to

__all__ = ["race_bench"]


def race_bench(bench: Bench, pace: str, heard: Callable[[Sequence[Row]], None]) -> Summary:
    """Race the deals that are left; Ctrl-C ends it, and what was raced by then is kept."""

    def keep(rows: Sequence[Row]) -> None:
        bench.keep(rows)
        heard(rows)

    async def race() -> None:
        async with _own_server() as server:
            races = Races(server, bench.plan.conditions, pace, bench.jobs)
            await race_deals(races, bench.bots, bench.left, keep)

    if bench.left:
        with contextlib.suppress(click.Abort):
            run_online(race())
    return bench.sum_up()


@contextlib.asynccontextmanager
async def _own_server() -> AsyncIterator[str]:
    """A server for this bench alone, without a countdown, in a folder that goes with it; yields its address."""
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as folder:
        flags = {"data": folder, "port": 0, "start_delay_ms": 0, "log_level": LogLevel.WARNING}
        settings = resolve(flags, {}).settings
        log_to(level=settings.log_level)
        async with node(settings) as address:
            yield address.local_url
