"""Who may look at a race, and as what."""

from __future__ import annotations

from engine.race.card import Watch
from engine.race.model import Race
from engine.race.views import PUBLIC, Role, Viewer
from engine.refusals import Barred

__all__ = ["barred", "reader"]


def barred(race: Race, player: str | None) -> Barred | None:
    """Return why a player may not watch: it is off, or the player's own seat is open. None where one may."""
    if race.closed:
        return None
    seat = None if player is None else race.seat_of(player)
    if seat is not None and seat.end is None:
        return Barred.SEAT_OPEN
    return Barred.WATCH_OFF if race.card is None or race.card.watch is Watch.OFF else None


def reader(race: Race, player: str | None) -> Viewer:
    """Return as whom somebody reads a race over HTTP: its seat, a spectator, or, without a token, anybody."""
    if player is None:
        return PUBLIC
    seat = race.seat_of(player)
    if seat is not None:
        return Viewer(Role.SEAT, seat.seat)
    return PUBLIC if barred(race, player) else Viewer(Role.WATCH)
