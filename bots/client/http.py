"""The calls of the server's HTTP interface that a player needs (protocol.md, "HTTP")."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Literal, TypeVar

import aiohttp
import msgspec
from msgspec import Struct

from bots.client.faults import Refused, ServerUnreachable
from engine.misfit import UNREADABLE
from engine.wire.outbound import Ev, Skip

__all__ = ["Http", "Player"]

T = TypeVar("T")


class Player(Struct, frozen=True):
    """A guest of the server, and the token by which it is known."""

    player: str
    name: str
    token: str


class _Created(Struct):
    race: str


class Http:
    """Calls to one server, in the name of the player of `token` where there is one.

    Every call raises Refused where the server says no, and ServerUnreachable where nobody answers, or something else.
    """

    def __init__(self, session: aiohttp.ClientSession, server: str, token: str | None = None) -> None:
        self._session = session
        self._server = server.rstrip("/")
        self.token = token

    async def new_player(
        self, name: str | None = None, kind: Literal["person", "bot"] = "person", engine: str | None = None
    ) -> Player:
        """Become a guest; `engine` says what a bot runs on."""
        asked = {"name": name, "kind": kind, "engine": engine}
        answer = await self._call("POST", "/api/players", {key: value for key, value in asked.items() if value})
        return self._read(answer, Player)

    async def create_race(self, card: Mapping[str, Any], idempotency_key: str | None = None) -> str:
        """Offer a race by its card and return its id; a repeat with the same key gives the same race."""
        return await self._offer("/api/races", card, idempotency_key)

    async def challenge(self, player: str, card: Mapping[str, Any], idempotency_key: str | None = None) -> str:
        """Challenge a player to a race of this card and return its id: the same for the same key."""
        return await self._offer(f"/api/players/{player}/challenge", card, idempotency_key)

    async def claim(self, name: str | None = None) -> str:
        """Claim a name, the player's own unless given, and return the token that bears it."""
        answer = await self._call("POST", "/api/account", {} if name is None else {"name": name})
        return self._read(answer, Player).token

    async def race(self, rid: str) -> dict[str, Any]:
        """Return what may be known of a race."""
        return self._read(await self._call("GET", f"/api/races/{rid}"), dict[str, Any])

    async def events(self, rid: str, after: int = 0) -> list[Ev | Skip]:
        """Return a race's log after a seq, as far as this player may see it now."""
        lines = await self._call("GET", f"/api/races/{rid}/events?after={after}")
        return [self._read(line, _LINE) for line in lines.splitlines()]

    async def record(self, rid: str) -> bytes:
        """Return the replay file of a finished race."""
        return await self._call("GET", f"/api/races/{rid}/record")

    async def _offer(self, path: str, card: Mapping[str, Any], idempotency_key: str | None) -> str:
        key = idempotency_key or secrets.token_hex(16)
        answer = await self._call("POST", path, card, {"Idempotency-Key": key})
        return self._read(answer, _Created).race

    async def _call(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
    ) -> bytes:
        sent = dict(headers or {})
        if self.token is not None:
            sent["Authorization"] = f"Bearer {self.token}"
        try:
            async with self._session.request(method, self._server + path, json=body, headers=sent) as answer:
                content = await answer.read()
                if answer.status >= 400:
                    raise _refused(answer.status, content)
                return content
        except (aiohttp.ClientError, TimeoutError) as error:
            raise ServerUnreachable(self._server, str(error) or type(error).__name__) from error

    def _read(self, content: bytes, shape: type[T]) -> T:
        """Read an answer that a server of ours would have given."""
        try:
            return msgspec.json.decode(content, type=shape)
        except UNREADABLE as error:
            raise ServerUnreachable(self._server, f"something else that answers ({error})") from error


_LINE: Any = Ev | Skip


class _Fault(Struct):
    code: str
    message: str | None = None
    reason: str | None = None
    retry_ms: int | None = None


def _refused(status: int, content: bytes) -> Refused:
    try:
        fault = msgspec.json.decode(content, type=_Fault)
    except UNREADABLE:
        return Refused(f"http_{status}", content[:200].decode(errors="replace"))
    return Refused(fault.code, fault.message, reason=fault.reason, retry_ms=fault.retry_ms)
