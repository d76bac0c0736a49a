"""What a page needs to replay a game: the runs of a race that is over, and the positions of a record."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any, Final

import msgspec
from aiohttp import web
from msgspec import Struct

from engine.record import Position, parse_record, positions
from engine.refusals import ErrorCode
from engine.replay.runs import runs_of
from engine.replay.seen import Step
from engine.solo import UndoPolicy
from engine.texts import text_of
from server.http.calls import CALLERS, address, caller, read_json
from server.http.errors import CallRefused, language
from server.http.history import history_of
from server.http.races import shown

__all__ = ["replay_shown", "show_positions", "show_replay"]

MOST_WORDS: Final = 10_000
"""The longest record that is played through: a tenth of a second of work."""
MOST_POSITIONS: Final = 100
"""As many positions a call: some 200 KB before they are compressed."""
PAGES_KEPT: Final = 64
"""Answers kept: whoever steps through a popular game asks for the same ones."""
IN_A_THREAD_BYTES: Final = 16 << 10
"""Longer answers are compressed while other work goes on."""


async def show_replay(request: web.Request) -> web.Response:
    """`GET /api/races/{race}/replay`: the race as it ended, and each seat's operations with times and numbers."""
    history = await history_of(request, caller(request))
    if not history[-1].after.closed:
        raise CallRefused(409, ErrorCode.FORBIDDEN, "expected a race that is over", reason="not_over")
    # The runs of many seats take a while: other races go on meanwhile.
    replay = await asyncio.to_thread(lambda: msgspec.json.encode(replay_shown(history)))
    return _compressed(replay, "public, max-age=60")


def replay_shown(history: list[Step]) -> dict[str, Any]:
    """Return a race that is over as anybody may replay it: what `GET /api/races/{race}` gives, with runs as `seats`."""
    race = history[-1].after
    return {**shown(race, race.at), "seats": msgspec.to_builtins(runs_of(history))}


class _Asked(Struct, frozen=True, rename={"first": "from", "last": "to"}):
    """The positions asked for: those of a record's words `from` to `to`; 0 is the deal."""

    record: str
    first: int = 0
    last: int | None = None
    undo: UndoPolicy = UndoPolicy.FREE


async def show_positions(request: web.Request) -> web.Response:
    """`POST /api/positions` `{record, from?, to?, undo?}`: the boards of a one-line record, word by word.

    Nothing is told that the code does not say: whoever has it can play it through.
    """
    request.app[CALLERS].check("positions", address(request))
    asked = await read_json(request, _Asked)
    if asked.first < 0:
        raise CallRefused(400, ErrorCode.BAD_FRAME, f"from: expected 0 or more, found {asked.first}", reason="from")
    words = len(asked.record.split()) - 1
    if words > MOST_WORDS:
        raise CallRefused(
            400, ErrorCode.BAD_FRAME, f"record: expected at most {MOST_WORDS} words, found {words}", reason="record"
        )
    last = asked.first + MOST_POSITIONS - 1
    if asked.last is not None:
        last = min(last, asked.last)
    page = await asyncio.to_thread(_page, asked.record, asked.first, last, asked.undo, language(request))
    return _compressed(page, "no-store")


@lru_cache(maxsize=PAGES_KEPT)
def _page(line: str, first: int, last: int, undo: UndoPolicy, tongue: str) -> bytes:
    record = parse_record(line)
    found = [_told(one, tongue) for one in positions(record, first, last, undo)]
    return msgspec.json.encode({"code": str(record.code), "of": len(record.words), "positions": found})


def _told(position: Position, tongue: str) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(position)
    if position.refused is not None:
        told["message"] = text_of(position.refused, tongue)
    return told


def _compressed(body: bytes, cache: str) -> web.Response:
    answer = web.Response(
        body=body,
        content_type="application/json",
        headers={"Cache-Control": cache, "Vary": "Accept-Encoding"},
        zlib_executor_size=IN_A_THREAD_BYTES,
    )
    answer.enable_compression()
    return answer
