"""A cluster under load: `python -m tests.journeys.cluster --rounds 10 [--out FILE]`.

Three masters with a replica each, with passwords and rights as `deploy/new-secrets` makes them, and two nodes at
durability `replica` that hold races of people and of bots. Each round all races that are on move to other masters,
slot by slot; then a master hands over to its replica; then its successor is killed with SIGKILL, and comes back. At
the end all races are compared with what their clients were told. The last line printed is what all of it came to.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

from msgspec import Struct

from bots.swarm.audit import Ended, audit
from bots.swarm.swarm import Swarm
from bots.swarm.tally import Report, Tally
from bots.swarm.terms import Terms
from server.doctor import examine_redis
from server.settings import Durability
from server.store import keys
from server.store.cluster import Cluster
from server.store.connect import connect
from server.store.log import races_logged
from tests.cluster import ClusterUp, cluster_up
from tests.journeys.by_hand import hold, options, show
from tests.journeys.sentinel import CONFIRMED_BETWEEN, DEPLOY, confirms, nodes

__all__ = ["Outcome", "rounds"]


class Outcome(Struct):
    """What was done to the cluster, and what became of all races."""

    rounds: int
    slots_moved: int
    report: Report


class _Load:
    """Races of people, and races against a bot, spread over the nodes."""

    def __init__(self, addresses: tuple[str, ...], folder: Path, seed: int) -> None:
        self.tally = Tally()
        self._over: list[Ended] = []
        self._swarms = []
        for name, terms in (
            ("people", Terms(servers=addresses, races=5, rate=10, moves=60, seed=seed)),
            ("bots", Terms(servers=addresses, races=1, seats=1, rate=5, moves=40, bots=("greedy",), seed=seed)),
        ):
            (folder / name).mkdir()
            self._swarms.append(Swarm(terms, folder / name, self.tally))

    async def run(self, enough: asyncio.Event) -> None:
        """Hold races until there are enough of them."""
        await asyncio.gather(*(swarm.run(enough.is_set, self._over.append) for swarm in self._swarms))

    async def report(self) -> Report:
        """Check all races."""
        for ended in self._over:
            await asyncio.to_thread(audit, ended, self.tally)
        return self.tally.report()


async def rounds(
    times: int, seconds: float, folder: Path, *, seed: int = 1, say: Callable[[str], None] = lambda _: None
) -> Outcome:
    """Shake a cluster so many times, or as often as there is time for, and check everything."""
    secrets, seen = folder / "secrets", folder / "seen"
    for one in (seen, folder / "redis"):
        one.mkdir()
    shutil.copytree(DEPLOY, folder / "deploy", ignore=shutil.ignore_patterns("secrets"))
    new_secrets = ["sh", folder / "deploy" / "new-secrets", "--cluster", "HOSTS:1", secrets]
    await asyncio.to_thread(subprocess.run, new_secrets, check=True, capture_output=True)
    done, moved = 0, 0
    async with AsyncExitStack() as stack:
        cluster = await asyncio.to_thread(stack.enter_context, cluster_up(folder / "redis", secrets))
        url = (secrets / "redis_url").read_text().replace("HOSTS:1", cluster.hosts).strip()
        (secrets / "redis_url").write_text(url)
        client = await stack.enter_async_context(connect(url))
        assert isinstance(client, Cluster)
        load = _Load(await stack.enter_async_context(nodes(secrets, folder, bots=1)), seen, seed)
        enough, until = asyncio.Event(), time.monotonic() + seconds
        async with asyncio.TaskGroup() as group:
            group.create_task(load.run(enough), name="load")
            assert await confirms(load.tally, CONFIRMED_BETWEEN), load.tally.report()
            while done < times and time.monotonic() < until:
                moved += await _move_all(cluster, client, load.tally)
                away = await _replaced(cluster, load.tally)
                done += 1
                say(f"round {done}: {moved} slots moved so far, a master was away for {away:.1f} s")
                faults = [one for one in await examine_redis(client, Durability.REPLICA) if not one.ok]
                load.tally.faults += [f"{one.check}: {one.found}" for one in faults]
            enough.set()
        report = await load.report()
    return Outcome(done, moved, report)


async def _move_all(cluster: ClusterUp, client: Cluster, tally: Tally) -> int:
    """Move every race that has a log to another master, each while it is played on both."""
    moved = 0
    for rid in {rid async for rid in races_logged(client)}:
        log = keys.race_log(rid)
        move = await asyncio.to_thread(cluster.begin_move, log)
        await confirms(tally, 3)
        await asyncio.to_thread(move.end)
        moved += 1
    return moved


async def _replaced(cluster: ClusterUp, tally: Tally) -> float:
    """Let a master hand over, and kill its successor; returns how long its slots were without one."""
    successor = await asyncio.to_thread(cluster.hand_over, cluster.master_of(keys.NODES))
    await confirms(tally, CONFIRMED_BETWEEN)
    begun = time.monotonic()
    await asyncio.to_thread(cluster.lose, successor)
    away = time.monotonic() - begun
    await asyncio.to_thread(cluster.heal)
    if not await confirms(tally, CONFIRMED_BETWEEN):
        tally.faults.append("no moves were confirmed any more")
    return away


def main() -> None:
    """Shake as often as the command line asks for; the status is 1 when anything was lost, doubled or wrong."""
    asked = options(__doc__, times=10).parse_args()
    outcome = hold(asked, lambda folder: rounds(asked.times, asked.seconds, folder, seed=asked.seed, say=show))
    sys.exit(0 if outcome.report.ok else 1)


if __name__ == "__main__":
    main()
