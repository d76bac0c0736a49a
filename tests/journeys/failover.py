"""Failovers that lose history: `python -m tests.journeys.failover --rounds 100 [--durability replica] [--out FILE]`.

Each round holds the line between a Redis and its replica while two nodes serve races, kills the master with SIGKILL,
promotes the replica, and compares what clients had been told with what is left. In some rounds the nodes are killed
too, so that nobody but the clients knows better. The last line printed is what all of it came to; with --out it is
added to a file too.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine, Iterable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
from msgspec import Struct

from engine.log.entry import Body, unpack_body
from server.store import keys
from tests.journeys.by_hand import hold, options, show
from tests.journeys.field import NodeUp, kill
from tests.journeys.proxy import proxy_to
from tests.journeys.replicated import Replicated, replicated
from tests.journeys.witnesses import Crowd, Witness, crowd

__all__ = ["Outcome", "failover"]

RACES: Final = 3
RATED_PLAYERS: Final = 4
MOMENT_S: Final = 0.4
NODES_KILLED_SHARE: Final = 0.25
AGAIN_WITHIN_S: Final = 60.0
CONFIRMED_BETWEEN: Final = 30


class Outcome(Struct):
    """What some rounds came to. An entry is confirmed once anybody was told it, and counted when it was lost.

    Lost ones are `noticed` where the log of their race has a recovery after the failover, or the race is gone and its
    clients were told so. Of those who had been told a lost entry `informed` of `holders` were shown that it is.
    """

    durability: str
    rounds: int = 0
    nodes_killed: int = 0
    confirmed: int = 0
    lost: int = 0
    noticed: int = 0
    races_hit: int = 0
    rated_hit: int = 0
    rated_voided: int = 0
    holders: int = 0
    informed: int = 0
    slowest_s: float = 0.0
    faults: list[str] = []

    @property
    def ok(self) -> bool:
        """True when all that was lost was noticed, and with a replica's word nothing was."""
        kept = self.lost == 0 or self.durability != "replica"
        return kept and not self.faults and self.noticed == self.lost and self.informed == self.holders


_Log = list[tuple[int, str, Body]]


class _Failovers:
    def __init__(self, pair: Replicated, nodes: list[NodeUp], everybody: Crowd, outcome: Outcome, chance: Random):
        self.pair = pair
        self.nodes = nodes
        self.crowd = everybody
        self.outcome = outcome
        self.chance = chance

    async def round(self) -> None:
        """Lose what is confirmed in one moment, rated races' entries too, and wait until all goes on."""
        if not await _within(AGAIN_WITHIN_S, lambda: self.crowd.rated_under_way):
            self.outcome.faults.append(f"no rated race was under way for {AGAIN_WITHIN_S} s")
        await asyncio.sleep(self.chance.random() * MOMENT_S)
        self.pair.hold()
        await asyncio.sleep(self.chance.random() * MOMENT_S)
        nodes_too = self.chance.random() < NODES_KILLED_SHARE
        if nodes_too:
            self.outcome.nodes_killed += kill(node.pid for node in self.nodes)
        await self.pair.kill_master()
        begun = time.monotonic()
        witnesses = [one for one in self.crowd.witnesses if one.told]
        for witness in witnesses:
            witness.saw_loss = False
        await self.pair.promote()
        left = {rid: await self._log(rid) for rid in {witness.race for witness in witnesses}}
        for node in self.nodes:
            node.line.target = self.pair.master.url
            node.line.cut()
        await self.pair.replicate()
        if not await self.at_work():
            self.outcome.faults.append(f"no move was confirmed for {AGAIN_WITHIN_S} s after failover")
        self.outcome.slowest_s = max(self.outcome.slowest_s, round(time.monotonic() - begun, 1))
        self.outcome.rounds += 1
        for rid, log in left.items():
            await self._compare(rid, log, [one for one in witnesses if one.race == rid], nodes_too)
        self.crowd.witnesses[:] = [one for one in self.crowd.witnesses if one.here]

    async def at_work(self) -> bool:
        """Wait until moves have been confirmed; False when that takes too long."""
        wanted = self.crowd.confirmed + CONFIRMED_BETWEEN
        return await _within(AGAIN_WITHIN_S, lambda: self.crowd.confirmed >= wanted)

    async def _log(self, rid: str) -> _Log:
        entries = await self.pair.master.client.xrange(keys.race_log(rid))
        found = []
        for raw, fields in entries:
            seq = int(raw.partition(b"-")[0])
            found.append((seq, fields[b"h"].decode(), unpack_body(fields[b"b"], seq)))
        return found

    async def _compare(self, rid: str, left: _Log, witnesses: list[Witness], nodes_too: bool) -> None:
        """Count what a race has lost of what was told, and see that everybody gets to know."""
        there = {(seq, h) for seq, h, _ in left}
        now = there | {(seq, h) for seq, h, _ in await self._log(rid)}
        known = {witness: set(witness.proved if nodes_too else witness.told) for witness in witnesses}
        told = set[tuple[int, str]]().union(*known.values())
        holders = [witness for witness in witnesses if known[witness] - now]
        lost = told - now
        self.outcome.confirmed += len(told)
        for witness in witnesses:
            witness.told &= there
            witness.proved &= there
        if not lost:
            return
        self.outcome.lost += len(lost)
        self.outcome.races_hit += 1
        await _within(AGAIN_WITHIN_S, lambda: all(one.saw_loss or not one.here for one in holders))
        if await self._noted(rid, len(left)) or (not left and all(one.saw_loss for one in holders)):
            self.outcome.noticed += len(lost)
        else:
            self.outcome.faults.append(f"race {rid}: {len(lost)} entries lost after {len(left)}, and nobody noticed")
        self.outcome.holders += len(holders)
        self.outcome.informed += sum(one.saw_loss for one in holders)
        for witness in holders:
            if not await self._agrees(witness):
                self.outcome.faults.append(f"race {rid}: a {witness.role} goes on from what is not in the log")
        self._count_rated(rid, await self._log(rid), len(left))

    async def _agrees(self, witness: Witness) -> bool:
        """Wait until what a client has of a race is in the log, or it has the race no more."""
        until = time.monotonic() + AGAIN_WITHIN_S
        while witness.here and (following := witness.following) is not None:
            place = (following.seq, following.hash)
            if place in {(seq, h) for seq, h, _ in await self._log(witness.race)}:
                return True
            if time.monotonic() > until:
                return False
            await asyncio.sleep(0.02)
        return True

    async def _noted(self, rid: str, tail: int) -> bool:
        """Wait for the note of a loss among what follows what was left."""
        until = time.monotonic() + AGAIN_WITHIN_S
        while time.monotonic() < until:
            log = await self._log(rid)
            if not log:
                return False
            if any(body.k == "race.recovered" for _, _, body in log[tail:]):
                return True
            await asyncio.sleep(0.05)
        return False

    def _count_rated(self, rid: str, log: _Log, tail: int) -> None:
        if not log or not log[0][2].d["card"].get("rated") or any(one.k == "race.voided" for _, _, one in log[:tail]):
            return
        self.outcome.rated_hit += 1
        after = [body for _, _, body in log[tail:]]
        place = next((at for at, body in enumerate(after) if body.k == "race.recovered"), len(after))
        follows = after[place + 1] if place + 1 < len(after) else None
        if follows is not None and (follows.k, follows.d.get("reason")) == ("race.voided", "recovered"):
            self.outcome.rated_voided += 1
        else:
            self.outcome.faults.append(f"rated race {rid}: not voided with its recovery")


