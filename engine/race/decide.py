"""What a command makes happen: `decide(race, command) → events | refusal`, without clock, I/O or chance."""

from __future__ import annotations

from typing import assert_never

from engine.log.entry import SHARED_LANE
from engine.race.card import StartRule
from engine.race.commands import (
    Cancel,
    Command,
    Create,
    Done,
    Hint,
    Join,
    Leave,
    MarkAbsent,
    MarkBack,
    Play,
    Ready,
    Recover,
    Resign,
    Start,
    Tick,
    Unready,
    Void,
)
from engine.race.decision import Decision, Happens, Refused, Repeated
from engine.race.events import (
    Absent,
    Back,
    Created,
    Event,
    Finished,
    FinishReason,
    Hinted,
    Joined,
    Left,
    Played,
    Readied,
    Recovered,
    Resigned,
    SeatDone,
    Started,
    Undone,
    Unreadied,
    Voided,
    VoidReason,
)
from engine.race.model import OPEN_FOR_MS, Race, Seat, SeatEnd, code_of, stocked_number
from engine.race.playing import play
from engine.record import canonical_word
from engine.refusals import Barred, ErrorCode, Reason
from engine.solo import UNDO
from engine.suggest import suggestion

__all__ = ["Decision", "Happens", "Refused", "Repeated", "decide"]


_NOT_SEATED = Refused(ErrorCode.NOT_SEATED)
_OVER = Refused(ErrorCode.OVER)
_DAILY = Refused(ErrorCode.FORBIDDEN, Barred.DAILY)
_NOT_YOURS = Refused(ErrorCode.FORBIDDEN, Barred.NOT_YOURS)
_NOT_STARTED = Refused(ErrorCode.NOT_STARTED)
_UNKNOWN_RACE = Refused(ErrorCode.UNKNOWN_RACE)


def decide(race: Race, command: Command) -> Decision:
    """Return what a command makes of a race as it stands."""
    if race.card is None:
        return _created(race, command) if isinstance(command, Create) else _UNKNOWN_RACE
    # Nearly all commands are plays, and this is the quickest way to them.
    return _played(race, command) if type(command) is Play else _decided(race, command)


def _decided(race: Race, command: Command) -> Decision:  # noqa: C901 - one case a command, that is all
    match command:
        case Create():
            return Repeated()
        case Play():
            return _played(race, command)
        case Hint():
            return _hinted(race, command)
        case Done():
            return _settled(race, command.player, command.now, SeatEnd.DONE)
        case Resign():
            return _settled(race, command.player, command.now, SeatEnd.RESIGNED)
        case Join():
            return _joined(race, command)
        case Leave():
            return _left(race, command)
        case Ready():
            return _readied(race, command)
        case Unready():
            return _unreadied(race, command)
        case Start():
            return _started(race, command)
        case Cancel():
            return _cancelled(race, command)
        case MarkAbsent():
            return _absent(race, command)
        case MarkBack():
            return _back(race, command)
        case Tick():
            return _ticked(race, command.now)
        case Void():
            return _ruled(race, command)
        case Recover():
            return _recovered(race, command)
        case _:
            assert_never(command)


def _shared(*events: Event) -> Happens:
    return Happens(SHARED_LANE, events)


def _created(race: Race, command: Create) -> Happens:
    created = Created(
        race.id,
        command.card,
        command.creator,
        command.nonce,
        command.kid,
        commitment=command.commitment,
        gone_after_ms=command.gone_after_ms,
        no_show_ms=command.no_show_ms,
        kept=command.kept,
        chain=command.chain,
        stock=command.stock,
        daily=command.daily,
    )
    if command.chain is None or command.chain.leg == 1:
        return _shared(created)
    # A series goes on by itself: its players have said that they are ready, and who is not there yet is absent.
    seated = (Joined(one.seat, one.player, one.name, one.kind, 0, engine=one.engine) for one in command.kept)
    return _shared(created, *seated, Started(command.delay_ms, None if command.card.sealed else command.number))


def _joined(race: Race, command: Join) -> Decision:
    if race.seat_of(command.player) is not None:
        return Repeated()
    if race.ended or race.started:
        return _OVER
    if race.daily is not None and command.player != race.creator:
        return _DAILY
    seat = _seat_for(race, command)
    if seat is None:
        return Refused(ErrorCode.FULL)
    return _shared(Joined(seat, command.player, command.name, command.kind, command.connection, engine=command.engine))


