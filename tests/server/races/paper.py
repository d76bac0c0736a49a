"""A race of two seats kept on paper: what is to be answered, and what may happen, by the rules of the protocol."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from engine.race.events import (
    Event,
    Finished,
    Joined,
    Left,
    Played,
    Readied,
    Resigned,
    SeatDone,
    Started,
    Undone,
    Unreadied,
)

__all__ = ["SEATS", "Asked", "Paper"]

SEATS: Final = 2
DRAWS: Final = 16
"""Cards in the stock of a deal of Golf once the first has been turned up."""


class Asked(Struct, frozen=True):
    """What a player asks: `what`, and for a play its number relative to the lane's last, and its word."""

    player: str
    what: str
    ahead: int = 1
    word: str = "d"


class _Seat(Struct):
    number: int
    ready: bool = False
    words: list[str] = []
    undoable: int = 0
    drawn: int = 0
    end: str | None = None


class Paper:
    """The race as it is by what has happened; `expected` says what a command is to be answered."""

    def __init__(self) -> None:
        self.seats: dict[str, _Seat] = {}
        self.started = False
        self.closed = False

    @property
    def over(self) -> bool:
        return self.started and all(seat.end for seat in self.seats.values())

    def number(self, asked: Asked) -> int:
        """The number of the operation that a play asks for."""
        seat = self.seats.get(asked.player)
        return max(1, (len(seat.words) if seat else 0) + asked.ahead)

    def expected(self, asked: Asked) -> str:
        """The answer to a command that comes alone: `ok`, `dup`, or the code of its refusal."""
        seat = self.seats.get(asked.player)
        match asked.what:
            case "join":
                if seat is not None:
                    return "dup"
                if self.started:
                    return "over"
                return "full" if len(self.seats) == SEATS else "ok"
            case "leave" | "ready" | "unready":
                return self._before_start(asked.what, seat)
            case "play":
                return self._play(seat, self.number(asked), asked.word)
            case _:
                return self._settle(seat, asked.what)

    def _before_start(self, what: str, seat: _Seat | None) -> str:
        if seat is None:
            return "not_seated"
        if what == "ready" and seat.ready:
            return "dup"
        if self.started:
            return "over"
        return "dup" if what == "unready" and not seat.ready else "ok"

    def _play(self, seat: _Seat | None, n: int, word: str) -> str:
        if seat is None:
            return "not_seated"
        if self.started and n <= len(seat.words):
            return "dup" if seat.words[n - 1] == word else "stale_lane"
        if self.over or seat.end:
            return "over"
        if not self.started:
            return "not_started"
        if n != len(seat.words) + 1:
            return "stale_lane"
        possible = seat.undoable > 0 if word == "u" else seat.drawn < DRAWS
        return "ok" if possible else "illegal"

    def _settle(self, seat: _Seat | None, what: str) -> str:
        if seat is None:
            return "not_seated"
        if seat.end == what:
            return "dup"
        if self.over or seat.end:
            return "over"
        return "ok" if self.started else "not_started"

    def take(self, event: Event) -> None:
        """Let something happen; AssertionError where it cannot have."""
        match event:
            case Joined():
                assert not self.started
                assert event.player not in self.seats
                free = set(range(1, SEATS + 1)) - {seat.number for seat in self.seats.values()}
                assert event.seat == min(free)
                self.seats[event.player] = _Seat(event.seat)
            case Left():
                assert not self.started
                del self.seats[self._player(event.seat)]
            case Readied() | Unreadied():
                seat = self._seat(event.seat)
                assert not self.started
                assert seat.ready is isinstance(event, Unreadied)
                seat.ready = not seat.ready
            case Started():
                assert not self.started
                assert [seat.ready for seat in self.seats.values()] == [True] * SEATS
                self.started = True
            case Played() | Undone():
                self._operation(self._seat(event.seat), event)
            case SeatDone() | Resigned():
                seat = self._seat(event.seat)
                if not self.over:  # What comes after the end, decided before it, changes nothing.
                    assert self.started
                    assert seat.end is None
                    seat.end = "done" if isinstance(event, SeatDone) else "resign"
            case Finished():
                assert self.over
                assert not self.closed
                self.closed = True
            case _:
                pass

    def _operation(self, seat: _Seat, event: Played | Undone) -> None:
        if self.over:
            return
        assert self.started
        assert seat.end is None
        assert event.n == len(seat.words) + 1
        if isinstance(event, Undone):
            seat.undoable -= 1
            seat.drawn -= 1
        else:
            seat.undoable += 1
            seat.drawn += 1
        assert seat.undoable >= 0
        assert seat.drawn <= DRAWS
        seat.words.append("u" if isinstance(event, Undone) else event.m)

    def _player(self, number: int) -> str:
        return next(player for player, seat in self.seats.items() if seat.number == number)

    def _seat(self, number: int) -> _Seat:
        return self.seats[self._player(number)]
