"""What a bench writes down of a game: one line of JSON, and files of such lines."""

from __future__ import annotations

import os
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

import msgspec
from msgspec import Struct

from bots.bench.faults import RunRefused
from bots.contender import Failure
from engine.misfit import UNREADABLE

__all__ = ["End", "Row", "append_rows", "read_rows", "write_rows"]


class End(StrEnum):
    """How a game ended."""

    WON = "won"
    STUCK = "stuck"
    DONE = "done"
    """The bot settled."""
    LIMIT = "limit"
    """The game took all its operations or all its time."""
    FAILED = "failed"
    """The bot did what it may not."""


class Row(Struct, frozen=True, omit_defaults=True):
    """A game as it was settled; `record` replays it. Times are those spent by the bot, not by the bench."""

    code: str
    bot: str
    seed: int
    status: End
    score: int
    moves: int
    record: str
    wall_ms: float
    cpu_ms: float
    memory_mb: float
    """The most that the bot's processes held; of a built-in bot, the process that it shares with the bench."""
    removed: int | None = None
    """Golf: cards removed from the columns."""
    placed: int | None = None
    """Double Solitaire: cards on the foundations."""
    reason: Failure | None = None
    detail: str | None = None
    nodes: int | None = None
    """As the bot counts or claims them."""
    regret: int | None = None
    """Golf: points below the best that the deal has to give."""
    dropped: int | None = None
    """Golf: the sum of what single moves gave away; more than the regret where some was taken back."""
    slowest_ms: float = 0.0
    """Of the moves, the one that took longest."""

    @property
    def won(self) -> bool:
        """Whether the deal was cleared."""
        return self.status is End.WON

    @property
    def cleared(self) -> int:
        """Cards removed or placed."""
        return self.removed if self.removed is not None else self.placed or 0


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Row)


def append_rows(file: Path, rows: Iterable[Row]) -> None:
    """Add rows to a file and have them on the disk."""
    with file.open("ab") as out:
        out.write(_encoder.encode_lines(list(rows)))
        out.flush()
        os.fsync(out.fileno())


def write_rows(file: Path, rows: Iterable[Row]) -> None:
    """Replace a file as a whole: whoever reads it sees the old rows or the new ones."""
    beside = file.with_suffix(".new")
    beside.unlink(missing_ok=True)
    append_rows(beside, rows)
    beside.replace(file)


def read_rows(file: Path) -> list[Row]:
    """Read the rows of a file; a last line that was cut off in the middle is left out. Raises RunRefused."""
    try:
        lines = file.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    rows = []
    for number, line in enumerate(lines[:-1], 1):
        try:
            rows.append(_decoder.decode(line))
        except UNREADABLE as fault:
            raise RunRefused(f"expected a row a line in {file}, found line {number}: {fault}") from fault
    return rows
