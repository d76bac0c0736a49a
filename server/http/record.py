"""Replay files over HTTP: that of a finished race, and the verdict on one that somebody brings."""

from __future__ import annotations

import asyncio
from typing import Final

from aiohttp import web

from engine.refusals import ErrorCode
from engine.replay.document import Replay, ReplayError, from_json, replay_of, to_json
from engine.replay.file import write_replay
from engine.replay.verify import Verdict, verify, verify_replay
from server.http.calls import CALLERS, TABLES, address, body_of, caller
from server.http.errors import CallRefused, json_of
from server.live.history import read_log, steps
from server.races.tables import UnknownRace

__all__ = ["VERIFYING", "show_record", "verify_record"]

RECORD_BYTES: Final = 1 << 20
"""The longest replay file that is looked at: 25,000 entries, two seconds of work; races are far shorter."""
JSON_BYTES: Final = 4 << 20
"""The longest JSON form, which is four times as long."""
VERIFYING: Final = web.AppKey("verifying", asyncio.Lock)
"""One replay is verified at a time: each may cost seconds and a hundred MB, and the races go on beside it."""


async def show_record(request: web.Request) -> web.Response:
    """`GET /api/races/{race}/record`: the replay file of a race that is over; its JSON form by `Accept`."""
    tables = request.app[TABLES]
    rid = request.match_info["race"]
    known = caller(request)
    request.app[CALLERS].check("log", address(request) if known is None else known.id)
    entries = await read_log(tables, rid)
    history = list(steps(tables, rid, entries))
    if not history:
        raise UnknownRace(rid)
    race = history[-1].after
    if not race.closed:
        raise CallRefused(409, ErrorCode.FORBIDDEN, "expected a race that is over", reason="not_over")
    replay = replay_of(race, entries)
    if "json" in request.headers.get("Accept", ""):
        return web.Response(body=to_json(replay), content_type="application/json")
    # What is archived is given as it was written; another version of zstd might write other bytes.
    written = None if tables.log.archive is None else await tables.log.archive.read(rid)
    if written is None:
        # Compressing lets other work go on meanwhile only in another thread.
        written = await asyncio.to_thread(write_replay, replay)
    named = {"Content-Disposition": f'attachment; filename="{rid}.fairdeal"'}
    return web.Response(body=written, content_type="application/octet-stream", headers=named)


async def verify_record(request: web.Request) -> web.Response:
    """`POST /api/verify`: what `fairdeal verify` says about a replay file, in either form."""
    request.app[CALLERS].check("verify", address(request))
    as_json = request.content_type == "application/json"
    body = await body_of(request, JSON_BYTES if as_json else RECORD_BYTES)
    async with request.app[VERIFYING]:
        return json_of(await asyncio.to_thread(_verdict, body, as_json))


def _verdict(body: bytes, as_json: bool) -> Verdict:
    if not as_json:
        return verify(body)
    try:
        replay: Replay = from_json(body)
    except ReplayError as fault:
        return Verdict(False, place=fault.place, fault=fault.fault)
    return verify_replay(replay)
