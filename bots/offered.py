"""The roster as a server may offer it: what each bot is called, plays and is rated."""

from __future__ import annotations

from bots.ratings import POOLS
from bots.roster import ROSTER
from engine.roster import OfferedBot

__all__ = ["offered"]


def offered() -> tuple[OfferedBot, ...]:
    """Return what a worker of this roster plays, in the roster's order."""
    return tuple(
        OfferedBot(
            bot.name,
            bot.description,
            bot.games,
            bot.mode,
            {pool: rating for pool in POOLS if pool[:2] in bot.games and (rating := bot.rating(pool)) is not None},
        )
        for bot in ROSTER.values()
    )
