"""The log of a race over HTTP, as its caller may see it now, and how far each seat has come since the start."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Final

import msgspec
from aiohttp import web

from engine.race.views import Role, Viewer, ev_for, missed, numbers_for
from engine.replay.seen import Step
from engine.wire.codec import Subprotocol, encode
from engine.wire.outbound import Ev, Skip
from server.http.calls import TABLES, caller, whole
from server.http.history import history_of
from server.live.delayed import delay_ms, seen_late
from server.live.rights import reader
from server.players import Player

__all__ = ["show_events", "show_progress"]

LINES: Final = "application/x-ndjson"
PACKED: Final = "application/msgpack"
SLICE: Final = 300
"""Messages encoded in one go, in some 3 ms; then all else has its turn."""


async def show_events(request: web.Request) -> web.Response:
    """`GET /api/races/{race}/events?after=SEQ`: `ev` and `skip` messages, a line each; concatenated as msgpack."""
    known = caller(request)
    after = whole(request, "after", 0, 1 << 53)
    history = await history_of(request, known)
    messages = visible(*_told(request, history, known), after)
    packed = "msgpack" in request.headers.get("Accept", "")
    subprotocol, end = (Subprotocol.MSGPACK, b"") if packed else (Subprotocol.JSON, b"\n")
    body = bytearray()
    for count, message in enumerate(messages, 1):
        body += encode(message, subprotocol) + end
        if count % SLICE == 0:
            await asyncio.sleep(0)
    headers = {"Cache-Control": "no-store"}
    return web.Response(body=bytes(body), content_type=PACKED if packed else LINES, headers=headers)


def _told(request: web.Request, history: list[Step], known: Player | None) -> tuple[list[Step], Viewer]:
    """Return what the caller may know of a history now, and as whom: spectators may be told late."""
    race = history[-1].after
    viewer = reader(race, None if known is None else known.id)
    if viewer.role is Role.WATCH:
        history, _ = seen_late(history, request.app[TABLES].clock.now(), delay_ms(race))
    return history, viewer


def visible(history: list[Step], viewer: Viewer, after: int) -> Iterator[Ev | Skip]:
    """Yield the entries after a seq as the viewer may see them now: once a race is closed, nothing is hidden."""
    race = history[-1].after

    def frames() -> Iterator[tuple[Ev | None, int, str]]:
        for one in history[after:]:
            before = msgspec.structs.replace(one.before, closed=True) if race.closed else one.before
            yield ev_for(before, one.event, one.after, viewer), one.after.seq, one.after.h

    return missed(race.id, frames())


async def show_progress(request: web.Request) -> web.Response:
    """`GET /api/races/{race}/progress`: for each seat how many cards it had cleared when, as it was told live."""
    known = caller(request)
    history = await history_of(request, known)
    body = _progress(*_told(request, history, known))
    return web.Response(body=body, content_type="application/json", headers={"Cache-Control": "no-store"})


def _progress(history: list[Step], viewer: Viewer) -> bytes:
    race = history[-1].after
    dealt = [] if race.start_at is None else [(0, 0)]
    points = {number: [*dealt] for number in race.seats}
    for one in history:
        number, after = one.event.seat, one.after
        if number is None or after.start_at is None:
            continue
        cleared = numbers_for(after, after.seats[number], viewer).cleared
        if points[number][-1][1] != cleared:
            points[number].append((after.at - after.start_at, cleared))
    seats = [{"seat": number, "points": told} for number, told in sorted(points.items())]
    return msgspec.json.encode({"race": race.id, "start_at": race.start_at, "seats": seats})
