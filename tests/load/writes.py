"""What a disk and a Redis have to do beside the moves: `python -m tests.load.writes [--folder DIR]`, within a minute.

How long the disk under a folder takes to sync; how many entries go out with one sync, the more races are in play; and
what a race writes from its offer to its file, by who keeps it. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from collections import Counter
from contextlib import aclosing
from pathlib import Path
from statistics import median, quantiles
from typing import Final

import structlog
from msgspec.structs import replace
from redis.asyncio import Redis

from engine.log.chain import entry_mac
from engine.log.entry import START, Body, pack_body
from server.races import keeping
from server.races.clock import Clock
from server.races.lobby import MAX_LISTED, Lobby
from server.races.tables import Tables
from server.settings import Settings
from server.store.append import Appended
from server.store.archive import open_folder
from server.store.connect import connect
from server.store.datadir import owned
from server.store.keyring import new_key_ring
from server.store.local import LocalRedis
from server.store.log import Log
from tests.engine.race.course import Course
from tests.load.finished import STREAM_KEPT_MS, Field, raced, settled

SYNCS: Final = 400
SYNCED_BYTES: Final = 4_096
APPENDS: Final = 6_000
RACES: Final = 60
LISTED: Final = 2_000
KEEPERS: Final = {
    "{lobby}": "lobby",
    "timers:": "timers",
    "{timers}": "timers",
    "{nodes}": "leases",
    "{crowd}": "crowds",
    "race:": "logs",
    "{results}": "results",
    "{ratings": "ratings",
    "replicated": "marks",
}
"""How the keys begin, and whose they are."""
READS: Final = frozenset({"XRANGE", "XREVRANGE", "HGETALL", "HMGET", "HGET", "TIME", "INFO", "ZCARD", "EXISTS", "GET"})


def show(what: str, figure: str) -> None:
    print(f"{what:<46}{figure}", flush=True)


def disk(folder: Path) -> None:
    """Append and sync, as `appendfsync always` does at each turn of Redis's loop."""
    took = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(SYNCS):
            os.write(file.fileno(), bytes(SYNCED_BYTES))
            begun = time.perf_counter()
            os.fdatasync(file.fileno())
            took.append(1000 * (time.perf_counter() - begun))
    p99 = quantiles(took, n=100)[98]
    show("disk: a sync of 4 KB", f"{median(took):.2f} ms, one in a hundred {p99:.2f} ms or more")


async def appends(client: Redis, pid: int) -> None:
    """Entries a second with races in play at a time, synced at each turn and not at all."""
    body = pack_body(Body("seat.played", 1, 1, {"n": 1, "m": "d", "undone": False}))
    sealed = [(entry_mac(bytes(16), body), body)]
    for at_once in (1, 16, 256):
        rates, each = {}, max(20, min(400, APPENDS // at_once))
        for sync in ("always", "no"):
            await client.config_set("appendfsync", sync)
            async with Log(client) as log:

                async def play(rid: str, log: Log = log, each: int = each) -> None:
                    cursor = START
                    for _ in range(each):
                        outcome = await log.append(rid, cursor, "*", sealed)
                        assert isinstance(outcome, Appended)
                        cursor = outcome.entries[-1].cursor

                begun, cpu = time.perf_counter(), cpu_s(pid)
                await asyncio.gather(*(play(f"{sync} {at_once} {number}") for number in range(at_once)))
                entries = at_once * each
                rates[sync] = entries / (time.perf_counter() - begun)
                spent = (cpu_s(pid) - cpu) / entries
        show(
            f"appends: {at_once} races at a time",
            f"{rates['always']:.0f}/s synced, {rates['always'] / rates['no']:.2f} of that without; "
            f"{1e6 * spent:.0f} µs of Redis's CPU each",
        )
    await client.config_set("appendfsync", "always")


async def lobby(client: Redis, pid: int) -> None:
    """What one writing of a race costs Redis once the lists are full."""
    course = Course(seats=2).begin("ann", "bob")
    async with Log(client) as log:
        books = Lobby(client, Clock(log))
        for first in range(0, MAX_LISTED, 500):
            await books.put([replace(course.race, id=f"{n:026}") for n in range(first, first + 500)])
        begun = cpu_s(pid)
        for first in range(MAX_LISTED, MAX_LISTED + LISTED, 500):
            await books.put([replace(course.race, id=f"{n:026}") for n in range(first, first + 500)])
        show("lobby: a race written, its lists full", f"{1e6 * (cpu_s(pid) - begun) / LISTED:.0f} µs of Redis's CPU")


async def writes(client: Redis, watcher: Redis, data: Path) -> None:
    """Count what a race writes, by whose key it is: two players, sixteen moves, into the archive and out of Redis."""
    keeping.STREAM_KEPT_MS = STREAM_KEPT_MS  # type: ignore[misc]
    counted: Counter[str] = Counter()

    async def watch() -> None:
        async with watcher.monitor() as monitor:  # type: ignore[no-untyped-call]
            async for told in monitor.listen():
                if told["client_type"] != "lua" and (keeper := _keeper(told["command"].split())) is not None:
                    counted[keeper] += 1

    async with Tables(Settings(), client, new_key_ring(), open_folder(data / "archive")) as node:
        watching = asyncio.create_task(watch())
        await client.ping()
        for number in range(RACES):
            await raced(node, number, Field(2 * RACES, RACES))
        await settled(client)
        watching.cancel()
        await asyncio.wait([watching])
    total = sum(counted.values())
    by = ", ".join(f"{keeper} {count / RACES:.1f}" for keeper, count in counted.most_common())
    show(f"writes: a race of 16 moves, {total / RACES:.0f} in all", by)


def _keeper(words: list[str]) -> str | None:
    """Return whose key a command writes; None for one that writes nothing."""
    name = words[0].upper()
    if name in READS or len(words) < 2:
        return None
    if name in ("PUBLISH", "SPUBLISH"):
        return "rings"
    key = words[3] if name in ("EVALSHA", "EVAL") and len(words) > 3 else words[1]
    return next((keeper for begins, keeper in KEEPERS.items() if key.startswith(begins)), None)


def cpu_s(pid: int) -> float:
    """The seconds of CPU that all threads of a process have used."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


async def measured(folder: Path) -> None:
    with owned(folder) as data:
        server = LocalRedis(data)
        url = server.start()
        try:
            async with aclosing(connect(url)) as client, aclosing(connect(url)) as watcher:
                pid = int((await client.info("server"))["process_id"])
                await appends(client, pid)
                await lobby(client, pid)
                await writes(client, watcher, data)
        finally:
            server.stop()


def main() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("error"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="on the disk to be measured; unless given, that of temporary files")
    above = parser.parse_args().folder
    with tempfile.TemporaryDirectory(prefix="fairdeal-writes-", dir=above) as folder:
        disk(Path(folder))
        asyncio.run(measured(Path(folder)))


if __name__ == "__main__":
    main()
