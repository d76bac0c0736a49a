"""Two runs against each other: their bots in pairs, on the deals that both have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from bots.bench.faults import RunRefused
from bots.bench.folder import ROWS, Plan, plan_of
from bots.bench.rows import Row, read_rows
from bots.bench.stats.paired import Comparison
from bots.bench.summary import compared_rows
from bots.conditions import Conditions

__all__ = ["Compared", "compared_runs"]


class Compared(Struct, frozen=True):
    """What two runs have in common, in what they differ, and their bots in pairs: those of the first come first."""

    deals: int
    notes: Sequence[str]
    comparisons: Sequence[Comparison]


def compared_runs(first: Path, second: Path) -> Compared:
    """Compare bots of the same name, or else each with each, within a mode. Raises RunRefused.

    In the comparisons a bot is called by its run's folder and its name.
    """
    plans, rows = (plan_of(first), plan_of(second)), (_by_bot(first), _by_bot(second))
    comparisons = []
    for one, other in _pairs(*plans):
        ours, theirs = rows[0].get(one, {}), rows[1].get(other, {})
        found = compared_rows(f"{first}: {one}", f"{second}: {other}", ours, theirs)
        if found is not None:
            comparisons.append(found)
    if not comparisons:
        raise RunRefused(f"expected runs with deals and a mode in common, found none in {first} and {second}")
    deals = max(comparison.deals for comparison in comparisons)
    return Compared(deals, list(_notes(*plans)), comparisons)


def _pairs(first: Plan, second: Plan) -> list[tuple[str, str]]:
    every = [(one, other) for one in first.bots for other in second.bots if one.mode == other.mode]
    same = [(one, other) for one, other in every if one.spec == other.spec]
    return [(one.spec, other.spec) for one, other in same or every]


def _by_bot(path: Path) -> dict[str, dict[str, Row]]:
    games: dict[str, dict[str, Row]] = {}
    for row in read_rows(path / ROWS):
        games.setdefault(row.bot, {})[row.code] = row
    return games


def _notes(first: Plan, second: Plan) -> list[str]:
    """Say in what the runs differ beside their bots, for that may be what the comparison shows."""
    notes = []
    if first.hash != second.hash:
        notes.append(f"the suites differ ({first.suite} {first.hash}, {second.suite} {second.hash})")
    for name in Conditions.__struct_fields__:
        one, other = getattr(first.conditions, name), getattr(second.conditions, name)
        if one != other:
            notes.append(f"{name} differs ({one}, {other})")
    return notes
