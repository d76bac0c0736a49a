"""Who may look at a race, and as what."""

from __future__ import annotations

from engine.race.card import Watch
from engine.race.model import Race
from engine.race.views import PUBLIC, Role, Viewer

__all__ = ["may_watch", "reader"]


def may_watch(race: Race, player: str | None) -> bool:
    """Tell whether a player may watch: not where it is off, not while the player's own seat is open."""
    if race.closed:
        return True
    seat = None if player is None else race.seat_of(player)
    return race.card is not None and race.card.watch is not Watch.OFF and (seat is None or seat.end is not None)


def reader(race: Race, player: str | None) -> Viewer:
    """Return as whom somebody reads a race over HTTP: its seat, a spectator, or, without a token, anybody."""
    if player is None:
        return PUBLIC
    seat = race.seat_of(player)
    if seat is not None:
        return Viewer(Role.SEAT, seat.seat)
    return Viewer(Role.WATCH) if may_watch(race, player) else PUBLIC
