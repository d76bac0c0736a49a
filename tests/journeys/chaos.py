"""Strikes at random moments under load: `python -m tests.journeys.chaos --rounds 1000 [--out FILE] [--seconds S]`.

Each round kills something with SIGKILL, at times while a line to Redis is slow, cut or swallows replies or a process
stands still, and ends when moves are confirmed again. Afterwards every race is compared with what its clients were
told. The last line printed is what all of it came to; with --out it is added to a file too.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

from msgspec import Struct

from bots.swarm.tally import Report
from tests.journeys.by_hand import hold, options, show
from tests.journeys.field import Field, field, kill
from tests.journeys.under_load import AGAIN_WITHIN_S, Load, under_load

__all__ = ["Outcome", "chaos"]

MOMENT_S: Final = 0.3
NUISANCE_S: Final = 0.6
NUISANCE_SHARE: Final = 0.4


class Outcome(Struct, frozen=True):
    """What some rounds came to: strikes by kind, processes killed, the slowest recovery in s, and the races' report."""

    rounds: int
    strikes: dict[str, int]
    nuisances: dict[str, int]
    killed: int
    slowest_s: float
    report: Report


class _Chaos:
    def __init__(self, found: Field, load: Load, chance: Random) -> None:
        self.field = found
        self.load = load
        self.chance = chance
        self.strikes: Counter[str] = Counter()
        self.nuisances: Counter[str] = Counter()
        self.killed = 0
        self.slowest_s = 0.0
        self.last = ""

    async def round(self) -> None:
        """Strike once, at a random moment, and wait until all goes on."""
        nuisance = asyncio.create_task(self._nuisance(), name="nuisance")
        await asyncio.sleep(self.chance.random() * MOMENT_S)
        await self._strike()
        begun = time.monotonic()
        await nuisance
        if not await self.load.at_work():
            self.load.tally.faults.append(f"no move was confirmed for {AGAIN_WITHIN_S} s after a strike at {self.last}")
        self.slowest_s = max(self.slowest_s, time.monotonic() - begun)

    async def _strike(self) -> None:
        """Kill something that lives: what the round before has killed may still be on its way back."""
        while True:
            kind, targets = self.chance.choice(self._targets())
            if killed := kill(targets()):
                self.strikes[kind] += 1
                self.killed += killed
                self.last = kind
                return
            await asyncio.sleep(0.01)

    def _targets(self) -> list[tuple[str, Callable[[], list[int]]]]:
        single, double = self.field.single, self.field.double
        one_of_two = ("a process of two", lambda: double.processes()[:1])
        return [
            one_of_two,
            ("the other process of two", lambda: double.processes()[1:]),
            ("a node", lambda: [single.pid]),
            ("a node with its processes", lambda: [double.pid, *double.processes()]),
            ("the parent of two processes", lambda: [double.pid]),
            ("a bot worker", lambda: single.processes("server.commands.worker")),
            ("redis", lambda: [self.field.redis]),
            ("redis and a node", lambda: [self.field.redis, single.pid]),
            ("all at once", self.field.everything),
        ]

    async def _nuisance(self) -> None:
        """Let something be wrong for a moment, in some rounds."""
        if self.chance.random() > NUISANCE_SHARE:
            return
        line = self.chance.choice(self.field.lines)
        kind = self.chance.choice(["slow", "cut", "swallowed", "swallowed, then cut", "no way in", "stopped"])
        self.nuisances[kind] += 1
        pause_s = self.chance.random() * NUISANCE_S
        match kind:
            case "slow":
                line.delay_s = 0.05
            case "cut":
                line.cut()
            case "swallowed" | "swallowed, then cut":
                line.swallowing = True
            case "no way in":
                line.refusing = True
                line.cut()
            case _:
                await self._stopped(self.chance.choice(self.field.everything()), pause_s)
                return
        await asyncio.sleep(pause_s)
        if kind.endswith("cut"):
            line.cut()
        line.heal()

    async def _stopped(self, pid: int, pause_s: float) -> None:
        """Let a process stand still."""
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
            await asyncio.sleep(pause_s)
            os.kill(pid, signal.SIGCONT)


async def chaos(
    rounds: int, seconds: float, seed: int, folder: Path, say: Callable[[str], None] | None = None
) -> Outcome:
    """Hold so many rounds, or as many as there is time for, and check everything."""
    async with field(folder) as found:
        done, until = 0, time.monotonic() + seconds
        async with under_load(found, folder, seed) as load:
            held = _Chaos(found, load, Random(seed))
            while done < rounds and time.monotonic() < until and load.going:
                await held.round()
                done += 1
                if say is not None and done % 10 == 0:
                    say(_line(done, held))
        slowest_s = round(held.slowest_s, 1)
        return Outcome(done, dict(held.strikes), dict(held.nuisances), held.killed, slowest_s, load.report)


def _line(done: int, held: _Chaos) -> str:
    tally = held.load.tally
    return (
        f"{done} rounds, {held.killed} killed, {tally.confirmed} confirmed ({tally.dups} after a loss), "
        f"{tally.verified} of {tally.races} races verified, lost {tally.lost}, doubled {tally.doubled}, "
        f"{len(tally.faults)} faults, slowest {held.slowest_s:.1f} s"
    )


def main() -> None:
    """Hold the rounds that the command line asks for; the status is 1 when anything was lost, doubled or wrong."""
    asked = options(__doc__, times=1000).parse_args()
    outcome = hold(asked, lambda folder: chaos(asked.times, asked.seconds, asked.seed, folder, show))
    sys.exit(0 if outcome.report.ok else 1)


if __name__ == "__main__":
    main()
