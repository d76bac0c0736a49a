"""A race that is over, compared with what its clients were told: every confirmed move is in the log once, in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from bots.swarm.hand import Confirmed, Hand
from bots.swarm.tally import Tally
from engine.log.entry import Entry
from engine.race.events import Played, Undone
from engine.race.evolve import event_in
from engine.replay.document import ReplayError
from engine.replay.file import read_replay
from engine.replay.verify import verify_replay
from engine.solo import UNDO

__all__ = ["Ended", "SeatPlayed", "audit"]


class SeatPlayed(Struct, frozen=True):
    """What one seat sent, from the first operation on, and what of it was confirmed."""

    seat: int | None
    sent: Sequence[str]
    confirmed: Sequence[Confirmed]

    @classmethod
    def by(cls, hand: Hand) -> SeatPlayed:
        """Return what a hand has played."""
        return cls(hand.seat, tuple(hand.sent), tuple(hand.confirmed))


class Ended(Struct, frozen=True):
    """A race that is over: its replay file, its seats, and a file of frames for every client."""

    race: str
    record: bytes
    seats: Sequence[SeatPlayed]
    seen: Sequence[Path]


def audit(ended: Ended, tally: Tally) -> None:
    """Check a race, and count what was found."""
    faults = []
    try:
        replay = read_replay(ended.record)
    except ReplayError as error:
        tally.faults.append(f"race {ended.race}: {error}")
        return
    tally.entries += len(replay.entries)
    for seen in ended.seen:
        with seen.open("rb") as frames:
            verdict = verify_replay(replay, frames)
        tally.frames += verdict.frames
        if not verdict.ok:
            faults.append(f"race {ended.race}: {seen.name}: {verdict.place}: {verdict.fault}")
    for played in ended.seats:
        faults += _compare(played, replay.entries, tally, ended.race)
    tally.faults += faults
    tally.verified += not faults


def _compare(played: SeatPlayed, entries: Sequence[Entry], tally: Tally, race: str) -> list[str]:
    """Count what a seat's lane has lost or has too much, and say where."""
    lane = list(_operations(entries, played.seat))
    where = f"race {race} seat {played.seat}"
    faults = []
    times = Counter(n for n, _, _ in lane)
    words = {n: word for n, word, _ in lane}
    doubled = sum(count - 1 for count in times.values())
    invented = [n for n, word, _ in lane if n > len(played.sent) or played.sent[n - 1] != word]
    lost = [one.n for one in played.confirmed if words.get(one.n) != one.word]
    if doubled or invented:
        faults.append(f"{where}: {doubled} operations twice, and never sent: {invented}")
    if lost:
        faults.append(f"{where}: confirmed and not in the log: {lost}")
    if [n for n, _, _ in lane] != list(range(1, len(lane) + 1)):
        faults.append(f"{where}: operations out of order")
    places = {n: (entry.seq, entry.h) for n, _, entry in lane}
    elsewhere = [
        one.n for one in played.confirmed if not one.res.dup and places.get(one.n) != (one.res.seq, one.res.hash)
    ]
    if elsewhere:
        faults.append(f"{where}: confirmed at another place than in the log: {elsewhere}")
    tally.lost += len(lost)
    tally.doubled += doubled + len(invented)
    return faults


def _operations(entries: Sequence[Entry], seat: int | None) -> list[tuple[int, str, Entry]]:
    """Return the operations of a seat as the log has them: number, word, entry."""
    found = []
    for entry in entries:
        match event_in(entry):
            case Played() as event if event.seat == seat:
                found.append((event.n, event.m, entry))
            case Undone() as event if event.seat == seat:
                found.append((event.n, UNDO, entry))
            case _:
                pass
    return found
