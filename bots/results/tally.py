"""What was measured of a variant, kept in a small file that grows with every run."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bots.bench.machine import Machine
from bots.results.variants import Limits, VerdictWord

__all__ = ["DATA", "FIRST", "Tally", "file_of", "keep", "kept"]

DATA: Final = Path(__file__).with_name("data")
FIRST: Final = 2
"""Number of the first deal: those before it are lay-outs that the app has published, not shuffled."""


class Tally(Struct, frozen=True, kw_only=True):
    """How so many deals were decided, one after another from number `FIRST` on."""

    variant: str
    solver: str
    limits: Limits
    """What the solver was given for each deal."""
    won: int = 0
    lost: int = 0
    unknown: int = 0
    cpu_s: float = 0.0
    digest: str = ""
    """SHA-256 over all verdicts in order, each hashed with the digest before it."""
    machine: Machine
    """Where the last of them were decided."""
    measured: str
    """The day of that, UTC."""

    @property
    def deals(self) -> int:
        """How many were decided, or tried."""
        return self.won + self.lost + self.unknown

    def after(self, verdicts: list[VerdictWord], cpu_s: float, machine: Machine, measured: str) -> Tally:
        """Add the next deals."""
        digest = self.digest
        for verdict in verdicts:
            digest = sha256(f"{digest} {verdict}".encode()).hexdigest()
        return replace(
            self,
            won=self.won + verdicts.count("winnable"),
            lost=self.lost + verdicts.count("unwinnable"),
            unknown=self.unknown + verdicts.count("unknown"),
            cpu_s=round(self.cpu_s + cpu_s, 3),
            digest=digest,
            machine=machine,
            measured=measured,
        )


def file_of(folder: Path, variant: str) -> Path:
    """Name the file of a variant."""
    return folder / f"{variant}.json"


def kept(folder: Path, variant: str) -> Tally | None:
    """Read what was measured; None when nothing was. Raises msgspec.DecodeError for a file that is none of ours."""
    file = file_of(folder, variant)
    return msgspec.json.decode(file.read_bytes(), type=Tally) if file.exists() else None


def keep(folder: Path, tally: Tally) -> None:
    """Write a tally in place of the one before, whole or not at all."""
    file = file_of(folder, tally.variant)
    new = file.with_suffix(".new")
    new.write_bytes(msgspec.json.format(msgspec.json.encode(tally), indent=2) + b"\n")
    new.replace(file)
