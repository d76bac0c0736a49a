"""What a client asks of the quick races: to wait for one, and to wait no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.codes import CodeError
from engine.race.matching import pool_asked_for
from engine.refusals import ErrorCode
from engine.texts.codes import code_fault
from engine.wire import inbound
from engine.wire.outbound import Res
from server.store.connect import StoreUnavailable

if TYPE_CHECKING:
    from server.live.session import Session

__all__ = ["queue"]

FULL_RETRY_MS: Final = 5_000


async def queue(session: Session, message: inbound.Queue | inbound.Unqueue) -> None:
    """Carry out a `queue` or `unqueue` and answer it."""
    quick = session.rooms.tables.quick
    try:
        if isinstance(message, inbound.Unqueue):
            await quick.leave(session.player.id, message.game)
        else:
            pool = pool_asked_for(message.game, message.goal, message.rated)
            if not await quick.enter(session, session.player, session.address, pool):
                session.refuse(message.id, ErrorCode.BUSY, FULL_RETRY_MS)
                return
    except CodeError as fault:
        session.refuse(message.id, ErrorCode.UNKNOWN_CODE, detail=code_fault(fault, session.language))
    except ValueError as fault:
        session.refuse(message.id, ErrorCode.BAD_FRAME, detail=str(fault))
    except StoreUnavailable as fault:
        session.refuse(message.id, ErrorCode.UNAVAILABLE, fault.retry_ms)
    else:
        if message.id is not None:
            session.answer(Res(message.id, True))
        if session.closed:
            quick.gone(session)
