"""Who comes in: how many sockets an address and a player may have, and as whom a client is greeted."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

import structlog
from msgspec.structs import replace
from redis.exceptions import RedisError

from engine.refusals import Barred, ErrorCode
from engine.wire import inbound
from server.live.closing import Closing
from server.live.limits import Bucket, rate_of_player
from server.players import Banned, Player, TokenRefused, Tokens, guest_name, new_player, renamed
from server.settings import Settings
from server.store.accounts import Accounts
from server.store.challenges import Challenge
from server.store.rulings import Act, Ruling

if TYPE_CHECKING:
    from server.live.session import Session

__all__ = ["VERSION", "Doors", "TurnedAway"]

VERSION: Final = 1
NAME_WITHIN_S: Final = 1.0
"""How long a greeting waits to learn whose a name is; who comes meanwhile keeps the name that the token has."""

log = structlog.get_logger("live")


class TurnedAway(Exception):
    """A client that is not let in: the error that it is told, and the code with which its socket is closed."""

    def __init__(self, code: ErrorCode, closing: Closing, detail: str = "", reason: Barred | None = None) -> None:
        self.code, self.closing, self.detail, self.reason = code, closing, detail, reason
        super().__init__(f"{code.value}: {detail}")


class Doors:
    """Counts the sockets of this node by address and by player, and knows whom to let in."""

    def __init__(self, settings: Settings, tokens: Tokens, accounts: Accounts) -> None:
        self._settings = settings
        self._rate = rate_of_player(settings)
        self._tokens = tokens
        self._accounts = accounts
        self._from: Counter[str] = Counter()
        self._here: dict[str, set[Session]] = {}
        self._buckets: WeakValueDictionary[str, Bucket] = WeakValueDictionary()

    def crowded(self, address: str) -> bool:
        """Tell whether an address has as many sockets here as it may."""
        return self._from[address] >= self._settings.sockets_per_address

    def opened(self, session: Session) -> None:
        """Count a socket."""
        self._from[session.address] += 1

    def shut(self, session: Session) -> None:
        """Count a socket no more."""
        self._from[session.address] -= 1
        if not self._from[session.address]:
            del self._from[session.address]
        here = self._here.get(session.player.id)
        if here is not None:
            here.discard(session)
            if not here:
                del self._here[session.player.id]

    async def player(self, hello: inbound.Hello) -> Player:
        """Return as whom a client is greeted, who has to be `greeted` before anything is awaited. Raises TurnedAway."""
        if hello.v != VERSION:
            raise TurnedAway(ErrorCode.VERSION, Closing.VERSION, f"expected v {VERSION}, found {hello.v}")
        try:
            known = new_player(hello.name) if hello.token is None else self._tokens.read(hello.token)
        except Banned:
            raise TurnedAway(ErrorCode.FORBIDDEN, Closing.FORBIDDEN, reason=Barred.BANNED) from None
        except TokenRefused:
            raise TurnedAway(ErrorCode.AUTH, Closing.AUTH) from None
        self._check_room(known)
        named = await self._named(known, hello.name)
        self._check_room(known)  # Others of the same player may have come in meanwhile.
        return named

    def greeted(self, session: Session) -> Bucket:
        """Know whose a socket is, and return what all of the player's sockets share of their rate."""
        self._here.setdefault(session.player.id, set()).add(session)
        bucket = self._buckets.get(session.player.id)
        if bucket is None:
            bucket = self._buckets[session.player.id] = Bucket(self._rate, asyncio.get_running_loop().time())
        return bucket

    def ruled(self, ruling: Ruling) -> None:
        """Close the sockets of a player whose tokens count no more."""
        if ruling.act not in (Act.BAN, Act.SIGN_OUT):
            return
        code = Closing.FORBIDDEN if ruling.act is Act.BAN else Closing.AUTH
        for session in tuple(self._here.get(ruling.player or "", ())):
            if ruling.act is Act.BAN or session.player.issued_at <= ruling.until:
                session.close(code)

    def challenged(self, challenge: Challenge) -> None:
        """Tell a player of a challenge over all sockets that are here."""
        for session in self._here.get(challenge.player, ()):
            session.challenged(challenge)

    def _check_room(self, known: Player) -> None:
        """Turn away a player who has as many sockets here as one may. Raises TurnedAway."""
        if len(self._here.get(known.id, ())) >= self._settings.sockets_per_player:
            raise TurnedAway(ErrorCode.RATE, Closing.RATE, "this player has too many connections")

    async def _named(self, known: Player, wanted: str | None) -> Player:
        """Return a player under the name that it may have: an account under its own, a guest under nobody else's."""
        named = renamed(known, wanted)
        try:
            async with asyncio.timeout(NAME_WITHIN_S):
                account = await self._accounts.account(known.id)
                if account is not None:
                    return replace(known, name=account.name)
                for name in (named.name, known.name):
                    if not await self._accounts.taken(name, known.id):
                        return replace(known, name=name)
        except (RedisError, OSError, TimeoutError) as fault:
            log.warning("name not looked up", player=known.id, fault=str(fault))
            return known
        return replace(known, name=guest_name())
