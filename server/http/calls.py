"""What every call needs: who calls, how often, and what is in the body."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final, TypeVar

import msgspec
from aiohttp import web

from engine.misfit import UNREADABLE, misfit
from engine.refusals import ErrorCode
from server.address import origin_of
from server.http.errors import CallRefused
from server.live.limits import Bucket, Rate
from server.players import Banned, Player, Scope, TokenRefused, Tokens
from server.races.tables import Tables
from server.settings import Settings

__all__ = [
    "CALLERS",
    "RATES",
    "SETTINGS",
    "TABLES",
    "TOKENS",
    "Callers",
    "JsonObject",
    "address",
    "body_of",
    "caller",
    "link_base",
    "player",
    "read_json",
    "whole",
]

SETTINGS: Final = web.AppKey("settings", Settings)
TABLES: Final = web.AppKey("tables", Tables)
TOKENS: Final = web.AppKey("tokens", Tokens)
BODY_BYTES: Final = 64 << 10
KNOWN_CALLERS: Final = 10_000

T = TypeVar("T")
JsonObject = dict[str, Any]
"""A JSON object whose keys are checked by whoever takes it."""


class Callers:
    """How often somebody makes a call of one kind; whoever was not seen for longest is forgotten first."""

    def __init__(self, rates: Mapping[str, Rate]) -> None:
        self._rates = rates
        self._buckets: OrderedDict[tuple[str, str], Bucket] = OrderedDict()

    def check(self, kind: str, who: str) -> None:
        """Count a call. Raises CallRefused when there were too many."""
        retry_ms = self._taken(kind, who)
        if retry_ms:
            raise CallRefused(429, ErrorCode.RATE, retry_ms=retry_ms)

    def allows(self, kind: str, who: str) -> bool:
        """Count a call that can do without what is limited; False when there were too many."""
        return not self._taken(kind, who)

    def charge(self, kind: str, who: str, calls: int) -> None:
        """Count a call that was free as so many more: it has turned out to be work for them."""
        self._bucket(kind, who, asyncio.get_running_loop().time()).charge(calls)

    def _taken(self, kind: str, who: str) -> int:
        """Count a call; returns 0, or after how many ms it would be free again."""
        now = asyncio.get_running_loop().time()
        return self._bucket(kind, who, now).take(now)

    def _bucket(self, kind: str, who: str, now: float) -> Bucket:
        bucket = self._buckets.pop((kind, who), None) or Bucket(self._rates[kind], now)
        self._buckets[kind, who] = bucket
        if len(self._buckets) > KNOWN_CALLERS:
            self._buckets.popitem(last=False)
        return bucket


CALLERS: Final = web.AppKey("callers", Callers)
RATES: Final = {
    "players": Rate(2_000, 200),
    "account": Rate(60, 1),
    "link": Rate(60, 1),
    "races": Rate(1_000, 50),
    "read": Rate(4_000, 400),
    "log": Rate(200, 20),
    "verify": Rate(10, 1),
    "positions": Rate(240, 40),
    "analysis": Rate(120, 5),
}
"""The rate of each kind of call; `races`, `account` and `log` by player, all else by address.

A school is behind one address: what its sixty players do at once in a lesson is well within these.
"""


def caller(request: web.Request) -> Player | None:
    """Return who calls, by the bearer token; None without one. Raises CallRefused for a token that is not ours."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if not scheme:
        return None
    if scheme.lower() != "bearer":
        raise CallRefused(401, ErrorCode.AUTH, "expected Authorization: Bearer TOKEN", reason="authorization")
    try:
        return request.app[TOKENS].read(token.strip())
    except Banned as banned:
        raise CallRefused(403, ErrorCode.FORBIDDEN, str(banned), reason="banned") from None
    except TokenRefused as refused:
        raise CallRefused(401, ErrorCode.AUTH, str(refused), reason="authorization") from None


def player(request: web.Request, scope: Scope | None = None) -> Player:
    """Return who calls. Raises CallRefused without a token, or with one that is not good for what is asked."""
    known = caller(request)
    if known is None:
        raise CallRefused(401, ErrorCode.AUTH, "expected Authorization: Bearer TOKEN", reason="authorization")
    if scope is not None and scope not in known.scopes:
        raise CallRefused(403, ErrorCode.FORBIDDEN, f"expected a token with scope {scope.value}", reason="scope")
    return known


def address(request: web.Request) -> str:
    """Return where a call comes from, behind as many proxies as the settings trust."""
    return origin_of(request.remote, request.headers.getall("X-Forwarded-For", []), request.app[SETTINGS].proxy_hops)


def link_base(request: web.Request) -> str:
    """Return what links begin with: the settings' address, else the one that was called. Raises CallRefused."""
    public_url = request.app[SETTINGS].public_url
    try:
        return (public_url or str(request.url.origin())).rstrip("/")
    except ValueError as fault:
        raise CallRefused(
            400, ErrorCode.BAD_FRAME, f"Host: expected a name and a port: {fault}", reason="Host"
        ) from None


async def body_of(request: web.Request, limit: int = BODY_BYTES) -> bytes:
    """Return the body. Raises CallRefused where it is longer than the limit (bytes) or takes too long."""
    body, wait_ms = bytearray(), request.app[SETTINGS].body_ms
    try:
        async with asyncio.timeout(wait_ms / 1000):
            async for chunk in request.content.iter_chunked(16 << 10):
                body += chunk
                if len(body) > limit:
                    raise CallRefused(413, ErrorCode.BAD_FRAME, f"expected at most {limit} bytes", reason="body")
    except TimeoutError:
        raise CallRefused(408, ErrorCode.BAD_FRAME, f"expected a body within {wait_ms} ms", reason="body") from None
    return bytes(body)


async def read_json(request: web.Request, shape: type[T]) -> T:
    """Read the body as JSON of a shape. Raises CallRefused, which names the field at fault."""
    body = await body_of(request)
    try:
        return msgspec.json.decode(body, type=shape)
    except msgspec.ValidationError as fault:
        path, detail = misfit(fault, shape)
        field = path or "body"
        raise CallRefused(400, ErrorCode.BAD_FRAME, f"{field}: {detail}", reason=field) from None
    except UNREADABLE as fault:
        raise CallRefused(400, ErrorCode.BAD_FRAME, f"expected JSON: {fault}", reason="body") from None


def whole(request: web.Request, name: str, default: int, most: int, least: int = 0) -> int:
    """Return a query parameter that is a whole number. Raises CallRefused, which names it."""
    text = request.query.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= 18 and least <= int(text) <= most):
        detail = f"{name}: expected a whole number from {least} to {most}"
        raise CallRefused(400, ErrorCode.BAD_FRAME, detail, reason=name)
    return int(text)
