"""Why a move is refused, and what a board's status can be (rules.md, "Refusals")."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Reason", "Status"]


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


class Status(StrEnum):
    """Where a board stands; only Golf gets stuck."""

    PLAYING = "playing"
    WON = "won"
    STUCK = "stuck"
