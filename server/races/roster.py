"""The bots that workers have made known, and whether a race card may ask for them."""

from __future__ import annotations

from typing import cast

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from engine.race.card import BotWish, RaceCard, RaceCardError, ghost_of
from engine.roster import ROSTER, OfferedBot, unpack_roster
from server.store.connect import StoreUnavailable

__all__ = ["Roster"]

log = structlog.get_logger("races")


class Roster:
    """The bots to be had on this server; empty until a worker has been here."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    async def bots(self) -> tuple[OfferedBot, ...]:
        """Return them in the workers' order. Raises StoreUnavailable."""
        try:
            packed = cast(bytes | None, await self._client.get(ROSTER))
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault
        try:
            return () if packed is None else unpack_roster(packed)
        except ValueError as fault:
            log.error("roster not understood", fault=str(fault))
            return ()

    async def check(self, card: RaceCard) -> None:
        """Refuse a card whose bots are not to be had for its race. Raises RaceCardError, StoreUnavailable.

        Where no worker has said yet which bots there are, the card is taken as it is: they may be on their way.
        """
        wishes = [wish for wish in card.bots if ghost_of(wish.bot) is None]
        bots = {bot.name: bot for bot in await self.bots()} if wishes else {}
        for wish in wishes if bots else ():
            _check(wish, bots, card)

    async def like(self, game: str, rating: int) -> OfferedBot | None:
        """Return the fair bot that is nearest to a rating in a game; None if none is rated. Raises StoreUnavailable."""
        rated = [
            (abs(known - rating), bot.name, bot)
            for bot in await self.bots()
            if bot.mode == "fair" and game[:2] in bot.games and (known := bot.rating(game)) is not None
        ]
        return min(rated)[2] if rated else None


def _check(wish: BotWish, bots: dict[str, OfferedBot], card: RaceCard) -> None:
    game = card.game[:2]
    playing = ", ".join(bot.name for bot in bots.values() if game in bot.games)
    bot = bots.get(wish.bot)
    if bot is None:
        raise RaceCardError("bots", f"expected one of {playing}, found {wish.bot!r}")
    if game not in bot.games:
        raise RaceCardError("bots", f"expected a bot that plays {game} ({playing}), found {wish.bot!r}")
    if bot.mode == "oracle" and (card.sealed or card.rated):
        raise RaceCardError("bots", f"{wish.bot} is given the whole deal: it races open deals only, unrated")
