"""Why a move or a command is refused, and what a board's status can be."""

from __future__ import annotations

from enum import StrEnum
from typing import final

__all__ = ["Barred", "ErrorCode", "Reason", "Status"]


@final
class Reason(StrEnum):
    """The reasons of both games; each has a text in every language of `engine.texts`."""

    BAD_MOVE = "bad_move"
    NOTHING_TO_UNDO = "nothing_to_undo"
    GAME_OVER = "game_over"
    NO_MOVES = "no_moves"
    STOCK_EMPTY = "stock_empty"
    DRAW_NOT_ALLOWED = "draw_not_allowed"
    COLUMN_EMPTY = "column_empty"
    BLOCKED = "blocked"
    NOT_ADJACENT = "not_adjacent"
    PILE_EMPTY = "pile_empty"
    SAME_PILE = "same_pile"
    FACE_DOWN = "face_down"
    WRONG_COLOR = "wrong_color"
    WRONG_RANK = "wrong_rank"
    NOT_A_KING = "not_a_king"
    NOT_ON_FOUNDATION = "not_on_foundation"
    STOCK_NOT_EMPTY = "stock_not_empty"
    WASTE_EMPTY = "waste_empty"
    NO_RECYCLING = "no_recycling"


class Barred(StrEnum):
    """Why something is `forbidden`, or `not_started`; each has a text as reasons have."""

    NOT_YOURS = "not_yours"
    STARTS_BY_ITSELF = "starts_by_itself"
    NOBODY_SEATED = "nobody_seated"
    AWAITED = "awaited"
    DAILY = "daily"
    WATCH_OFF = "watch_off"
    SEAT_OPEN = "seat_open"
    NOT_OVER = "not_over"
    VOIDED = "voided"
    NO_HINTS = "no_hints"
    SCOPE = "scope"
    BANNED = "banned"


class Status(StrEnum):
    """Where a board stands; only Golf gets stuck."""

    PLAYING = "playing"
    WON = "won"
    STUCK = "stuck"


class ErrorCode(StrEnum):
    """Why a command or a call is not carried out (protocol.md, "Errors")."""

    BAD_FRAME = "bad_frame"
    AUTH = "auth"
    NOT_SEATED = "not_seated"
    FULL = "full"
    NOT_STARTED = "not_started"
    OVER = "over"
    STALE_LANE = "stale_lane"
    ILLEGAL = "illegal"
    RATE = "rate"
    BUSY = "busy"
    UNAVAILABLE = "unavailable"
    VERSION = "version"
    UNKNOWN_RACE = "unknown_race"
    UNKNOWN_CODE = "unknown_code"
    FORBIDDEN = "forbidden"
