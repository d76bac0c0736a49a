"""What a load test counts while it runs, and what it comes to."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

__all__ = ["Report", "Tally"]


class Tally:
    """The running counts of one load test.

    `took_s` are the times from sending a play to its confirmation; `first` and `last` say when, by `perf_counter`,
    the first play was sent and the last one confirmed: the loop's own clock may be as coarse as a ms.
    """

    def __init__(self) -> None:
        self.commands = 0
        self.confirmed = 0
        self.dups = 0
        self.refused: Counter[str] = Counter()
        self.took_s: list[float] = []
        self.first: float | None = None
        self.last = 0.0
        self.races = 0
        self.verified = 0
        self.lost = 0
        self.doubled = 0
        self.entries = 0
        self.frames = 0
        self.faults: list[str] = []

    def sent(self, now: float) -> None:
        """Take note of a play that is sent."""
        if self.first is None:
            self.first = now

    def played_s(self, now: float) -> float:
        """Return for how long plays have been sent by now."""
        return 0.0 if self.first is None else now - self.first

    def confirm(self, sent: float, now: float, *, dup: bool) -> None:
        """Count a play that the server has confirmed; `dup`: it was in before, its first answer was lost."""
        self.commands += 1
        self.confirmed += 1
        self.dups += dup
        self.took_s.append(now - sent)
        self.last = now

    def report(self) -> Report:
        """Return what it has come to."""
        took = sorted(self.took_s)
        seconds = max(0.0, self.played_s(self.last))
        return Report(
            seconds=round(seconds, 3),
            commands=self.commands,
            confirmed=self.confirmed,
            dups=self.dups,
            refused=dict(self.refused),
            moves_per_s=round(self.confirmed / seconds, 1) if seconds else 0.0,
            p50_ms=_percentile_ms(took, 0.5),
            p99_ms=_percentile_ms(took, 0.99),
            max_ms=_percentile_ms(took, 1.0),
            races=self.races,
            verified=self.verified,
            entries=self.entries,
            frames=self.frames,
            lost=self.lost,
            doubled=self.doubled,
            faults=list(self.faults),
        )


class Report(Struct, frozen=True):
    """What a load test found: moves confirmed, how quickly (ms), and what became of them.

    `verified` races of `races` have a replay file that holds, with every client's frames (`frames` of them checked);
    `lost` moves were confirmed and are not in the log, `doubled` are in it more than once or were never sent.
    """

    seconds: float
    commands: int
    confirmed: int
    dups: int
    refused: dict[str, int]
    moves_per_s: float
    p50_ms: float
    p99_ms: float
    max_ms: float
    races: int
    verified: int
    entries: int
    frames: int
    lost: int
    doubled: int
    faults: list[str]

    @property
    def ok(self) -> bool:
        """True when something was confirmed, all of it is there once, and everybody saw what there was to see."""
        return self.confirmed > 0 and not (self.lost or self.doubled or self.faults) and self.verified == self.races


def _percentile_ms(ordered: list[float], share: float) -> float:
    """Return the value in ms that so large a share does not exceed; 0 when there is none."""
    if not ordered:
        return 0.0
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2)
