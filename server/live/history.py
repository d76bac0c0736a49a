"""A race's history read from its log again, step by step: for resumes and for the export of the log."""

from __future__ import annotations

from collections.abc import Iterator

from engine.log.entry import Entry
from engine.race.evolve import step
from engine.race.model import Race
from engine.replay.seen import Step
from server.races.tables import Tables
from server.store.log import Forked

__all__ = ["read_log", "steps"]


async def read_log(tables: Tables, rid: str) -> tuple[Entry, ...]:
    """Return all entries of a race; none where there is no such race. Raises StoreUnavailable, LogError."""
    entries = await tables.log.read(rid)
    return () if isinstance(entries, Forked) else entries


def steps(tables: Tables, rid: str, entries: tuple[Entry, ...]) -> Iterator[Step]:
    """Fold a log from its start, entry by entry. Raises LogError."""
    race = Race(rid)
    for entry in entries:
        event, after = step(race, entry, tables.secrets)
        yield Step(race, event, after)
        race = after
