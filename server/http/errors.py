"""Calls that are refused: status, code and a sentence in the caller's language."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
import structlog
from aiohttp import web

from engine.codes import CodeError
from engine.log.entry import LogError
from engine.race.card import RaceCardError
from engine.refusals import Barred, ErrorCode
from engine.texts import DEFAULT_LANGUAGE, LANGUAGES, text_of
from engine.texts.calls import call_text
from engine.texts.codes import code_fault
from server.races.challenges import TooManyChallenges
from server.races.hiring import TooManyBots
from server.races.lobby import LobbyCursorError
from server.races.tables import UnknownRace
from server.store.connect import RETRY_MS, StoreUnavailable
from server.store.stock import StockEmpty

__all__ = ["STATUS", "CallRefused", "errors", "json_of", "language"]

STATUS: Final = {
    ErrorCode.BAD_FRAME: 400,
    ErrorCode.VERSION: 400,
    ErrorCode.ILLEGAL: 400,
    ErrorCode.AUTH: 401,
    ErrorCode.FORBIDDEN: 403,
    ErrorCode.NOT_SEATED: 403,
    ErrorCode.UNKNOWN_RACE: 404,
    ErrorCode.UNKNOWN_CODE: 404,
    ErrorCode.FULL: 409,
    ErrorCode.NOT_STARTED: 409,
    ErrorCode.OVER: 409,
    ErrorCode.STALE_LANE: 409,
    ErrorCode.RATE: 429,
    ErrorCode.BUSY: 503,
    ErrorCode.UNAVAILABLE: 503,
}
"""The HTTP status of each code."""

BARRED: Final = {reason.value: reason for reason in Barred}
"""Reasons that a command and a call may both be refused for: their texts are those of commands."""
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_WEIGHTED: Final = re.compile(r"([A-Za-z*][A-Za-z0-9-]*)\s*(?:;\s*q\s*=\s*([0-9.]+))?")
"""A language and its weight; no two runs of spaces touch, which would cost the square of their length."""

log = structlog.get_logger("http")


class CallRefused(Exception):
    """A call that is not carried out; `reason` names the field or fact at fault.

    `detail` says it in English; what is wrong with a code is said in any language.
    """

    def __init__(
        self,
        status: int,
        code: ErrorCode,
        detail: str | CodeError = "",
        *,
        reason: str | None = None,
        retry_ms: int | None = None,
    ) -> None:
        self.status, self.code, self.detail, self.reason, self.retry_ms = status, code, detail, reason, retry_ms
        super().__init__(f"{status} {code.value}: {detail}")


def language(request: web.BaseRequest) -> str:
    """Return the language that the caller prefers (Accept-Language) among those we speak."""
    weighted: list[tuple[float, str]] = []
    for part in request.headers.get("Accept-Language", "").split(","):
        match = _WEIGHTED.fullmatch(part.strip())
        if match:
            primary = match[1].split("-")[0].lower()
            try:
                weight = float(match[2] or 1)
            except ValueError:
                continue
            if primary in LANGUAGES and weight > 0:
                weighted.append((-weight, primary))
    return min(weighted, key=lambda one: one[0])[1] if weighted else DEFAULT_LANGUAGE


def json_of(value: object, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """Return a JSON answer that no cache keeps."""
    return web.Response(
        body=msgspec.json.encode(value),
        status=status,
        content_type="application/json",
        headers={"Cache-Control": "no-store", **(headers or {})},
    )


@web.middleware
async def errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turn whatever a call raises into its answer; what nobody foresaw is logged and told as 503."""
    try:
        return await handler(request)
    except CallRefused as refused:
        return _answer(request, refused)
    except web.HTTPException as answer:
        if answer.status < 400:
            raise
        return _answer(request, _from_aiohttp(answer), answer.headers.get("Allow"))
    except Exception as fault:  # noqa: BLE001 - the edge of the server: nothing may pass it as a bare 500.
        return _answer(request, _foreseen(fault, request))


def _foreseen(fault: Exception, request: web.Request) -> CallRefused:
    match fault:
        case UnknownRace():
            return CallRefused(404, ErrorCode.UNKNOWN_RACE)
        case RaceCardError():
            return CallRefused(400, ErrorCode.BAD_FRAME, str(fault), reason=fault.field)
        case CodeError():
            return CallRefused(400, ErrorCode.UNKNOWN_CODE, fault, reason=fault.part.value)
        case LobbyCursorError():
            return CallRefused(400, ErrorCode.BAD_FRAME, str(fault), reason="cursor")
        case TooManyBots():
            return CallRefused(503, ErrorCode.BUSY, str(fault), reason="bots", retry_ms=fault.retry_ms)
        case TooManyChallenges():
            return CallRefused(503, ErrorCode.BUSY, str(fault), reason="challenges", retry_ms=fault.retry_ms)
        case StockEmpty():
            return CallRefused(503, ErrorCode.BUSY, fault.reason, reason="winnable", retry_ms=fault.retry_ms)
        case StoreUnavailable():
            return CallRefused(503, ErrorCode.UNAVAILABLE, retry_ms=fault.retry_ms)
        case LogError():
            log.error("a race cannot be read", path=request.path, fault=str(fault))
        case _:
            log.error("a call failed", path=request.path, exc_info=fault)
    return CallRefused(503, ErrorCode.UNAVAILABLE, retry_ms=RETRY_MS)


def _from_aiohttp(answer: web.HTTPException) -> CallRefused:
    match answer.status:
        case 404:
            return CallRefused(404, ErrorCode.BAD_FRAME, "there is no such call", reason="path")
        case 405:
            return CallRefused(405, ErrorCode.BAD_FRAME, "this call has another method", reason="method")
        case 413:
            return CallRefused(413, ErrorCode.BAD_FRAME, "the body is too long", reason="body")
        case status:
            return CallRefused(status, ErrorCode.BAD_FRAME, answer.text or answer.reason)


def _answer(request: web.Request, refused: CallRefused, allow: str | None = None) -> web.Response:
    body: dict[str, Any] = {"code": refused.code.value, "message": _message(refused, language(request))}
    if refused.reason is not None:
        body["reason"] = refused.reason
    headers = {"Allow": allow} if allow else {}
    if refused.retry_ms is not None:
        body["retry_ms"] = refused.retry_ms
        headers["Retry-After"] = str(-(-refused.retry_ms // 1000))
    return json_of(body, refused.status, headers)


def _message(refused: CallRefused, tongue: str) -> str:
    """Return why a call is refused; in English more of it in brackets, else only where nothing else says it."""
    code, reason, detail = refused.code, refused.reason, refused.detail
    if isinstance(detail, CodeError):
        return f"{text_of(code, tongue)} ({code_fault(detail, tongue)})"
    said = text_of(BARRED[reason], tongue) if reason in BARRED else call_text(code, reason, tongue)
    if said is not None and tongue != DEFAULT_LANGUAGE:
        return said
    text = said or text_of(code, tongue)
    return f"{text} ({detail})" if detail else text
