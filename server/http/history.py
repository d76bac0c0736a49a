"""The history of a race for a call that tells it: folded once for all who ask, and counted by its length."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from engine.replay.seen import Step
from server.http.calls import CALLERS, address
from server.live.socket import ROOMS
from server.players import Player
from server.races.tables import UnknownRace

__all__ = ["STEPS_A_CALL", "history_of"]

STEPS_A_CALL: Final = 500
"""A history counts as one call of the rate `log` for each 500 steps.

Folding and telling them takes 12 ms, with sixty seats three times that.
"""


async def history_of(request: web.Request, known: Player | None) -> list[Step]:
    """Return all steps of the race that a call names; the list is shared: leave it as it is.

    Raises CallRefused where this player, or without one this address, asked for too much, UnknownRace,
    StoreUnavailable, LogError.
    """
    callers, who = request.app[CALLERS], address(request) if known is None else known.id
    callers.check("log", who)
    rid = request.match_info["race"]
    history = await request.app[ROOMS].histories.of(rid)
    if not history:
        raise UnknownRace(rid)
    callers.charge("log", who, len(history) // STEPS_A_CALL)
    return history
