"""Calls for admins: rulings on races and players, and all rulings there are."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from aiohttp import web
from msgspec import Meta, Struct
from redis.exceptions import RedisError

from engine.names import shown_name
from engine.race.commands import Void
from engine.race.events import VoidReason
from engine.refusals import ErrorCode
from server.http.calls import TABLES, player, read_json, whole
from server.http.errors import CallRefused, json_of
from server.players import Scope
from server.store.connect import StoreUnavailable
from server.store.rulings import WHY_LENGTH, Act, Ruling

__all__ = ["list_rulings", "rule_on_player", "rule_on_race"]

RACE_ACTS: Final = (Act.VOID, Act.RESTORE, Act.CLOSE)
PLAYER_ACTS: Final = (Act.BAN, Act.UNBAN, Act.SIGN_OUT)
SHOWN: Final = 100
MAX_SHOWN: Final = 1_000


class Decision(Struct, frozen=True):
    """What an admin decides, and why: that is kept for ever. `race` is where a player sits who is not listed."""

    act: Act
    why: Annotated[str, Meta(max_length=WHY_LENGTH)]
    race: Annotated[str, Meta(max_length=200)] | None = None


async def rule_on_race(request: web.Request) -> web.Response:
    """`POST /api/admin/races/{race}` `{act: void|restore|close, why}`.

    `void`: a race that is over counts nowhere; `restore` takes that back; `close` ends one that is not over, void.
    """
    admin = player(request, Scope.ADMIN)
    decision = await _decision(request, RACE_ACTS)
    tables = request.app[TABLES]
    table = await tables.table(request.match_info["race"])
    if (decision.act is Act.CLOSE) is table.race.closed:
        expected = "that is not over" if table.race.closed else "that is over"
        raise CallRefused(409, ErrorCode.FORBIDDEN, f"expected a race {expected}", reason="act")
    ruled = await _rule(request, Ruling(decision.act, admin.id, decision.why, race=table.rid))
    if decision.act is Act.CLOSE:
        answer = await table.ask(Void(VoidReason.RULED))
        if answer.retry_ms is not None:
            raise StoreUnavailable("whether the race is closed is not known")
    await tables.records.record(table.race)
    return json_of(ruled)


async def rule_on_player(request: web.Request) -> web.Response:
    """`POST /api/admin/players/{player}` `{act: ban|unban|sign_out, why, race?}`: all the player's tokens, everywhere.

    Of a guest who has raced in no listed race nothing is known but by a race in which there is a seat.
    """
    admin = player(request, Scope.ADMIN)
    decision = await _decision(request, PLAYER_ACTS)
    tables, whom = request.app[TABLES], request.match_info["player"]
    seated = decision.race is not None and (await tables.table(decision.race)).race.seat_of(whom) is not None
    if not seated and not await tables.records.heard_of(whom):
        raise CallRefused(
            404, ErrorCode.BAD_FRAME, "nobody has heard of this player: name a `race` with the seat", reason="player"
        )
    return json_of(await _rule(request, Ruling(decision.act, admin.id, decision.why, player=whom)))


async def list_rulings(request: web.Request) -> web.Response:
    """`GET /api/admin/rulings?limit=`: what was ruled, by whom and why, the last first."""
    player(request, Scope.ADMIN)
    limit = whole(request, "limit", SHOWN, MAX_SHOWN, 1)
    try:
        rulings = await request.app[TABLES].records.rulings.all(limit)
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(str(fault)) from fault
    return json_of({"rulings": rulings})


async def _decision(request: web.Request, acts: tuple[Act, ...]) -> Decision:
    decision = await read_json(request, Decision)
    if decision.act not in acts:
        raise CallRefused(400, ErrorCode.BAD_FRAME, f"act: expected one of {', '.join(acts)}", reason="act")
    why = shown_name(decision.why, WHY_LENGTH)
    if not why:
        raise CallRefused(400, ErrorCode.BAD_FRAME, "why: expected a reason that can be read", reason="why")
    return msgspec.structs.replace(decision, why=why)


async def _rule(request: web.Request, ruling: Ruling) -> Ruling:
    try:
        return await request.app[TABLES].records.rulings.rule(ruling)
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(str(fault)) from fault
