"""Races on all nodes of a field, without a pause, while a test does what it likes; at the end all are checked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from bots.swarm.audit import Ended, audit
from bots.swarm.swarm import Swarm
from bots.swarm.tally import Tally
from bots.swarm.terms import Terms
from tests.journeys.field import Field

__all__ = ["AGAIN_WITHIN_S", "Load", "under_load"]

AGAIN_WITHIN_S: Final = 90.0
"""How long it may take until moves are confirmed again before that counts as a fault."""
CONFIRMED_BETWEEN: Final = 20
"""Moves after whose confirmation all is at work."""


class Load:
    """Races of two people and races against a bot, their seats spread over the nodes."""

    def __init__(self, found: Field, folder: Path, seed: int) -> None:
        addresses = (found.single.address, found.double.address)
        people = Terms(servers=addresses, races=6, seats=2, rate=10, moves=60, seed=seed)
        with_bots = Terms(servers=addresses, races=1, seats=1, rate=5, moves=40, bots=("greedy",), seed=seed)
        self.tally = Tally()
        self.report = self.tally.report()
        self._enough = asyncio.Event()
        self._audits: list[asyncio.Task[None]] = []
        self._runs = []
        for name, terms in (("people", people), ("with bots", with_bots)):
            (folder / name).mkdir()
            swarm = Swarm(terms, folder / name, self.tally)
            self._runs.append(asyncio.create_task(swarm.run(self._enough.is_set, self._ended), name=name))

    @property
    def going(self) -> bool:
        """True while nothing has gone so wrong that races are held no more."""
        return not any(run.done() for run in self._runs)

    async def at_work(self) -> bool:
        """Wait until moves have been confirmed; False when that takes too long."""
        wanted = self.tally.confirmed + CONFIRMED_BETWEEN
        until = time.monotonic() + AGAIN_WITHIN_S
        while self.tally.confirmed < wanted:
            if time.monotonic() > until:
                return False
            await asyncio.sleep(0.01)
        return True

    async def end(self) -> None:
        """Let the races end, and check them."""
        self._enough.set()
        async with asyncio.timeout(AGAIN_WITHIN_S):
            await asyncio.gather(*self._runs)
        await asyncio.gather(*self._audits)
        self.report = self.tally.report()

    def _ended(self, ended: Ended) -> None:
        self._audits.append(asyncio.create_task(self._audit(ended), name=f"audit of {ended.race}"))

    async def _audit(self, ended: Ended) -> None:
        await asyncio.to_thread(audit, ended, self.tally)
        if not self.tally.faults:
            for file in ended.seen:
                file.unlink()


@asynccontextmanager
async def under_load(found: Field, folder: Path, seed: int) -> AsyncIterator[Load]:
    """Load for the length of the block, at whose beginning moves are being confirmed; `report` says what it was."""
    load = Load(found, folder, seed)
    try:
        assert await load.at_work(), "no move was confirmed at all"
        yield load
    finally:
        await load.end()
