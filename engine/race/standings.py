"""Who came where: one sort key a goal, and what is equal shares its rank (protocol.md, "Goals")."""

from __future__ import annotations

from msgspec import Struct

from engine.race.card import Goal
from engine.race.events import PlayerKind
from engine.race.model import Race, Seat, SeatEnd, SeatStatus

__all__ = ["Standing", "standings"]


class Standing(Struct, frozen=True):
    """A seat's result: rank from 1, score as settled, cards cleared and left, ms from the start to its end.

    `hints` says how many it was told, where there were any.
    """

    rank: int
    seat: int
    player: str
    name: str
    kind: PlayerKind
    engine: str | None
    score: int
    status: SeatStatus
    moves: int
    cleared: int
    strokes: int
    time_ms: int
    hints: int | None = None


def _left(seat: Seat) -> int:
    return seat.solo.board.left if seat.solo is not None else 0


def _key(goal: Goal, seat: Seat) -> tuple[int, ...]:
    """Return what sorts a seat: lower is better. A clear that ended the race is alone, so `first` needs no seq."""
    if goal is Goal.STROKES:
        return (_left(seat),)
    by_score = (-seat.score, seat.scored_at)
    if goal is Goal.SCORE:
        return by_score
    if seat.end is not SeatEnd.WON:
        return (1, *by_score)
    return (0, seat.numbers.moves) if goal is Goal.MOVES else (0, *by_score)


def standings(race: Race) -> tuple[Standing, ...]:
    """Return the seats from first to last as they stand; final once the race is over."""
    if race.card is None or not race.started:
        return ()
    goal = race.card.goal
    seats = sorted(race.seats.values(), key=lambda seat: (_key(goal, seat), seat.seat))
    keys = [_key(goal, seat) for seat in seats]
    return tuple(_standing(keys.index(key) + 1, seat, race) for key, seat in zip(keys, seats, strict=True))


def _standing(rank: int, seat: Seat, race: Race) -> Standing:
    numbers = seat.numbers
    until = seat.ended_at if seat.ended_at is not None else race.at
    return Standing(
        rank,
        seat.seat,
        seat.player,
        seat.name,
        seat.kind,
        seat.engine,
        numbers.score,
        numbers.status,
        numbers.moves,
        numbers.cleared,
        _left(seat),
        max(0, until - (race.start_at or 0)),
        seat.hints or None,
    )
