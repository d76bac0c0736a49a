"""Calls about one's own account: a name to oneself, a link for another device, signing out everywhere."""

from __future__ import annotations

from typing import Annotated, Any, Final

from aiohttp import web
from msgspec import Meta, Struct
from msgspec.structs import replace
from redis.exceptions import RedisError

from engine.names import shown_name
from engine.refusals import ErrorCode
from server.http.calls import CALLERS, TABLES, TOKENS, address, link_base, player, read_json
from server.http.errors import CallRefused, json_of
from server.http.players import SPELT_LENGTH
from server.players import NAME_LENGTH, Player, TokenRefused, given_out
from server.store.accounts import LINK_KEPT_S, Account, NameTaken
from server.store.connect import StoreUnavailable
from server.store.rulings import Act, Ruling

__all__ = ["claim_account", "link_account", "show_account", "sign_out", "use_link"]


CLOCKS_APART_MS: Final = 1_000
"""How far the clocks by which nodes date tokens may be apart: a sign-out ends tokens of that much later, too."""


class Claimed(Struct, frozen=True):
    """The name that a player wants; unless given, the one that the token has."""

    name: Annotated[str, Meta(max_length=SPELT_LENGTH)] | None = None


class Link(Struct, frozen=True):
    """The secret of a one-time link."""

    link: Annotated[str, Meta(max_length=200)]


async def show_account(request: web.Request) -> web.Response:
    """`GET /api/account`: who the token's player is, what the token is good for, whether the name is claimed."""
    known = player(request)
    return json_of(_shown(known, await _account_of(request, known)))


async def claim_account(request: web.Request) -> web.Response:
    """`POST /api/account` `{name?}`: the player's name is the player's alone from here on, and races may be rated."""
    known = player(request)
    request.app[CALLERS].check("account", known.id)
    wanted = await read_json(request, Claimed) if request.can_read_body else Claimed()
    name = shown_name(wanted.name if wanted.name is not None else known.name, NAME_LENGTH)
    if not name:
        raise CallRefused(400, ErrorCode.BAD_FRAME, "expected a name, found nothing to be seen", reason="name")
    if given_out(name, [bot.name for bot in await request.app[TABLES].roster.bots()]):
        detail = f"expected a name of one's own, found {name!r}, as guests, ghosts or bots are called: choose another"
        raise CallRefused(400, ErrorCode.BAD_FRAME, detail, reason="name")
    try:
        account = await request.app[TABLES].records.accounts.claim(known.id, name)
    except NameTaken as taken:
        raise CallRefused(409, ErrorCode.FORBIDDEN, str(taken), reason="name") from None
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(str(fault)) from fault
    named = replace(known, name=account.name)
    return json_of({**_shown(named, account), "token": request.app[TOKENS].sign(named)})


async def link_account(request: web.Request) -> web.Response:
    """`POST /api/account/link`: a link that lets in once, on another device, as this player."""
    known, base = player(request), link_base(request)
    request.app[CALLERS].check("account", known.id)
    account = await _account_of(request, known)
    named = known if account is None else replace(known, name=account.name)
    try:
        secret = await request.app[TABLES].records.accounts.make_link(request.app[TOKENS].sign(named))
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(str(fault)) from fault
    # Behind the #, so that it is in no server's log and no Referer.
    return json_of({"link": secret, "url": f"{base}/#link={secret}", "expires_s": LINK_KEPT_S}, 201)


async def use_link(request: web.Request) -> web.Response:
    """`POST /api/account/token` `{link}`: the token of the player who made the link, once."""
    request.app[CALLERS].check("link", address(request))
    wanted = await read_json(request, Link)
    tokens = request.app[TOKENS]
    try:
        token = await request.app[TABLES].records.accounts.use_link(wanted.link)
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(str(fault)) from fault
    try:
        known = tokens.read(token or "")
    except TokenRefused:
        raise CallRefused(
            403, ErrorCode.FORBIDDEN, "expected a link that was not used yet and is not too old", reason="link"
        ) from None
    return json_of({"player": known.id, "name": known.name, "token": tokens.sign(known)})


async def sign_out(request: web.Request) -> web.Response:
    """`POST /api/account/sign_out`: no token of this player counts any more but the new one in the answer."""
    known = player(request)
    request.app[CALLERS].check("account", known.id)
    tables = request.app[TABLES]
    before = max(tables.clock.now(), known.issued_at) + CLOCKS_APART_MS
    try:
        ruled = await tables.records.rulings.rule(Ruling(Act.SIGN_OUT, known.id, player=known.id, before=before))
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(str(fault)) from fault
    fresh = replace(known, issued_at=ruled.until + 1)
    return json_of({"player": known.id, "name": known.name, "token": request.app[TOKENS].sign(fresh)})


async def _account_of(request: web.Request, known: Player) -> Account | None:
    try:
        return await request.app[TABLES].records.accounts.account(known.id)
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(str(fault)) from fault


def _shown(known: Player, account: Account | None) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "player": known.id,
        "name": account.name if account is not None else known.name,
        "kind": known.kind,
        "engine": known.engine,
        "scopes": known.scopes,
        "account": account is not None,
    }
    return shown if account is None else {**shown, "since": account.since}
