"""Failovers by Sentinel under load: `python -m tests.journeys.sentinel --failovers 10 [--out FILE]`.

Three Redis servers and three sentinels from the files of `deploy/redis`, with passwords and rights as `new-secrets`
makes them, and two nodes at durability `replica`. Each time the master is killed with SIGKILL, and comes back. All
races are compared with what their clients were told. The last line printed is what all of it came to.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from bots.swarm.audit import Ended, audit
from bots.swarm.swarm import Swarm
from bots.swarm.tally import Report, Tally
from bots.swarm.terms import Terms
from server.doctor import Finding, examine_redis
from server.settings import Durability
from server.store.binary import find_redis
from server.store.connect import connect
from server.store.sentinel import sentinels_of
from tests.journeys.by_hand import hold, options, show
from tests.journeys.field import QUICK
from tests.journeys.processes import fairdeal
from tests.ports import free_port

__all__ = ["Outcome", "confirms", "failovers", "nodes"]

DEPLOY: Final = Path(__file__).parents[2] / "deploy"
MACHINES: Final = 3
DOWN_AFTER_MS: Final = 2_000
"""Instead of the 5 s of `sentinel.conf`."""
WITHIN_S: Final = 90.0
"""Sentinels that could not agree try again after 20 s; one that was held up for two seconds does nothing for thirty."""
CONFIRMED_BETWEEN: Final = 20
DEED: Final = re.compile(r"[#*] [-+]|Next failover|voted for")


class Outcome(Struct, frozen=True):
    """For how long nothing was confirmed after each kill, in s, and what became of all races."""

    silent_s: list[float]
    report: Report


class _Machines:
    """A Redis and a sentinel each, as an operator installs them by the runbook."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: dict[int, subprocess.Popen[bytes]] = {}
        self.ports = [free_port() for _ in range(MACHINES)]
        self._sentinels = [free_port() for _ in range(MACHINES)]
        deploy = folder / "deploy"
        shutil.copytree(DEPLOY, deploy, ignore=shutil.ignore_patterns("secrets"))
        watched = ",".join(f"127.0.0.1:{port}" for port in self._sentinels)
        command = ["sh", deploy / "new-secrets", "--redis", f"127.0.0.1:{self.ports[0]}", "--sentinels", watched]
        subprocess.run([*command, folder / "secrets"], check=True, capture_output=True)
        self.secrets = folder / "secrets"
        self.client = connect((self.secrets / "redis_url").read_text().strip())

    def begin(self) -> None:
        """Start everything; the first Redis is the master."""
        first, *others = self.ports
        self.start(first)
        for port in others:
            self.start(port, "--replicaof", "127.0.0.1", str(first))
        for port in self._sentinels:
            own = self._folder / f"sentinel-{port}"
            own.mkdir()
            text = (self.secrets / "sentinel.conf").read_text().replace("port 26379", f"port {port}")
            text = re.sub(r"(down-after-milliseconds fairdeal) \d+", rf"\1 {DOWN_AFTER_MS}", text)
            (own / "sentinel.conf").write_text(text)
            self._run(port, own, "sentinel.conf", "--sentinel")

    def start(self, port: int, *more: str) -> None:
        """Start a Redis, for the first time or again."""
        own = self._folder / f"redis-{port}"
        own.mkdir(exist_ok=True)
        conf = (DEPLOY / "redis" / "redis.conf").read_text().replace("dir /data", f"dir {own}")
        (own / "redis.conf").write_text(conf)
        secrets = ("--include", self.secrets / "replication.conf", "--aclfile", self.secrets / "users.acl")
        here = ("--port", str(port), "--bind", "127.0.0.1", "--maxmemory", "100mb", *more)
        self._run(port, own, "redis.conf", *secrets, *here)

    def _run(self, port: int, folder: Path, *arguments: str | Path) -> None:
        log = ("--logfile", folder / "log")
        self._running[port] = subprocess.Popen([find_redis(), *arguments, *log], cwd=folder)

    async def master(self) -> int:
        """The port of the master, as the sentinels have it."""
        sentinels = sentinels_of(self.client)
        assert sentinels is not None
        return (await sentinels.master())[1]

    def kill(self, port: int) -> None:
        """End a Redis as a power cut would."""
        process = self._running.pop(port)
        process.kill()
        process.wait()

    async def well(self) -> bool:
        """Wait until `fairdeal doctor` has nothing to mend and the replicas follow."""
        until = time.monotonic() + WITHIN_S
        while not _all_well(await examine_redis(self.client, Durability.REPLICA)):
            if time.monotonic() > until:
                return False
            await asyncio.sleep(0.1)
        return True

    def said(self) -> str:
        """Return what the sentinels have seen and done (`+odown`, `+vote-for-leader`, `+tilt`), one after the other."""
        logs = (self._folder / f"sentinel-{port}" / "log" for port in self._sentinels)
        return "\n".join(
            f"sentinel {number}: {line}"
            for number, log in enumerate(logs, 1)
            for line in log.read_text().splitlines()
            if DEED.search(line)
        )

    async def end(self) -> None:
        """End everything."""
        await self.client.aclose()
        for port in tuple(self._running):
            self.kill(port)