def _seat_for(race: Race, command: Join) -> int | None:
    """Return the seat that a player gets: the one kept, else the first that waits for nobody."""
    kept = race.kept_for(command.player)
    if kept is not None:
        return kept.seat
    seats = race.card.seats if race.card else 0
    free = [number for number in range(1, seats + 1) if number not in race.seats and number not in race.kept]
    return free[0] if len(free) > (0 if command.kind == "bot" else _kept_for_bots(race)) else None


def _kept_for_bots(race: Race) -> int:
    """Return how many free seats wait for the bots that the card asks for."""
    bots = sum(seat.kind == "bot" for seat in race.seats.values()) + race.bots_left
    return max(0, len(race.card.bots) - bots) if race.card else 0


def _before_start(race: Race, player: str) -> Seat | Refused:
    """Return the player's seat in a race that has not started, or why there is none."""
    seat = race.seat_of(player)
    if seat is None:
        return _NOT_SEATED
    return _OVER if race.started or race.ended else seat


def _left(race: Race, command: Leave) -> Decision:
    seat = race.kept_for(command.player) or _before_start(race, command.player)
    if isinstance(seat, Refused):
        return seat
    if race.ended:
        return _OVER
    # Whom the server has paired races with nobody else.
    return _shared(_void(race, VoidReason.CANCELLED) if race.paired else Left(seat.seat))


def _readied(race: Race, command: Ready) -> Decision:
    seat = race.seat_of(command.player)
    if seat is None:
        return _NOT_SEATED
    if seat.ready:
        return Repeated()
    if race.started or race.ended:
        return _OVER
    ready = Readied(seat.seat)
    others_ready = all(other.ready for other in race.seats.values() if other is not seat)
    if race.card is None or race.card.start is StartRule.HOST or len(race.seats) < race.card.seats or not others_ready:
        return _shared(ready)
    return _shared(ready, _start(race, command))


def _unreadied(race: Race, command: Unready) -> Decision:
    seat = _before_start(race, command.player)
    if isinstance(seat, Refused):
        return seat
    return _shared(Unreadied(seat.seat)) if seat.ready else Repeated()


def _start(race: Race, command: Ready | Start) -> Started:
    if race.card is not None and (race.card.code is not None or race.card.sealed):
        return Started(command.delay_ms)
    return Started(command.delay_ms, stocked_number(race) or command.number)


def _started(race: Race, command: Start) -> Decision:
    if command.player != race.creator:
        return _NOT_YOURS
    if race.card is None or race.card.start is not StartRule.HOST:
        return Refused(ErrorCode.FORBIDDEN, Barred.STARTS_BY_ITSELF)
    if race.started:
        return Repeated()
    if race.ended:
        return _OVER
    return _shared(_start(race, command)) if race.seats else Refused(ErrorCode.NOT_STARTED, Barred.NOBODY_SEATED)


def _cancelled(race: Race, command: Cancel) -> Decision:
    if command.player != race.creator:
        return _NOT_YOURS
    if race.daily is not None:
        return _DAILY
    if race.voided is VoidReason.CANCELLED:
        return Repeated()
    if race.started or race.ended:
        return _OVER
    return _shared(_void(race, VoidReason.CANCELLED))


def _ruled(race: Race, command: Void) -> Decision:
    """End a race that is not over; one on a deal of the day would open it too early."""
    if race.voided is command.reason:
        return Repeated()
    if race.closed:
        return _OVER
    return _DAILY if race.daily is not None else _shared(_void(race, command.reason))


def _void(race: Race, reason: VoidReason) -> Voided:
    """Return the end of a race that does not count; what a sealed one was bound to is opened all the same."""
    code = race.code or code_of(race)
    return Voided(reason, None if code is None else str(code), race.opening.salt if race.opening else "")


def _in_play(race: Race, seat: Seat | None, now: int) -> Refused | None:
    """Return why a seat is not in play at `now`, None when it is.

    Whether it still is at the deadline is left to the entry's own time.
    """
    if seat is None:
        return _NOT_SEATED
    if seat.end is not None or race.ended:
        return Refused(ErrorCode.OVER, lane=seat.lane)
    # Nothing is said of a board that is not dealt yet.
    return _NOT_STARTED if race.start_at is None or now < race.start_at else None


