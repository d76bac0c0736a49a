"""Accounts: players who have claimed a name of their own, and the one-time links that let them in elsewhere."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Final, cast

from msgspec import Struct
from redis.asyncio import Redis

from engine.names import look
from server.store import keys
from server.store.batch import Write

__all__ = ["LINK_KEPT_S", "Account", "Accounts", "NameTaken"]

LINK_KEPT_S: Final = 600
"""How long a one-time link may be used."""
LINK_BYTES: Final = 16

# ARGV: player, look, name. The first claim's time stays whatever the player is called later.
_CLAIM: Final = """
local holder = redis.call('HGET', KEYS[2], ARGV[2])
if holder and holder ~= ARGV[1] then
  return 0
end
local clock = redis.call('TIME')
local since = string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000))
local old = redis.call('HGET', KEYS[1], ARGV[1])
if old then
  local old_since, old_look = string.match(old, '^(%d+) (%S+) ')
  since = old_since
  redis.call('HDEL', KEYS[2], old_look)
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], since .. ' ' .. ARGV[2] .. ' ' .. ARGV[3])
return 1
"""


class NameTaken(Exception):
    """The name looks like that of another account."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"expected a name that nobody takes for another account's, found {name!r}: choose another")


class Account(Struct, frozen=True):
    """A player who has claimed a name, and since when (ms): from then on races may be rated."""

    player: str
    name: str
    since: int


class Accounts:
    """The accounts of all nodes. Every call may raise RedisError, those that write StoreUnavailable.

    `write` does so: what is told of it is to last, and no failover may bring back a link that was used.
    """

    def __init__(self, client: Redis, write: Write | None = None) -> None:
        self._client = client
        self._write = write or client.execute_command

    async def claim(self, player: str, name: str) -> Account:
        """Let a player have a name to themselves, the first or another one. Raises NameTaken."""
        names = (keys.ACCOUNTS, keys.ACCOUNT_NAMES)
        if not await self._write("EVAL", _CLAIM, len(names), *names, player, look(name), name):
            raise NameTaken(name)
        account = await self.account(player)
        assert account is not None
        return account

    async def account(self, player: str) -> Account | None:
        """Return a player's account; None for a guest."""
        return (await self.accounts([player])).get(player)

    async def accounts(self, players: Sequence[str]) -> dict[str, Account]:
        """Return the accounts of those who have one, by player."""
        if not players:
            return {}
        found = cast(list[bytes | None], await self._client.hmget(keys.ACCOUNTS, list(players)))
        return {
            player: _account(player, value) for player, value in zip(players, found, strict=True) if value is not None
        }

    async def taken(self, name: str, player: str) -> bool:
        """Tell whether a name would be taken for the name of an account that is not this player's."""
        holder = await self._client.hget(keys.ACCOUNT_NAMES, look(name))
        return holder is not None and cast(bytes, holder).decode() != player

    async def make_link(self, token: str) -> str:
        """Return a secret for which a token is handed out once, within `LINK_KEPT_S`."""
        secret = secrets.token_urlsafe(LINK_BYTES)
        await self._write("SET", keys.account_link(_digest(secret)), token, "EX", LINK_KEPT_S)
        return secret

    async def use_link(self, secret: str) -> str | None:
        """Return the token of a link that was not used yet, and end the link; None for any other text."""
        token = await self._write("GETDEL", keys.account_link(_digest(secret)))
        return None if token is None else cast(bytes, token).decode()


def _account(player: str, value: bytes) -> Account:
    since, _, name = value.decode().split(" ", 2)
    return Account(player, name, int(since))


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
