"""A seat that wants a bot, as it stands in the stream from which the workers take their seats."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

__all__ = ["GROUP", "STREAM", "WISH_FIELD", "SeatWish", "pack_wish", "seat_token", "unpack_wish"]

STREAM: Final = "wanted:bots"
"""The Redis stream of wishes; `GROUP` is its consumer group, and `WISH_FIELD` holds the packed wish."""
GROUP: Final = "workers"
WISH_FIELD: Final = b"w"


class SeatWish(Struct, frozen=True, omit_defaults=True):
    """A seat in a race of a game (its letters) that wants a bot of the roster, and its pace if not the bot's own.

    The pace is in moves per second. `owner` is who asked for it: workers see to it that each gets some.
    """

    rid: str
    game: str
    bot: str
    pace: float | None = None
    owner: str = ""


def pack_wish(wish: SeatWish) -> bytes:
    """Pack a wish; the inverse of `unpack_wish`."""
    return msgspec.msgpack.encode(wish)


def unpack_wish(packed: bytes) -> SeatWish:
    """Read a wish. Raises ValueError where it is none."""
    return msgspec.msgpack.decode(packed, type=SeatWish)


def seat_token(wish_id: str) -> str:
    """Return the key of the token with which a wish's seat is played, so that whoever takes it over can play on.

    In a cluster it is beside the stream: the braces hold the whole of the stream's name.
    """
    return f"{{{STREAM}}}:token:{wish_id}"