def _played(race: Race, command: Play) -> Decision:
    seat = race.seat_of(command.player)
    if seat is None:
        return _NOT_SEATED
    solo, lane = seat.solo, seat.lane
    if solo is not None and 1 <= command.n <= lane:
        # Idempotent by content: the same number with the same word was carried out, whatever has happened since.
        if seat.operations[command.n - 1] == canonical_word(solo.game, command.m):
            return Repeated(lane)
        return Refused(ErrorCode.STALE_LANE, lane=lane)
    refused = _in_play(race, seat, command.now)
    if refused is not None or solo is None:
        return refused or _NOT_STARTED
    if command.n != lane + 1:
        return Refused(ErrorCode.STALE_LANE, lane=lane)
    word = canonical_word(solo.game, command.m)
    outcome = play(solo, word)
    if isinstance(outcome, Reason):
        return Refused(ErrorCode.ILLEGAL, outcome, lane)
    event = Undone(seat.seat, command.n) if word == UNDO else Played(seat.seat, command.n, word)
    return Happens(str(seat.seat), (event,), race.start_at, race.deadline)


def _hinted(race: Race, command: Hint) -> Decision:
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


def _settled(race: Race, player: str, now: int, end: SeatEnd) -> Decision:
    seat = race.seat_of(player)
    if seat is not None and seat.end is end:
        return Repeated(seat.lane)
    refused = _in_play(race, seat, now)
    if refused is not None or seat is None:
        return refused or _NOT_SEATED
    event = SeatDone(seat.seat) if end is SeatEnd.DONE else Resigned(seat.seat)
    return Happens(str(seat.seat), (event,), race.start_at, race.deadline)


def _absent(race: Race, command: MarkAbsent) -> Decision:
    seat = race.seats.get(command.seat)
    if seat is None or not seat.present or seat.connection != command.connection:
        return Repeated()
    return _OVER if race.ended else _shared(Absent(command.seat, command.connection))


def _back(race: Race, command: MarkBack) -> Decision:
    seat = race.seat_of(command.player)
    if seat is None:
        return _NOT_SEATED
    if race.ended:
        return _OVER
    overtaken = command.found is not None and seat.present and seat.connection != command.found
    if seat.connection == command.connection or overtaken:
        return Repeated()
    return _shared(Back(seat.seat, command.connection))


def _ticked(race: Race, now: int) -> Decision:
    if race.closed:
        return Repeated()
    if race.sealed_until is not None:
        return _ticked_daily(race, now, race.sealed_until)
    if race.over is not None:
        return _shared(_finish(race, race.over))
    if not race.started:
        return _ticked_open(race, now)
    for at, reason in ((race.deadline, FinishReason.TIME), (race.gone_at, FinishReason.GONE)):
        if at is not None and now >= at:
            return Happens(SHARED_LANE, (_finish(race, reason),), from_ms=at)
    return Repeated()


def _ticked_daily(race: Race, now: int, until: int) -> Decision:
    """Close a race on a deal of the day, however it ended, when the day is over: until then the deal is not opened."""
    if now < until:
        return Repeated()
    end = _finish(race, race.over or FinishReason.TIME) if race.started else _void(race, VoidReason.EXPIRED)
    return Happens(SHARED_LANE, (end,), from_ms=until)


def _ticked_open(race: Race, now: int) -> Decision:
    """Free the seats of those who keep others waiting, or give the race up."""
    until, no_show = race.created_at + OPEN_FOR_MS, race.no_show
    if no_show is not None and no_show[0] <= now and no_show[0] < until:
        until, seats = no_show
        if seats and not race.paired:
            return Happens(SHARED_LANE, tuple(Left(seat) for seat in seats), from_ms=until)
    if now < until:
        return Repeated()
    return Happens(SHARED_LANE, (_void(race, VoidReason.EXPIRED),), from_ms=until)


def _recovered(race: Race, command: Recover) -> Decision:
    """Note once what was lost, whoever finds it out; a rated race does not count any more."""
    if race.recoveries > command.recoveries:
        return Repeated()
    recovered = Recovered(command.seq, command.h)
    if race.card is None or not race.card.rated or race.closed:
        return _shared(recovered)
    return _shared(recovered, _void(race, VoidReason.RECOVERED))


def _finish(race: Race, reason: FinishReason) -> Finished:
    return Finished(reason, str(race.code), race.opening.salt if race.opening else "")
