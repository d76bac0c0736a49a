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
    from server.races.answer import Answer
    from server.races.table import Table

__all__ = ["give_up", "hold", "hold_again", "overtaken", "still_here"]

GIVE_UP_S: Final = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Pauses before it is said that a seat's connection is gone, while Redis cannot be reached; the last for ever."""
STILL_HERE_S: Final = (0.0, 1.0, 2.0)
"""The same for a connection that is still there; it is asked to again when the log says once more that it is not."""
NOTICED_S: Final = 0.1
"""Within which it is noticed that a socket is gone, even by a process that had stood still."""

log = structlog.get_logger("live")


async def hold(place: Place, table: Table) -> Answer | None:
    """Hold the player's seat with this session's connection; whoever held it before is closed.

    None where this session is closed: it has ended, or the player has come by another one meanwhile, though what this
    one asked for had to wait. A session whose socket stands asks once more then: who took the seat may be an older
    connection, whose node has not noticed yet that it is gone.
    """
    session = place.session
    place.sought = True
    for _ in range(2):
        seat = table.race.seat_of(session.player.id)
        if session.closed or seat is None:
            return None
        place.seat = seat.seat
        place.found = seat.connection if place.found is None else place.found
        answer = await table.ask(commands.MarkBack(session.player.id, session.connection, place.found))
        if not answer.ok or not overtaken(place, table):
            return answer
        place.found = None
        await asyncio.sleep(NOTICED_S)
    session.taken_over()
    return None


def overtaken(place: Place, table: Table) -> bool:
    """Tell whether the seat is another connection's."""
    seat = table.race.seat_of(place.session.player.id)
    return seat is not None and seat.connection != place.session.connection and not table.race.ended


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
