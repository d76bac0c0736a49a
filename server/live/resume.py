"""Taking up a race where a client left it: exactly the missed events, or a snapshot and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import msgspec
import structlog

from engine.log.entry import GENESIS, Cursor, Hash
from engine.race.events import Finished, Voided
from engine.race.model import Race
from engine.race.views import Role, Viewer, ev_for, missed, snap_for
from engine.refusals import ErrorCode
from engine.replay.seen import Step
from engine.wire import inbound
from engine.wire.outbound import Ev, Resumed, Skip, Snap, SnapReason
from server.live.frames import frame_of
from server.live.holding import hold
from server.live.rights import barred
from server.races.table import Table

if TYPE_CHECKING:
    from server.live.place import Place

__all__ = ["replayed", "resume"]

READS: Final = 20
"""How often a log that grows meanwhile is read again before a snapshot is sent instead."""

log = structlog.get_logger("live")


async def resume(place: Place, known: inbound.Resume) -> None:
    """Go on with a race from what the client knows. Raises UnknownRace, StoreUnavailable, LogError."""
    session = place.session
    table = await place.opened()
    ahead = known.seq > table.race.seq
    viewer = await _viewer(place, table, known)
    if viewer is None:
        return
    await _note_loss(place, table, known)
    await session.rooms.prepare(table, viewer)
    history: list[Step] = []
    for _ in range(READS):
        history = await session.rooms.histories.of(place.race)
        if history and table.race.seq < history[-1].after.seq:
            await table.fresh()
        if history and table.race.h == history[-1].after.h:
            break
    # From here on nothing is awaited: what is sent joins what is told live without a gap.
    fanout = place.follow(table, viewer)
    if fanout is None:
        return
    race = fanout.race
    history = history[: race.seq]
    reason = "ahead" if ahead or known.seq > race.seq else _mismatch(race, history, known)
    session.rooms.metrics.resumes.labels(reason or "missed").inc()
    if reason is not None:
        session.outbox.tell(place.race, fanout.snap_frame(session, reason))
        return
    session.say(Resumed(place.race, known.seq + 1, race.seq))
    for message in replayed(history, known.seq, viewer, fanout.now()):
        if isinstance(message, Ev) and message.k == Finished.KIND:
            sig = session.rooms.tables.secrets.receipt(table.race, message.seq, message.hash)
            message = msgspec.structs.replace(message, sig=sig)
        session.outbox.tell(place.race, frame_of(message, session.subprotocol))


async def _viewer(place: Place, table: Table, known: inbound.Resume) -> Viewer | None:
    """Return in which capacity the client goes on; None, and it is told why, when it may not."""
    session = place.session
    if known.as_ == "watch":
        bar = barred(table.race, session.player.id)
        if bar is None:
            return Viewer(Role.WATCH, None, session.boards)
        session.complain(ErrorCode.FORBIDDEN, place.race, reason=bar)
        return None
    seat = table.race.seat_of(session.player.id)
    if seat is None:
        session.complain(ErrorCode.NOT_SEATED, place.race)
        return None
    answer = await hold(place, table)
    if answer is None:
        return None
    if answer.retry_ms is not None:
        session.complain(answer.code or ErrorCode.UNAVAILABLE, place.race, retry_ms=answer.retry_ms)
        return None
    return Viewer(Role.SEAT, seat.seat, session.boards)


async def _note_loss(place: Place, table: Table, known: inbound.Resume) -> None:
    """Note in the log what it has lost, where the client's receipt proves that it had been confirmed."""
    tables, race = place.session.rooms.tables, table.race
    receipt = known.receipt if known.sig is None else inbound.Receipt(known.seq, known.hash, known.sig)
    if receipt is None or not tables.secrets.receipt_holds(race, receipt.sig, receipt.seq, receipt.hash):
        return
    history = await place.session.rooms.histories.of(place.race)
    if receipt.seq <= len(history) and history[receipt.seq - 1].after.h == receipt.hash:
        return
    place.session.rooms.metrics.lost.inc()
    log.error("confirmed history is gone", race=race.id, seq=receipt.seq, tail=len(history))
    await table.note_loss(Cursor(receipt.seq, Hash(receipt.hash)), race.recoveries)


def _mismatch(race: Race, history: list[Step], known: inbound.Resume) -> SnapReason | None:
    """Return why what the client knows cannot be added to, if so."""
    if not history or history[-1].after.h != race.h:
        return "view"
    at = GENESIS if known.seq == 0 else history[known.seq - 1].after.h
    return None if at == known.hash else "hash"


def replayed(history: list[Step], seq: int, viewer: Viewer, now: int) -> Iterator[Ev | Skip | Snap]:
    """Yield what this viewer would have been told live after `seq`: events, skips, the boards at the start, the end."""
    rest = history[seq:]
    last = history[-1].after
    known = history[seq - 1].after if seq else history[0].before
    start = last.start_at
    if start is not None and start <= now and (not known.started or known.at <= start) and not _void_at(last, start):
        early = [step for step in rest if not step.before.started or step.after.at < start]
        yield from _told(early, viewer)
        yield snap_for(history[seq + len(early) - 1].after, viewer, start, "start")
        rest = rest[len(early) :]
    yield from _told(rest, viewer)
    if any(isinstance(one.event, Finished | Voided) for one in rest):
        yield snap_for(last, viewer, max(now, last.at), "end")


def _void_at(race: Race, start: int) -> bool:
    """Tell whether a race was over before its start."""
    return race.over_at is not None and race.over_at < start


def _told(part: list[Step], viewer: Viewer) -> Iterator[Ev | Skip]:
    frames = ((ev_for(one.before, one.event, one.after, viewer), one.after.seq, one.after.h) for one in part)
    return missed(part[0].after.id if part else "", frames)