def _all_well(findings: tuple[Finding, ...]) -> bool:
    found = {one.check: one.found for one in findings}
    return all(one.ok for one in findings) and found["replicas"] == f"{MACHINES - 1} connected"


@asynccontextmanager
async def nodes(secrets: Path, folder: Path, *, bots: int = 0) -> AsyncIterator[tuple[str, ...]]:
    """Two nodes at durability `replica`, for the length of the block, each with workers; yields their addresses.

    `secrets` is a folder as `new-secrets` makes it.
    """
    environ = QUICK | {
        "FAIRDEAL_REDIS_FILE": str(secrets / "redis_url"),
        "FAIRDEAL_KEYRING": str(secrets / "keyring.json"),
        "FAIRDEAL_ARCHIVE": str(folder / "archive"),
        "FAIRDEAL_DURABILITY": "replica",
        "FAIRDEAL_BOTS": str(bots),
    }
    async with AsyncExitStack() as stack:
        addresses = []
        for name in ("one", "two"):
            data = folder / name
            run = fairdeal("serve", "--data", data, "--port", "0", environ=environ)
            node = await stack.enter_async_context(run)
            addresses.append(re.findall(r"http:[^\s,]+", await node.says("Serving "))[0])
        yield tuple(addresses)


async def failovers(
    times: int, seconds: float, folder: Path, *, seed: int = 1, say: Callable[[float], None] = lambda _: None
) -> Outcome:
    """Kill the master so many times, or as often as there is time for, and check everything."""
    tally, silent_s, over = Tally(), list[float](), list[Ended]()
    (folder / "seen").mkdir()
    async with AsyncExitStack() as stack:
        machines = _Machines(folder)
        stack.push_async_callback(machines.end)
        machines.begin()
        assert await machines.well(), await examine_redis(machines.client, Durability.REPLICA)
        addresses = await stack.enter_async_context(nodes(machines.secrets, folder))
        enough = asyncio.Event()
        swarm = Swarm(Terms(servers=addresses, races=5, rate=10, moves=60, seed=seed), folder / "seen", tally)
        async with asyncio.TaskGroup() as group:
            group.create_task(swarm.run(enough.is_set, over.append), name="swarm")
            assert await confirms(tally, CONFIRMED_BETWEEN), tally.report()
            until = time.monotonic() + seconds
            while len(silent_s) < times and time.monotonic() < until:
                dead = await machines.master()
                machines.kill(dead)
                begun = time.monotonic()
                await asyncio.sleep(0.1)  # Answers that were under way.
                if not await confirms(tally, 1):
                    tally.faults.append(
                        f"no move was confirmed for {WITHIN_S} s after a kill of the master\n{machines.said()}"
                    )
                silent_s.append(round(time.monotonic() - begun, 1))
                say(silent_s[-1])
                machines.start(dead)
                if not await machines.well():
                    findings = await examine_redis(machines.client, Durability.REPLICA)
                    tally.faults.append(f"not well {WITHIN_S} s later: {findings}\n{machines.said()}")
                await confirms(tally, CONFIRMED_BETWEEN)
            enough.set()
    for ended in over:
        await asyncio.to_thread(audit, ended, tally)
    return Outcome(silent_s, tally.report())


async def confirms(tally: Tally, moves: int) -> bool:
    """Wait until so many more moves have been confirmed; False when that takes too long."""
    wanted, until = tally.confirmed + moves, time.monotonic() + WITHIN_S
    while tally.confirmed < wanted:
        if time.monotonic() > until:
            return False
        await asyncio.sleep(0.01)
    return True


def main() -> None:
    """Kill as often as the command line asks for; the status is 1 when anything was lost, doubled or wrong."""
    asked = options(__doc__, times=10, counted="failovers").parse_args()

    def say(silent_s: float) -> None:
        show(f"silent for {silent_s} s")

    outcome = hold(asked, lambda folder: failovers(asked.times, asked.seconds, folder, seed=asked.seed, say=say))
    sys.exit(0 if outcome.report.ok else 1)


if __name__ == "__main__":
    main()
