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
    "over": "It is too late for this.",
    "stale_lane": "The number of this move does not follow your last one.",
    "illegal": "This move cannot be played.",
    "rate": "Too fast; please wait a moment.",
    "busy": "The server is busy; please try again.",
    "unavailable": "The outcome is not known yet; please send the same again.",
    "version": "This version is not spoken here.",
    "unknown_race": "There is no such race.",
    "unknown_code": "This is not a game code.",
    "forbidden": "You may not do this.",
    "not_yours": "Only whoever offered the race may do this.",
    "starts_by_itself": "This race starts when all seats are ready.",
    "nobody_seated": "Nobody has taken a seat yet.",
    "awaited": "Somebody whom this race is for has not come yet.",
    "daily": "The deal of the day is for one player alone, and cannot be called off.",
    "watch_off": "This race may not be watched.",
    "seat_open": "You are racing here: you may watch when your own game has ended.",
    "not_over": "The race is not over yet.",
    "voided": "This race does not count.",
    "no_hints": "There are hints in unrated races of one seat only.",
    "scope": "You are signed in for watching only.",
    "banned": "This player has been banned.",
}
