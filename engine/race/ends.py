"""How races end: by time, by all being over, by a ruling, by what their log has lost."""

from __future__ import annotations

from engine.log.entry import SHARED_LANE
from engine.race.commands import Recover, Void
from engine.race.decision import DAILY, OVER, Decision, Happens, Repeated, shared
from engine.race.events import Finished, FinishReason, Left, Recovered, Voided, VoidReason
from engine.race.model import OPEN_FOR_MS, Race, code_of

__all__ = ["recovered", "ruled", "ticked", "void"]


def ticked(race: Race, now: int) -> Decision:
    """Do what time or the fold demands at `now`."""
    if race.closed:
        return Repeated()
    if race.sealed_until is not None:
        return _ticked_daily(race, now, race.sealed_until)
    if race.over is not None:
        return shared(_finish(race, race.over))
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
    end = _finish(race, race.over or FinishReason.TIME) if race.started else void(race, VoidReason.EXPIRED)
    return Happens(SHARED_LANE, (end,), from_ms=until)


def _ticked_open(race: Race, now: int) -> Decision:
    """Free the seats of those who keep others waiting, or give the race up."""
    until, no_show = race.created_at + OPEN_FOR_MS, race.no_show
    if no_show is not None and no_show[0] <= now and no_show[0] < until:
        until, seats = no_show
        if seats and not race.private:
            return Happens(SHARED_LANE, tuple(Left(seat) for seat in seats), from_ms=until)
    if now < until:
        return Repeated()
    return Happens(SHARED_LANE, (void(race, VoidReason.EXPIRED),), from_ms=until)


def ruled(race: Race, command: Void) -> Decision:
    """End a race that is not over; one on a deal of the day would open it too early."""
    if race.voided is command.reason:
        return Repeated()
    if race.closed:
        return OVER
    return DAILY if race.daily is not None else shared(void(race, command.reason))


def recovered(race: Race, command: Recover) -> Decision:
    """Note once what was lost, whoever finds it out; a rated race does not count any more."""
    if race.recoveries > command.recoveries:
        return Repeated()
    event = Recovered(command.seq, command.h)
    if race.card is None or not race.card.rated or race.closed:
        return shared(event)
    return shared(event, void(race, VoidReason.RECOVERED))


def void(race: Race, reason: VoidReason) -> Voided:
    """Return the end of a race that does not count; what a sealed one was bound to is opened all the same."""
    code = race.code or code_of(race)
    return Voided(reason, None if code is None else str(code), race.opening.salt if race.opening else "")


def _finish(race: Race, reason: FinishReason) -> Finished:
    return Finished(reason, str(race.code), race.opening.salt if race.opening else "")
