"""Players as their tokens say them: nothing about a guest is kept anywhere else."""

from __future__ import annotations

import hashlib
import secrets
from base64 import b32encode
from typing import Final

import msgspec
from itsdangerous import BadData, URLSafeSerializer
from msgspec import Struct

from engine.names import shown_name
from engine.race.events import PlayerKind
from server.store.keyring import KeyRing

__all__ = ["ENGINE_LENGTH", "NAME_LENGTH", "Player", "TokenRefused", "Tokens", "new_player", "renamed"]

NAME_LENGTH: Final = 40
ENGINE_LENGTH: Final = 80
_ID_BYTES: Final = 10
_SALT: Final = "fairdeal player 1"


class TokenRefused(Exception):
    """The token was not signed by this server's key ring: ask for a new one with POST /api/players."""


class Player(Struct, frozen=True):
    """Who somebody is: id (16 lower-case base-32 letters), shown name, person or bot, a bot's engine and version."""

    id: str
    name: str
    kind: PlayerKind = "person"
    engine: str | None = None


class Tokens:
    """Signs and reads tokens with the keys of the ring: the current one signs, those before it are still read."""

    def __init__(self, ring: KeyRing) -> None:
        older = [key for kid, key in ring.keys.items() if kid != ring.current]
        self._serializer = URLSafeSerializer(
            [*older, ring.keys[ring.current]],
            salt=_SALT,
            signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256},
        )

    def sign(self, player: Player) -> str:
        """Return the bearer token of a player, for HTTP and WebSocket; the inverse of `read`."""
        return str(self._serializer.dumps(msgspec.to_builtins(player)))

    def read(self, token: str) -> Player:
        """Return whose token it is. Raises TokenRefused."""
        try:
            return msgspec.convert(self._serializer.loads(token), Player)
        except (BadData, msgspec.ValidationError, ValueError):
            raise TokenRefused("expected a token that this server signed, found another text") from None


def new_player(name: str | None = None, kind: PlayerKind = "person", engine: str | None = None) -> Player:
    """Make a guest; without a name that can be seen it gets one with four digits."""
    number = b32encode(secrets.token_bytes(_ID_BYTES)).decode().lower()
    shown = shown_name(name or "", NAME_LENGTH) or f"Guest {1000 + secrets.randbelow(9000)}"
    return Player(number, shown, kind, shown_name(engine or "", ENGINE_LENGTH) or None)


def renamed(player: Player, name: str | None) -> Player:
    """Return the player under another name, or as before where the name has nothing to be seen."""
    return msgspec.structs.replace(player, name=shown_name(name or "", NAME_LENGTH) or player.name)
