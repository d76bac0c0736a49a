"""Ghosts that a race card asks for: whether their runs can be raced against, on their own open deal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from engine.race.card import GHOST, Ghost, RaceCard, RaceCardError, ghost_of
from engine.race.model import Race
from engine.solo import UNDO
from server.races.table import Table

__all__ = ["check_ghosts", "on_their_deal"]

Read = Callable[[str], Awaitable[Table]]
"""Opens a race, one without a card where there is none. Raises StoreUnavailable, LogError."""


async def on_their_deal(asked: Mapping[str, Any], read: Read) -> Mapping[str, Any]:
    """Return a card that is asked for with the deal and undo of its first ghost's run, where it names none itself.

    Raises StoreUnavailable, LogError.
    """
    if "code" in asked or "game" in asked or not isinstance(asked.get("bots"), list):
        return asked
    for wish in asked["bots"]:
        match wish:
            case {"bot": name, "race": str(rid)} if name == GHOST.rstrip(":"):
                race = (await read(rid)).race
                if race.closed and race.card is not None and race.code is not None:
                    return {"undo": race.card.undo.value, **asked, "code": str(race.code)}
            case _:
                continue
    return asked


async def check_ghosts(card: RaceCard, read: Read) -> None:
    """Refuse a card whose ghosts have no such run, or not on its deal. Raises RaceCardError and what `read` does."""
    for wish in card.bots:
        ghost = ghost_of(wish.bot)
        if ghost is not None:
            _check(card, ghost, (await read(ghost.race)).race)


def _check(card: RaceCard, ghost: Ghost, race: Race) -> None:
    seat = race.seats.get(ghost.seat)
    if race.card is None or not race.closed or race.voided is not None or race.code is None or seat is None:
        raise RaceCardError("bots", f"expected a race that has been finished and a seat in it, found {ghost}")
    if race.card.sealed:
        raise RaceCardError("bots", f"expected a run on an open deal, found one on a sealed deal: {ghost}")
    if card.code != str(race.code):
        raise RaceCardError("code", f"expected {race.code}, the deal of {ghost}, found {card.code or card.game}")
    if card.undo is not race.card.undo and UNDO in seat.words:
        raise RaceCardError("undo", f"expected {race.card.undo.value}, as {ghost} played, found {card.undo.value}")
