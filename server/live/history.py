"""A race's history read from its log again, step by step: for resumes and for the export of the log."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from functools import partial
from typing import Final

from engine.log.entry import Entry
from engine.race.evolve import step
from engine.race.model import Race
from engine.replay.seen import Step
from server.races.shared import SharedRead
from server.races.tables import Tables
from server.store.append import Forked

__all__ = ["Histories", "read_log", "steps"]

KEPT_S: Final = 10.0
"""How long a history is kept for those who come next: when a node has gone, its clients are back within seconds."""
KEPT: Final = 16
KEPT_STEPS: Final = 20_000
"""Histories that are kept at most, and steps of all but one of them: 400 steps are half a megabyte."""
SLICE: Final = 50
"""Steps folded in one go, in 1 ms, with sixty seats in 4; then all else has its turn."""


async def read_log(tables: Tables, rid: str) -> tuple[Entry, ...]:
    """Return all entries of a race; none where there is no such race. Raises StoreUnavailable, LogError."""
    entries = await tables.log.read(rid)
    return () if isinstance(entries, Forked) else entries


def steps(tables: Tables, rid: str, entries: tuple[Entry, ...], race: Race | None = None) -> Iterator[Step]:
    """Fold a log from its start, or from what a race was, entry by entry. Raises LogError."""
    race = race or Race(rid)
    for entry in entries:
        event, after = step(race, entry, tables.secrets)
        yield Step(race, event, after)
        race = after


class Histories:
    """Histories folded once for all who ask at about the same time, as the spectators of a node that has gone do."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    async def of(self, rid: str) -> list[Step]:
        """Return all steps of a race at some moment after this call began; none where there is no such race.

        The list is shared: leave it as it is. Raises StoreUnavailable, LogError.
        """
        kept = self._kept.get(rid) or self._keep(rid)
        await kept.reads.after_now(partial(self._renew, rid, kept))
        return kept.steps

    async def _renew(self, rid: str, kept: _Kept) -> None:
        kept.steps = await self._read(rid, kept.steps)
        if not kept.steps:
            self._forget(rid, kept)  # Whoever makes up races is not to push out those that there are.
        self._drop_oldest()

    def _keep(self, rid: str) -> _Kept:
        kept = self._kept[rid] = _Kept()
        asyncio.get_running_loop().call_later(KEPT_S, self._forget, rid, kept)
        return kept

    def _drop_oldest(self) -> None:
        while len(self._kept) > 1 and (
            len(self._kept) > KEPT or sum(len(kept.steps) for kept in self._kept.values()) > KEPT_STEPS
        ):
            self._kept.popitem(last=False)

    def _forget(self, rid: str, kept: _Kept) -> None:
        if self._kept.get(rid) is kept:
            del self._kept[rid]

    async def _read(self, rid: str, known: list[Step]) -> list[Step]:
        """Return a history, from what is known of it where the log still has that."""
        if known:
            entries = await self._tables.log.read(rid, known[-1].after.cursor)
            if not isinstance(entries, Forked):
                return await self._folded(rid, known, entries)
        return await self._folded(rid, [], await read_log(self._tables, rid))

    async def _folded(self, rid: str, known: list[Step], entries: tuple[Entry, ...]) -> list[Step]:
        """Return a history and what follows upon it."""
        history = [*known]
        for first in range(0, len(entries), SLICE):
            race = history[-1].after if history else None
            history += steps(self._tables, rid, entries[first : first + SLICE], race)
            await asyncio.sleep(0)
        return history


class _Kept:
    """One history, and the reads of it."""

    __slots__ = ("reads", "steps")

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.reads = SharedRead()
