"""A session says in the log that its seat is held, and that it is held no more, though Redis may be away meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from itertools import chain, repeat
from typing import TYPE_CHECKING, Final

import structlog

from engine.log.entry import LogError
from engine.race import commands
from engine.race.model import Seat
from server.store.connect import StoreUnavailable

if TYPE_CHECKING:
    from server.live.place import Place

__all__ = ["give_up", "hold_again", "still_here"]

GIVE_UP_S: Final = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Pauses before it is said that a seat's connection is gone, while Redis cannot be reached; the last for ever."""
STILL_HERE_S: Final = (0.0, 1.0, 2.0)
"""The same for a connection that is still there; it is asked to again when the log says once more that it is not."""

log = structlog.get_logger("live")


async def still_here(place: Place) -> None:
    """Hold the seat again that is said to be nobody's, unless somebody else has taken it meanwhile."""
    session = place.session
    back = commands.MarkBack(session.player.id, session.connection, found=0)
    await _say(place, lambda seat: None if session.closed or seat.present else back, STILL_HERE_S)


async def hold_again(place: Place) -> None:
    """Hold the seat again where the log has lost that it is held by this connection."""
    session = place.session

    def forgotten(seat: Seat) -> commands.Command | None:
        held = session.closed or (seat.present and seat.connection == session.connection)
        return None if held else commands.MarkBack(session.player.id, session.connection)

    await _say(place, forgotten, GIVE_UP_S)


async def give_up(place: Place) -> None:
    """Say that the connection which held the seat is gone, unless another holds it by now."""

    def gone(seat: Seat) -> commands.Command | None:
        mine = seat.connection == place.session.connection
        return commands.MarkAbsent(seat.seat, seat.connection) if mine else None

    await _say(place, gone, chain(GIVE_UP_S, repeat(GIVE_UP_S[-1])))


async def _say(place: Place, told: Callable[[Seat], commands.Command | None], pauses_s: Iterable[float]) -> None:
    """Say something of the seat as it is in the log, again after each pause while Redis cannot be reached."""
    if place.table is None or not place.sought:
        return
    for pause_s in pauses_s:
        await asyncio.sleep(pause_s)
        try:
            race = await place.table.fresh()
            seat = race.seat_of(place.session.player.id)
            command = None if race.ended or seat is None else told(seat)
            if command is None or (await place.table.ask(command)).retry_ms is None:
                return
        except StoreUnavailable as fault:
            log.warning("presence not written", race=place.race, seat=place.seat, fault=str(fault))
        except LogError as fault:
            log.error("presence not written", race=place.race, seat=place.seat, fault=str(fault))
            return
