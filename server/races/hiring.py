"""How many bots one player, and one address, may have asked for at a time: a worker's places are for all."""

from __future__ import annotations

from typing import Final

import structlog

from engine.race.card import RaceCard
from engine.race.model import OPEN_FOR_MS
from server.address import place_of
from server.settings import Settings
from server.store.connect import StoreUnavailable
from server.store.hired import Hired, HiredBots, TooMany

__all__ = ["Hiring", "TooManyBots"]

RETRY_MS: Final = 10_000
AFTER_MS: Final = 60_000
"""How long after the last moment at which a race may end its bots are counted no more, should nobody say that."""
ANY_NUMBER: Final = 1 << 31

log = structlog.get_logger("races")


class TooManyBots(Exception):
    """Somebody has asked for as many bots as one may, in races that are not over."""

    def __init__(self, whose: str, most: int, hired: int, wanted: int) -> None:
        self.retry_ms = RETRY_MS
        super().__init__(
            f"expected at most {most} seats for bots in all races {whose} that are not over, found {hired} and {wanted}"
            " more: wait until one of them is over, or cancel it"
        )


class Hiring:
    """Counts bots from when a race is offered to its end."""

    def __init__(self, settings: Settings, bots: HiredBots, rid_key: bytes) -> None:
        self._of_player, self._of_address = settings.bots_per_player, settings.bots_per_address
        self._bots = bots
        self._rid_key = rid_key

    async def hire(self, rid: str, card: RaceCard, player: str, address: str) -> Hired:
        """Count the bots of a race that is to be offered. Raises TooManyBots, StoreUnavailable."""
        place = "address:" + place_of(self._rid_key, address)  # No player has an id with a colon.
        most = {player: self._of_player, place: self._of_address}
        hired = await self._bots.hire(rid, len(card.bots), _lasts_ms(card), most)
        if isinstance(hired, TooMany):
            whose = "of yours" if hired.who == player else "from your address"
            raise TooManyBots(whose, most[hired.who], hired.hired, len(card.bots))
        return hired

    async def hire_again(self, rid: str, card: RaceCard, player: str) -> None:
        """Count the bots of a race that follows another: it is refused to nobody. Raises StoreUnavailable."""
        await self._bots.hire(rid, len(card.bots), _lasts_ms(card), {player: ANY_NUMBER})

    async def give_back(self, hired: Hired) -> None:
        """Count the bots of a race no more that was not made, unless somebody else is making it.

        What fails here holds no longer than the race might.
        """
        try:
            await self._bots.give_back(hired)
        except StoreUnavailable as fault:
            log.warning("bots still counted", race=hired.rid, fault=str(fault))

    async def free(self, rid: str, card: RaceCard) -> None:
        """Count the bots of a race that is over no more; what fails here, as with `give_back`."""
        if card.bots:
            try:
                await self._bots.free(rid, len(card.bots))
            except StoreUnavailable as fault:
                log.warning("bots still counted", race=rid, fault=str(fault))


def _lasts_ms(card: RaceCard) -> int:
    return OPEN_FOR_MS + card.time_limit_s * 1000 + AFTER_MS
