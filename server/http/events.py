"""The log of a race over HTTP, as its caller may see it now, and how far each seat has come since the start."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Final

import msgspec
from aiohttp import web

from engine.log.entry import Entry
from engine.race.views import Role, Viewer, ev_for, missed, numbers_for, seat_in
from engine.replay.seen import Step
from engine.wire.codec import Subprotocol, encode
from engine.wire.outbound import Ev, Skip
from server.http.calls import CALLERS, TABLES, address, caller, whole
from server.live.delayed import delay_ms, seen_late
from server.live.history import read_log, steps
from server.live.rights import reader
from server.races.tables import Tables, UnknownRace

__all__ = ["show_events", "show_progress"]

LINES: Final = "application/x-ndjson"
PACKED: Final = "application/msgpack"


async def show_events(request: web.Request) -> web.Response:
    """`GET /api/races/{race}/events?after=SEQ`: `ev` and `skip` messages, a line each; concatenated as msgpack."""
    known = caller(request)
    after = whole(request, "after", 0, 1 << 53)
    tables = request.app[TABLES]
    request.app[CALLERS].check("log", address(request) if known is None else known.id)
    rid = request.match_info["race"]
    history = list(steps(tables, rid, await read_log(tables, rid)))
    if not history:
        raise UnknownRace(rid)
    messages = visible(*_told(history, None if known is None else known.id, tables.clock.now()), after)
    packed = "msgpack" in request.headers.get("Accept", "")
    if packed:
        body = b"".join(encode(message, Subprotocol.MSGPACK) for message in messages)
    else:
        body = b"".join(encode(message, Subprotocol.JSON) + b"\n" for message in messages)
    return web.Response(body=body, content_type=PACKED if packed else LINES, headers={"Cache-Control": "no-store"})


def _told(history: list[Step], player: str | None, now: int) -> tuple[list[Step], Viewer]:
    """Return what somebody may know of a history at `now` (ms), and as whom: spectators may be told late."""
    race = history[-1].after
    viewer = reader(race, player)
    if viewer.role is Role.WATCH:
        history, _ = seen_late(history, now, delay_ms(race))
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
    tables = request.app[TABLES]
    request.app[CALLERS].check("log", address(request) if known is None else known.id)
    rid = request.match_info["race"]
    entries = await read_log(tables, rid)
    if not entries:
        raise UnknownRace(rid)
    # A race of many seats takes a while to fold: other races go on meanwhile.
    body = await asyncio.to_thread(_progress, tables, rid, entries, None if known is None else known.id)
    return web.Response(body=body, content_type="application/json", headers={"Cache-Control": "no-store"})


def _progress(tables: Tables, rid: str, entries: tuple[Entry, ...], player: str | None) -> bytes:
    history, viewer = _told(list(steps(tables, rid, entries)), player, tables.clock.now())
    race = history[-1].after
    dealt = [] if race.start_at is None else [(0, 0)]
    points = {number: [*dealt] for number in race.seats}
    for one in history:
        number, after = seat_in(one.event), one.after
        if number is None or after.start_at is None:
            continue
        cleared = numbers_for(after, after.seats[number], viewer).cleared
        if points[number][-1][1] != cleared:
            points[number].append((after.at - after.start_at, cleared))
    seats = [{"seat": number, "points": told} for number, told in sorted(points.items())]
    return msgspec.json.encode({"race": rid, "start_at": race.start_at, "seats": seats})
