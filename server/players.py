"""Players as their tokens say them: nothing about a guest is kept anywhere else."""

from __future__ import annotations

import hashlib
import re
import secrets
from base64 import b32encode
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Final

import msgspec
from itsdangerous import BadData, URLSafeSerializer
from msgspec import Struct

from engine.names import look, shown_name
from engine.race.events import PlayerKind
from server.store.keyring import KeyRing
from server.store.rulings import Rulings

__all__ = [
    "ENGINE_LENGTH",
    "NAME_LENGTH",
    "Banned",
    "Player",
    "Scope",
    "TokenRefused",
    "Tokens",
    "given_out",
    "guest_name",
    "new_player",
    "renamed",
]

NAME_LENGTH: Final = 40
ENGINE_LENGTH: Final = 80
_ID_BYTES: Final = 10
_SALT: Final = "fairdeal player 1"
_GUEST: Final = re.compile(look("Guest") + "[0-9ol]*")
_GHOST: Final = look("Ghost of")


class TokenRefused(Exception):
    """The token does not count: this server's key ring did not sign it, or its player has signed out everywhere."""


class Banned(TokenRefused):
    """The player may do nothing here any more."""


class Scope(StrEnum):
    """What a token is good for beside watching: to play, to offer races, to rule on races and players."""

    PLAY = "play"
    CREATE = "create"
    ADMIN = "admin"


class Player(Struct, frozen=True):
    """Who somebody is: id (16 lower-case base-32 letters), shown name, person or bot, a bot's engine and version.

    With what the token may be used for, and when (ms) it was signed.
    """

    id: str
    name: str
    kind: PlayerKind = "person"
    engine: str | None = None
    scopes: tuple[Scope, ...] = (Scope.PLAY, Scope.CREATE)
    issued_at: int = 0


class Tokens:
    """Signs and reads tokens with the keys of the ring: the current one signs, those before it are still read.

    `now` (ms) dates what is signed; `rulings` say whose tokens count no more.
    """

    def __init__(self, ring: KeyRing, now: Callable[[], int] = lambda: 0, rulings: Rulings | None = None) -> None:
        self._now = now
        self._rulings = rulings
        older = [key for kid, key in ring.keys.items() if kid != ring.current]
        self._serializer = URLSafeSerializer(
            [*older, ring.keys[ring.current]],
            salt=_SALT,
            signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256},
        )

    def sign(self, player: Player) -> str:
        """Return the bearer token of a player, for HTTP and WebSocket; the inverse of `read`.

        Its date is never before that of the token which the player was read from.
        """
        dated = msgspec.structs.replace(player, issued_at=max(self._now(), player.issued_at))
        return str(self._serializer.dumps(msgspec.to_builtins(dated)))

    def read(self, token: str) -> Player:
        """Return whose token it is. Raises TokenRefused, Banned."""
        try:
            player = msgspec.convert(self._serializer.loads(token), Player)
        except (BadData, msgspec.ValidationError, ValueError):
            raise TokenRefused("expected a token that this server signed, found another text") from None
        if self._rulings is not None:
            self.check(player, self._rulings)
        return player

    @staticmethod
    def check(player: Player, rulings: Rulings) -> None:
        """See that a player's token still counts. Raises TokenRefused, Banned."""
        if rulings.banned(player.id):
            raise Banned("this player has been banned")
        if rulings.signed_out(player.id, player.issued_at):
            raise TokenRefused("expected a token from after the player signed out everywhere, found an older one")


def guest_name() -> str:
    """Return a name for somebody who has none: it has four digits, and nobody can claim one of its kind."""
    return f"Guest {1000 + secrets.randbelow(9000)}"


def given_out(name: str, bots: Iterable[str]) -> bool:
    """Tell whether a name is, or looks like, one that guests, ghosts or these bots are given.

    Were it somebody's own, the bot could sit down nowhere.
    """
    seen = look(name)
    return _GUEST.fullmatch(seen) is not None or seen.startswith(_GHOST) or seen in map(look, bots)


def new_player(name: str | None = None, kind: PlayerKind = "person", engine: str | None = None) -> Player:
    """Make a guest; without a name that can be seen it gets one with four digits."""
    number = b32encode(secrets.token_bytes(_ID_BYTES)).decode().lower()
    shown = shown_name(name or "", NAME_LENGTH) or guest_name()
    return Player(number, shown, kind, shown_name(engine or "", ENGINE_LENGTH) or None)


def renamed(player: Player, name: str | None) -> Player:
    """Return the player under another name, or as before where the name has nothing to be seen."""
    return msgspec.structs.replace(player, name=shown_name(name or "", NAME_LENGTH) or player.name)
