"""What commands make happen on a seat in play, and where its connection goes and comes."""

from __future__ import annotations

from typing import Final

from engine.race.commands import Hint, MarkAbsent, MarkBack, Play
from engine.race.decision import NOT_SEATED, OVER, Decision, Happens, Refused, Repeated, shared
from engine.race.events import Absent, Back, Hinted, Played, Resigned, SeatDone, Undone
from engine.race.model import Race, Seat, SeatEnd
from engine.race.playing import play
from engine.record import canonical_word
from engine.refusals import Barred, ErrorCode, Reason, Status
from engine.solo import UNDO
from engine.suggest import suggestion

__all__ = ["absent", "back", "hinted", "played", "settled"]

_NOT_STARTED: Final = Refused(ErrorCode.NOT_STARTED)
_PLAYING: Final = Status.PLAYING


def _in_play(race: Race, seat: Seat | None, now: int) -> Refused | None:
    """Return why a seat is not in play at `now`, None when it is.

    Whether it still is at the deadline is left to the entry's own time.
    """
    if seat is None:
        return NOT_SEATED
    if seat.end is not None or race.over_at is not None:
        return Refused(ErrorCode.OVER, lane=seat.lane)
    # Nothing is said of a board that is not dealt yet.
    return _NOT_STARTED if race.start_at is None or now < race.start_at else None


def played(race: Race, command: Play) -> Decision:
    """Play the next operation of a seat."""
    seat = race.seat_of(command.player)
    if seat is None:
        return NOT_SEATED
    n, lane = command.n, seat.operations.count
    if n != lane + 1:
        return _not_next(race, seat, command)
    refused, solo = _in_play(race, seat, command.now), seat.solo
    if refused is not None or solo is None:
        return refused or _NOT_STARTED
    word = canonical_word(solo.game, command.m)
    outcome = play(solo, word)
    if type(outcome) is Reason:
        return Refused(ErrorCode.ILLEGAL, outcome, lane)
    number = seat.seat
    event = Undone(number, n) if word == UNDO else Played(number, n, word)
    goes_on = outcome.solo.board.status is _PLAYING
    return Happens(str(number), (event,), race.start_at, race.deadline, goes_on)


def _not_next(race: Race, seat: Seat, command: Play) -> Decision:
    """Answer an operation that is not the next of its seat."""
    solo, lane = seat.solo, seat.lane
    if solo is not None and 1 <= command.n <= lane:
        # Idempotent by content: the same number with the same word was carried out, whatever has happened since.
        if seat.operations[command.n - 1] == canonical_word(solo.game, command.m):
            return Repeated(lane)
        return Refused(ErrorCode.STALE_LANE, lane=lane)
    return _in_play(race, seat, command.now) or Refused(ErrorCode.STALE_LANE, lane=lane)


def hinted(race: Race, command: Hint) -> Decision:
    """Give a hint for a seat."""
    seat = race.seat_of(command.player)
    refused = _in_play(race, seat, command.now)
    if refused is not None or seat is None or seat.solo is None:
        return refused or _NOT_STARTED
    if not race.practice:
        return Refused(ErrorCode.FORBIDDEN, Barred.NO_HINTS)
    if seat.hint is not None and seat.hint_at == seat.lane:
        return Repeated(seat.lane)
    word = suggestion(seat.solo)
    if word is None:
        return Refused(ErrorCode.ILLEGAL, Reason.NO_MOVES, seat.lane)
    return Happens(str(seat.seat), (Hinted(seat.seat, seat.lane, word),), race.start_at, race.deadline)


def settled(race: Race, player: str, now: int, end: SeatEnd) -> Decision:
    """End the play of a seat in one of its ways."""
    seat = race.seat_of(player)
    if seat is not None and seat.end is end:
        return Repeated(seat.lane)
    refused = _in_play(race, seat, now)
    if refused is not None or seat is None:
        return refused or NOT_SEATED
    event = SeatDone(seat.seat) if end is SeatEnd.DONE else Resigned(seat.seat)
    return Happens(str(seat.seat), (event,), race.start_at, race.deadline)


def absent(race: Race, command: MarkAbsent) -> Decision:
    """Take note that a seat's connection is gone."""
    seat = race.seats.get(command.seat)
    if seat is None or not seat.present or seat.connection != command.connection:
        return Repeated()
    return OVER if race.ended else shared(Absent(command.seat, command.connection))


def back(race: Race, command: MarkBack) -> Decision:
    """Take note that a seat is held by a new connection."""
    seat = race.seat_of(command.player)
    if seat is None:
        return NOT_SEATED
    if race.ended:
        return OVER
    overtaken = command.found is not None and seat.present and seat.connection != command.found
    if seat.connection == command.connection or overtaken:
        return Repeated()
    return shared(Back(seat.seat, command.connection))
