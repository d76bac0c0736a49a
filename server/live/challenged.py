"""Who is challenged is told: at once over all sockets, or when he comes back while the race still waits for him."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import structlog

from engine.log.entry import LogError
from engine.wire.outbound import Challenged, Challenger
from server.store.challenges import Challenge
from server.store.connect import StoreUnavailable

if TYPE_CHECKING:
    from server.live.session import Session

__all__ = ["tell_challenges"]

log = structlog.get_logger("live")


async def tell_challenges(session: Session, challenges: Iterable[Challenge]) -> None:
    """Tell a player of those challenges that wait for an answer: another socket, on any node, may have given it."""
    tables, player = session.rooms.tables, session.player.id
    for challenge in challenges:
        try:
            race = (await tables.look_up(challenge.race)).race
        except (StoreUnavailable, LogError) as fault:
            log.warning("challenge not told", race=challenge.race, fault=str(fault))
            continue
        if race.kept_for(player) is not None and not race.ended and not session.closed:
            by = Challenger(challenge.by, challenge.name, challenge.kind)
            session.say(Challenged(challenge.race, by, challenge.card, challenge.expires_at))
