"""What was played in a race that is over, seat by seat: every operation with its time and what it came to."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine.game import first_board
from engine.race.events import Played, PlayerKind, Undone
from engine.race.model import Seat
from engine.record import Record
from engine.replay.seen import Step
from engine.solo import UNDO

__all__ = ["Operation", "Run", "runs_of"]


class Operation(Struct, frozen=True):
    """An accepted word, when it was accepted (ms), and the seat's numbers after it."""

    m: str
    at: int
    score: int
    moves: int
    cleared: int


class Run(Struct, frozen=True):
    """A seat's game: operation `n` is the n-th of `operations`; `record` is its one-line record, None undealt.

    `start` is the score of the deal, `status` and `score` are as settled; `ended_at` (ms) is None where the seat never
    ended by itself.
    """

    seat: int
    player: str
    name: str
    kind: PlayerKind
    engine: str | None
    status: str
    start: int
    score: int
    ended_at: int | None
    record: str | None
    operations: tuple[Operation, ...]


def runs_of(steps: Sequence[Step]) -> list[Run]:
    """Return the run of each seat, by number, from the whole history of a race; what came after the end is left out."""
    played: dict[int, list[Operation]] = {}
    for step in steps:
        event = step.event
        if step.before.ended or not isinstance(event, Played | Undone):
            continue
        numbers = step.after.seats[event.seat].numbers
        word = event.m if isinstance(event, Played) else UNDO
        one = Operation(word, step.after.at, numbers.score, numbers.moves, numbers.cleared)
        played.setdefault(event.seat, []).append(one)
    if not steps:
        return []
    race = steps[-1].after
    return [
        _run(seat, None if race.code is None else Record(race.code, seat.words), tuple(played.get(number, ())))
        for number, seat in sorted(race.seats.items())
    ]


def _run(seat: Seat, record: Record | None, operations: tuple[Operation, ...]) -> Run:
    return Run(
        seat=seat.seat,
        player=seat.player,
        name=seat.name,
        kind=seat.kind,
        engine=seat.engine,
        status=seat.status.value,
        start=0 if record is None else first_board(record.code).score,
        score=seat.score,
        ended_at=seat.ended_at,
        record=None if record is None or seat.solo is None else str(record),
        operations=operations,
    )
