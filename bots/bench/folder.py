"""A bench's folder: rows as they come, what the run was, so that it can be stopped and started again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bots.bench.contestant import Contestant
from bots.bench.faults import RunRefused
from bots.bench.rows import Row, append_rows, read_rows, write_rows
from bots.bench.suites import Suite
from bots.conditions import Conditions
from engine.misfit import UNREADABLE

__all__ = ["ROWS", "SUMMARY", "Folder", "Plan"]

ROWS: Final = "rows.ndjson"
SUMMARY: Final = "summary.json"
REPORT: Final = "report.html"
LOGS: Final = "logs"


class Plan(Struct, frozen=True):
    """What a run is, and with it what its rows mean: they are never mixed with those of another."""

    suite: str
    version: str
    hash: str
    game: str
    deals: int
    conditions: Conditions
    bots: tuple[Contestant, ...]
    elo: tuple[float, float] | None = None
    """The two hypotheses of an early stop."""
    pace: str | None = None
    """How fast bots move in races over a server; None: played in the arena."""

    @classmethod
    def of(
        cls,
        suite: Suite,
        conditions: Conditions,
        bots: Sequence[Contestant],
        elo: tuple[float, float] | None = None,
        pace: str | None = None,
    ) -> Plan:
        """Return the plan of a run of these bots on this suite."""
        deals = len(suite.codes)
        return cls(suite.name, suite.version, suite.hash, suite.game, deals, conditions, tuple(bots), elo, pace)

    @property
    def labels(self) -> dict[str, str]:
        """Return how each bot is called in tables: by its name where no other has it, else as it was named here."""
        names = [who.name for who in self.bots]
        return {who.spec: who.name if names.count(who.name) == 1 else who.spec for who in self.bots}


class Folder:
    """Where a run keeps what it has; rows are on the disk before they count."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def rows(self) -> Path:
        """The file of rows."""
        return self.path / ROWS

    @property
    def logs(self) -> Path:
        """The folder of what programs write to stderr."""
        return self.path / LOGS

    def open(self, plan: Plan) -> list[Row]:
        """Begin a run here or take it up again; returns the rows it has. Raises RunRefused for another run's folder."""
        try:
            self.logs.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise RunRefused(f"expected a folder that can be written, found {self.path}: {fault.strerror}") from fault
        summary = self.path / SUMMARY
        if summary.exists():
            found = plan_of(self.path)
            if found != plan:
                differs = f"expected the same run as in {self.path}, found different {_difference(found, plan)}"
                raise RunRefused(f"{differs}: choose another folder")
        else:
            if self.rows.exists():
                raise RunRefused(f"expected a new folder or that of a run, found rows without a summary in {self.path}")
            self._write_summary({"plan": plan, "complete": False})
        rows = read_rows(self.rows)
        write_rows(self.rows, rows)  # A line that was cut off goes before others follow it.
        return rows

    def add(self, rows: Sequence[Row]) -> None:
        """Keep some rows."""
        append_rows(self.rows, rows)

    def close(self, rows: Sequence[Row], summary: object, report: str) -> None:
        """Keep the rows in their order, what they come to, and the report of that."""
        write_rows(self.rows, rows)
        _write_whole(self.path / REPORT, report.encode())
        self._write_summary(summary)

    def _write_summary(self, summary: object) -> None:
        _write_whole(self.path / SUMMARY, msgspec.json.format(msgspec.json.encode(summary)) + b"\n")


def _write_whole(file: Path, content: bytes) -> None:
    """Replace a file in one step, so that nobody sees half of it."""
    beside = file.with_name(f"{file.name}.new")
    beside.write_bytes(content)
    beside.replace(file)


def plan_of(path: Path) -> Plan:
    """Read what run a folder has. Raises RunRefused."""

    class Written(Struct):
        plan: Plan

    try:
        return msgspec.json.decode((path / SUMMARY).read_bytes(), type=Written).plan
    except (OSError, *UNREADABLE) as fault:
        raise RunRefused(f"expected the folder of a run, with its {SUMMARY}, found {path}: {fault}") from fault


def _difference(found: Plan, wanted: Plan) -> str:
    """Name what differs first."""
    for field in Plan.__struct_fields__:
        there, here = getattr(found, field), getattr(wanted, field)
        if there != here:
            if isinstance(there, Conditions):
                return next(
                    f"{name} ({getattr(there, name)} there, {getattr(here, name)} here)"
                    for name in Conditions.__struct_fields__
                    if getattr(there, name) != getattr(here, name)
                )
            if field == "bots":
                there, here = (", ".join(f"{who.spec} {who.version}".strip() for who in bots) for bots in (there, here))
            return f"{field} ({there} there, {here} here)"
    return "nothing"
