"""What was measured of a variant, kept in a file that grows with every run."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bots.bench.machine import Machine
from bots.results.variants import Decided, Limits

__all__ = ["DATA", "FIRST", "Tally", "file_of", "keep", "kept"]

DATA: Final = Path(__file__).with_name("data")
FIRST: Final = 2
"""Number of the first deal: those before it are lay-outs that the app has published, not shuffled."""


class Tally(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How so many deals were decided, one after another from number `FIRST` on; of games played, how they ended."""

    variant: str
    solver: str
    limits: Limits
    """What the solver was given for each deal."""
    won: int = 0
    lost: int = 0
    unknown: int = 0
    cpu_s: float = 0.0
    digest: str = ""
    """SHA-256 over all verdicts in order, with their scores if there are any, each hashed with the digest before it."""
    scores: tuple[int, ...] = ()
    """In order: of games played the scores, of deals under Vegas scoring how many cards were found to go up."""
    bounds: tuple[int, ...] = ()
    """With the latter: how many can go up at most."""
    machine: Machine
    """Where the last of them were decided."""
    measured: str
    """The day of that, UTC."""

    @property
    def deals(self) -> int:
        """How many were decided, or tried."""
        return self.won + self.lost + self.unknown

    def after(self, decided: list[Decided], cpu_s: float, machine: Machine, measured: str) -> Tally:
        """Add the next deals."""
        digest = self.digest
        for deal in decided:
            score = "" if deal.score is None else f" {deal.score}"
            digest = sha256(f"{digest} {deal.verdict}{score}".encode()).hexdigest()
        verdicts = [deal.verdict for deal in decided]
        return replace(
            self,
            won=self.won + verdicts.count("winnable") + verdicts.count("won"),
            lost=self.lost + verdicts.count("unwinnable") + verdicts.count("lost"),
            unknown=self.unknown + verdicts.count("unknown"),
            scores=(*self.scores, *(deal.score for deal in decided if deal.score is not None)),
            bounds=(*self.bounds, *(deal.bound for deal in decided if deal.bound is not None)),
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
    fields = msgspec.to_builtins(tally)
    lines = (
        f"  {msgspec.json.encode(name).decode()}: {msgspec.json.encode(of).decode()}" for name, of in fields.items()
    )
    new.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    new.replace(file)
