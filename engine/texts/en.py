"""English: refusals of moves, then answers to commands."""

from __future__ import annotations

from typing import Final

TEXTS: Final = {
    "bad_move": "This is not a move of the game.",
    "nothing_to_undo": "There is nothing to undo.",
    "game_over": "The game is over.",
    "no_moves": "No more possible moves",
    "stock_empty": "The stock is empty.",
    "draw_not_allowed": "You may draw only when no card can be removed.",
    "column_empty": "There is no card there.",
    "blocked": "This card is blocked",
    "not_adjacent": "It must be one rank higher or lower",
    "bad_frame": "The message cannot be read.",
    "auth": "Please sign in again.",
    "not_seated": "You have no seat in this race.",
    "full": "All seats are taken.",
    "not_started": "The race has not started yet.",
    "over": "This is over already.",
    "stale_lane": "The number of this move does not follow your last one.",
    "illegal": "This move cannot be played.",
    "rate": "Too fast; please wait a moment.",
    "busy": "The server is busy; please try again.",
    "unavailable": "The outcome is not known yet; please send the same again.",
    "version": "This version is not spoken here.",
    "unknown_race": "There is no such race.",
    "unknown_code": "This is not a game code.",
    "forbidden": "You may not do this.",
}
