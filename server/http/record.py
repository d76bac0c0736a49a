"""Replay files over HTTP: that of a finished race, and the verdict on one that somebody brings."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import msgspec
from aiohttp import web

from engine.race.card import MAX_SEATS
from engine.race.model import Race
from engine.record import Record
from engine.refusals import ErrorCode
from engine.replay.document import Replay, ReplayError, from_json, replay_of, to_json
from engine.replay.file import read_replay, write_replay
from engine.replay.verify import Verdict, followed, verify, verify_replay
from server.http.calls import CALLERS, TABLES, address, body_of, caller, whole
from server.http.errors import CallRefused, json_of
from server.http.history import history_of
from server.http.replays import replay_shown
from server.live.history import read_log

__all__ = ["VERIFYING", "show_record", "verify_record"]

RECORD_BYTES: Final = 1 << 20
"""The longest replay file that is looked at: 25,000 entries, two seconds of work; races are far shorter."""
JSON_BYTES: Final = 4 << 20
"""The longest JSON form, which is four times as long."""
VERIFYING: Final = web.AppKey("verifying", asyncio.Lock)
"""One replay is verified at a time: each may cost seconds and a hundred MB, and the races go on beside it."""


async def show_record(request: web.Request) -> web.Response:
    """`GET /api/races/{race}/record`: the replay file of a race that is over; its JSON form by `Accept`.

    With `seat` the one-line record of that seat alone, as text.
    """
    tables = request.app[TABLES]
    rid = request.match_info["race"]
    race = (await history_of(request, caller(request)))[-1].after
    if not race.closed:
        raise CallRefused(409, ErrorCode.FORBIDDEN, "expected a race that is over", reason="not_over")
    if "seat" in request.query:
        return _line_of(race, whole(request, "seat", 0, MAX_SEATS))
    # A ruling may have been added to it meanwhile.
    replay = replay_of(race, (await read_log(tables, rid))[: race.seq])
    if "json" in request.headers.get("Accept", ""):
        return web.Response(body=to_json(replay), content_type="application/json")
    # What is archived is given as it was written; another version of zstd might write other bytes.
    written = None if tables.log.archive is None else await tables.log.archive.read(rid)
    if written is None:
        # Compressing lets other work go on meanwhile only in another thread.
        written = await asyncio.to_thread(write_replay, replay)
    named = {"Content-Disposition": f'attachment; filename="{rid}.fairdeal"'}
    return web.Response(body=written, content_type="application/octet-stream", headers=named)


def _line_of(race: Race, number: int) -> web.Response:
    seat = race.seats.get(number)
    if seat is None or seat.solo is None or race.code is None:
        raise CallRefused(404, ErrorCode.BAD_FRAME, f"expected a seat that was dealt to, found {number}", reason="seat")
    named = {"Content-Disposition": f'attachment; filename="{race.id}-{number}.txt"'}
    return web.Response(text=f"{Record(race.code, seat.words)}\n", headers=named)


async def verify_record(request: web.Request) -> web.Response:
    """`POST /api/verify`: what `fairdeal verify` says about a replay file, in either form.

    With `replay` in the query, of a file that holds also its `replay`: what a page needs to show it.
    """
    request.app[CALLERS].check("verify", address(request))
    as_json = request.content_type == "application/json"
    body = await body_of(request, JSON_BYTES if as_json else RECORD_BYTES)
    async with request.app[VERIFYING]:
        verdict, replay = await asyncio.to_thread(_verdict, body, as_json, "replay" in request.query)
    return json_of(verdict if replay is None else {**msgspec.to_builtins(verdict), "replay": replay})


def _verdict(body: bytes, as_json: bool, told: bool) -> tuple[Verdict, dict[str, Any] | None]:
    """Return the verdict, and the race as it may be replayed where that is wanted and the file holds."""
    if as_json:
        try:
            replay: Replay = from_json(body)
        except ReplayError as fault:
            return Verdict(False, place=fault.place, fault=fault.fault), None
        verdict = verify_replay(replay)
    else:
        verdict = verify(body)
    if not (told and verdict.ok):
        return verdict, None
    replay = replay if as_json else read_replay(body)
    return verdict, replay_shown(followed(replay.header, replay.entries))
