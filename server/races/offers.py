"""Races offered from this node: each made once, however often it is asked for, and its bots asked for once."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Final

from redis.exceptions import RedisError

from engine.codes import ALPHABET, OPEN_LETTERS
from engine.race.card import RaceCard
from engine.race.commands import Create
from engine.race.events import Chain, Created, Kept
from engine.race.model import Race
from engine.secrets import created_rid
from engine.wish import SeatWish
from server.races.hiring import Hiring
from server.races.secrets import RaceSecrets
from server.races.table import Table
from server.settings import Settings
from server.store.connect import StoreUnavailable
from server.store.stock import Stock, StockEmpty
from server.store.wanted import WantedBots

__all__ = ["Offers", "random_number"]

NONCE_BYTES: Final = 16


def random_number() -> str:
    """Return the number part of a fresh seven-letter code."""
    return "".join(secrets.choice(ALPHABET) for _ in range(OPEN_LETTERS))


class Offers:
    """Makes races and asks for their bots.

    `fresh` opens a race, folded to the tail of its log; `look_up` does the same and keeps no table of one that is not.
    """

    def __init__(
        self,
        settings: Settings,
        race_secrets: RaceSecrets,
        stock: Stock,
        hiring: Hiring,
        wanted: WantedBots,
        fresh: Callable[[str], Awaitable[Table]],
        look_up: Callable[[str], Awaitable[Table]],
    ) -> None:
        self._settings = settings
        self._secrets = race_secrets
        self._ring = race_secrets.ring
        self._stock = stock
        self._hiring = hiring
        self._wanted = wanted
        self._fresh = fresh
        self._look_up = look_up

    def rid(self, creator: str, idempotency_key: str) -> str:
        """Return the id of the race that a player creates with a key, whether it is there or not."""
        return created_rid(self._ring.rid_key, creator, idempotency_key)

    async def create(
        self,
        card: RaceCard,
        creator: str,
        idempotency_key: str,
        address: str = "",
        kept: tuple[Kept, ...] = (),
        no_show_ms: int | None = None,
    ) -> Table:
        """Return the race that this player creates with this key: the same for the same key, for ever.

        Its bots are asked for once; they count for the address, too. Seats that are kept are so for `no_show_ms`, that
        of the settings unless given. Raises TooManyBots, StoreUnavailable, LogError.
        """
        rid = self.rid(creator, idempotency_key)
        hired = None
        if card.bots and (await self._look_up(rid)).race.card is None:
            hired = await self._hiring.hire(rid, card, creator, address)
        try:
            table = await self.offer(rid, card, creator, kept, no_show_ms=no_show_ms)
        except StockEmpty:
            if hired is not None:
                await self._hiring.give_back(hired)
            raise
        if hired is not None and table.race.closed:
            # Somebody else has made it meanwhile, and it was over before its bots were counted here.
            await self._hiring.free(rid, card)
        return table

    async def offer(
        self,
        rid: str,
        card: RaceCard,
        creator: str,
        kept: tuple[Kept, ...] = (),
        chain: Chain | None = None,
        daily: int | None = None,
        no_show_ms: int | None = None,
    ) -> Table:
        """Return the race with that id, offered on these terms if there was none, its bots asked for once.

        Raises StoreUnavailable, LogError.
        """
        table = await self._fresh(rid)
        if table.race.card is None:
            if card.bots and chain is not None:
                await self._hiring.hire_again(rid, card, creator)
            nonce = secrets.token_bytes(NONCE_BYTES).hex()
            kid, stock = self._ring.current, None
            if card.winnable:
                proved = await self._stock.take(card.game, card.sealed, self._ring.keys)
                kid, stock = proved.kid, proved.number
            created = Created(rid, card, creator, nonce, kid, stock=stock, daily=daily)
            opening, number = self._secrets.opening(created), random_number()
            if stock is not None and opening.number is not None:
                number = opening.number[-OPEN_LETTERS:]
            settings = self._settings
            create = Create(
                card,
                creator,
                nonce,
                kid,
                self._secrets.commitment(rid, card, opening),
                settings.absence_end_ms,
                settings.no_show_ms if no_show_ms is None else no_show_ms,
                kept,
                chain,
                number,
                settings.series_delay_ms,
                stock,
                daily,
            )
            answer = await table.ask(create)
            if not answer.ok:
                raise StoreUnavailable("the outcome of creating a race is not known")
        await self.ask_for_bots(table.race)
        return table

    async def ask_for_bots(self, race: Race) -> None:
        """Ask for the bots of an open race, once however often this is called. Raises StoreUnavailable."""
        if race.card is None or race.started or race.ended:
            return
        try:
            game = race.card.game[:2]
            owner = race.creator or race.id
            wishes = [SeatWish(race.id, game, one.bot, one.pace, owner) for one in race.card.bots]
            await self._wanted.ask_once(race.id, wishes)
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault
