"""How Redis's memory grows with races that are over: `python -m tests.load.finished --races 100000`.

Lists of races have their most entries, a player's 1,000 and a code's 10,000: `--players 40 --codes 2` fills them all by
race 20,000, and what follows takes the place of what was there.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import msgspec
import structlog
from msgspec import Struct
from redis.asyncio import Redis

from engine.race import commands as ask
from engine.race.card import RaceCard, read_card
from server.races import keeping
from server.races.table import Table
from server.races.tables import Tables
from server.settings import Settings
from server.store import keys
from server.store.archive import open_folder
from server.store.connect import StoreUnavailable, connect
from server.store.datadir import owned
from server.store.keyring import new_key_ring
from server.store.local import LocalRedis

AT_ONCE: Final = 24
ROWS: Final = 10
MOST_CODES: Final = 26**3
STREAM_KEPT_MS: Final = 2_000
"""Instead of a minute: what is measured is what stays, and races end here faster than anywhere."""


class Field(Struct, frozen=True):
    """How many players race on how many codes."""

    players: int
    codes: int


async def raced(node: Tables, number: int, field: Field) -> None:
    """One race of two players; each draws a little and gives up."""
    half, deal = field.players // 2, number % field.codes
    players = (f"p{number % half}", f"q{number * 7 % half}")
    code = f"GO1-E-AAA{chr(65 + deal % 26)}{chr(65 + deal // 26 % 26)}{chr(65 + deal // 676)}A"
    table = await created(node, read_card({"code": code, "seats": 2}), str(number))
    for at, player in enumerate(players, 1):
        await told(table, ask.Join(player, player, "person", at))
    for player in players:
        await told(table, ask.Ready(player, "AAAAAAB", delay_ms=0))
    for player in players:
        for n in range(1, 9):
            await told(table, ask.Play(player, n, "d", node.clock.now()))
        await told(table, ask.Resign(player, node.clock.now()))
    await told(table, ask.Tick(node.clock.now()))
    assert table.race.closed


async def created(node: Tables, card: RaceCard, key: str) -> Table:
    """Create a race, however often Redis has to be asked."""
    while True:
        try:
            return await node.offers.create(card, "host", key)
        except StoreUnavailable as fault:
            await asyncio.sleep(fault.retry_ms / 1000)


async def told(table: Table, command: ask.Command) -> None:
    """Have a command answered, however often it has to be asked."""
    while (answer := await table.ask(command)).retry_ms is not None:  # noqa: ASYNC110 - it says when to ask again.
        await asyncio.sleep(answer.retry_ms / 1000)


async def settled(redis: Redis) -> None:
    """Wait until no race has a log any more."""
    for shard in range(keys.TIMER_SHARDS):
        while await redis.zcard(keys.timers(shard)):  # noqa: ASYNC110 - Redis rings no bell for this.
            await asyncio.sleep(0.1)


async def measured(races: int, field: Field, folder: Path) -> None:
    keeping.STREAM_KEPT_MS = STREAM_KEPT_MS  # type: ignore[misc]
    with owned(folder) as data:
        server = LocalRedis(data)
        url = server.start()
        try:
            # Whoever measures does not wait in line with the node.
            client, watcher = connect(url), connect(url, max_connections=2)
            await client.config_set("appendfsync", "everysec")
            archive = open_folder(data / "archive")
            async with Tables(Settings(races_cached=200), client, new_key_ring(), archive) as node:
                begun = time.monotonic()
                empty = (await watcher.info("memory"))["used_memory"]
                step = max(1, races // ROWS)
                for first in range(0, races, step):
                    numbers = iter(range(first, min(races, first + step)))

                    async def some(numbers: Any = numbers) -> None:
                        for number in numbers:
                            await raced(node, number, field)

                    await asyncio.gather(*(some() for _ in range(AT_ONCE)))
                    await settled(watcher)
                    done = min(races, first + step)
                    used = (await watcher.info("memory"))["used_memory"] - empty
                    row = {
                        "races": done,
                        "redis_bytes": used,
                        "redis_bytes_per_race": round(used / done),
                        "keys": await watcher.dbsize(),
                        "seconds": round(time.monotonic() - begun),
                        "cpu_seconds": round(time.process_time()),
                    }
                    print(msgspec.json.encode(row).decode(), flush=True)
            await client.aclose()
            await watcher.aclose()
        finally:
            server.stop()


def main() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("error"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=100_000)
    parser.add_argument("--players", type=int, default=1_000, help="at least 2")
    parser.add_argument("--codes", type=int, default=MOST_CODES, help=f"at most {MOST_CODES}")
    asked = parser.parse_args()
    if asked.players < 2 or not 1 <= asked.codes <= MOST_CODES:
        parser.error(f"expected at least 2 players and 1 to {MOST_CODES} codes")
    with tempfile.TemporaryDirectory(prefix="fairdeal-") as folder:
        asyncio.run(measured(asked.races, Field(asked.players, asked.codes), Path(folder)))


if __name__ == "__main__":
    main()