async def _within(seconds: float, holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            return False
        await asyncio.sleep(0.02)
    return True


async def failover(
    rounds: int,
    seconds: float,
    folder: Path,
    *,
    durability: str = "fsync",
    seed: int = 1,
    say: Callable[[Outcome], None] = lambda _: None,
) -> Outcome:
    """Hold so many rounds, or as many as there is time for."""
    outcome = Outcome(durability)
    async with AsyncExitStack() as stack:
        pair = await stack.enter_async_context(replicated(folder))
        nodes = []
        for name in ("one", "two"):
            line = await stack.enter_async_context(proxy_to(pair.master.url))
            environ = {"FAIRDEAL_DURABILITY": durability}
            nodes.append(NodeUp(folder / name, line, folder, ("--bots", "0"), environ))
        sources = []
        for number in range(RATED_PLAYERS):
            address = nodes[number % 2].address
            source = await stack.enter_async_context(proxy_to(address, f"127.0.0.{number + 2}"))
            sources.append(f"http://127.0.0.1:{source.port}")
        keepers = [asyncio.create_task(node.keep(), name=f"node at {node.port}") for node in nodes]
        try:
            async with crowd([node.address for node in nodes], sources, RACES, seed) as everybody:
                held = _Failovers(pair, nodes, everybody, outcome, Random(seed))
                assert await held.at_work(), "no move was confirmed at all"
                until = time.monotonic() + seconds
                while outcome.rounds < rounds and time.monotonic() < until:
                    await held.round()
                    say(outcome)
        finally:
            await _stopped(keepers)
    return outcome


async def _stopped(keepers: Iterable[asyncio.Task[None]]) -> None:
    for keeper in keepers:
        keeper.cancel()
    await asyncio.gather(*keepers, return_exceptions=True)


def main() -> None:
    """Hold the rounds that the command line asks for; the status is 1 when a loss went unnoticed."""
    parser = options(__doc__, times=100)
    parser.add_argument("--durability", choices=["fsync", "aof", "replica"], default="fsync")
    asked = parser.parse_args()

    def begun(folder: Path) -> Coroutine[Any, Any, Outcome]:
        return failover(asked.times, asked.seconds, folder, durability=asked.durability, seed=asked.seed, say=say)

    def say(outcome: Outcome) -> None:
        show(msgspec.json.encode(outcome).decode())

    outcome = hold(asked, begun)
    sys.exit(0 if outcome.ok else 1)


if __name__ == "__main__":
    main()
