"""What commands make happen before a race starts: it is offered, seats are taken and given back, all are ready."""

from __future__ import annotations

from engine.race.card import StartRule
from engine.race.commands import Cancel, Create, Join, Leave, Ready, Start, Unready
from engine.race.decision import DAILY, NOT_SEATED, OVER, Decision, Happens, Refused, Repeated, shared
from engine.race.ends import void
from engine.race.events import Created, Joined, Left, Readied, Started, Unreadied, VoidReason
from engine.race.model import Race, Seat, stocked_number
from engine.refusals import Barred, ErrorCode

__all__ = ["cancelled", "created", "joined", "left", "readied", "started", "unreadied"]

_NOT_YOURS = Refused(ErrorCode.FORBIDDEN, Barred.NOT_YOURS)


def created(race: Race, command: Create) -> Happens:
    """Offer a race; one that goes on in a series has its players and starts at once."""
    event = Created(
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
        return shared(event)
    # A series goes on by itself: its players have said that they are ready, and who is not there yet is absent.
    seated = (Joined(one.seat, one.player, one.name, one.kind, 0, engine=one.engine) for one in command.kept)
    return shared(event, *seated, Started(command.delay_ms, None if command.card.sealed else command.number))


def joined(race: Race, command: Join) -> Decision:
    """Take a seat."""
    if race.seat_of(command.player) is not None:
        return Repeated()
    if race.ended or race.started:
        return OVER
    if race.daily is not None and command.player != race.creator:
        return DAILY
    seat = _seat_for(race, command)
    if seat is None:
        return Refused(ErrorCode.FULL)
    return shared(Joined(seat, command.player, command.name, command.kind, command.connection, engine=command.engine))


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
        return NOT_SEATED
    return OVER if race.started or race.ended else seat


def left(race: Race, command: Leave) -> Decision:
    """Give a seat back."""
    seat = race.kept_for(command.player) or _before_start(race, command.player)
    if isinstance(seat, Refused):
        return seat
    if race.started or race.ended:
        return OVER
    gone, off = Left(seat.seat, command.reason), void(race, VoidReason.CANCELLED)
    # Whom the server has paired races with nobody else, nor does whoever has challenged somebody.
    return shared(*((off,) if race.paired else (gone, off) if race.challenge else (gone,)))


def readied(race: Race, command: Ready) -> Decision:
    """Be ready; with the last one the race starts."""
    seat = race.seat_of(command.player)
    if seat is None:
        return NOT_SEATED
    if seat.ready:
        return Repeated()
    if race.started or race.ended:
        return OVER
    ready = Readied(seat.seat)
    others_ready = all(other.ready for other in race.seats.values() if other is not seat)
    if race.card is None or race.card.start is StartRule.HOST or len(race.seats) < race.card.seats or not others_ready:
        return shared(ready)
    return shared(ready, _start(race, command))


def unreadied(race: Race, command: Unready) -> Decision:
    """Be ready no more."""
    seat = _before_start(race, command.player)
    if isinstance(seat, Refused):
        return seat
    return shared(Unreadied(seat.seat)) if seat.ready else Repeated()


def _start(race: Race, command: Ready | Start) -> Started:
    if race.card is not None and (race.card.code is not None or race.card.sealed):
        return Started(command.delay_ms)
    return Started(command.delay_ms, stocked_number(race) or command.number)


def started(race: Race, command: Start) -> Decision:
    """Start a race at its creator's word."""
    if command.player != race.creator:
        return _NOT_YOURS
    if race.card is None or race.card.start is not StartRule.HOST:
        return Refused(ErrorCode.FORBIDDEN, Barred.STARTS_BY_ITSELF)
    if race.started:
        return Repeated()
    if race.ended:
        return OVER
    if not race.seats:
        return Refused(ErrorCode.NOT_STARTED, Barred.NOBODY_SEATED)
    if race.private and race.kept:
        return Refused(ErrorCode.NOT_STARTED, Barred.AWAITED)  # It is for those two, not for one of them.
    return shared(_start(race, command))


def cancelled(race: Race, command: Cancel) -> Decision:
    """Call a race off."""
    if command.player != race.creator:
        return _NOT_YOURS
    if race.daily is not None:
        return DAILY
    if race.voided is VoidReason.CANCELLED:
        return Repeated()
    if race.started or race.ended:
        return OVER
    return shared(void(race, VoidReason.CANCELLED))
