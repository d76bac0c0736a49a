"""Why the server closes a socket; each code has its retry rule in server/README.md."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Closing"]


class Closing(IntEnum):
    """Close codes (protocol.md, "Errors")."""

    GOING_AWAY = 1001
    POLICY = 1008
    FAULT = 1011
    RESTART = 1012
    PROTOCOL = 4400
    AUTH = 4401
    FORBIDDEN = 4403
    TOO_SLOW = 4408
    TAKEN_OVER = 4409
    RACE_GONE = 4410
    VERSION = 4426
    RATE = 4429
