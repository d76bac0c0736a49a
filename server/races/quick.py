"""Quick races on this node: those who wait here, the rounds in which they are paired, and bots offered meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final, Protocol

import msgspec
import structlog
from msgspec import Struct

from engine.log.entry import LogError
from engine.race.card import BotWish
from engine.race.matching import Pool, Terms, Ticket, card_of, kept_of, pairs, pool_asked_for
from engine.ratings import pool_name
from engine.secrets import created_rid
from server.address import place_of
from server.players import Player
from server.races.chains import Offer
from server.races.clock import Clock
from server.races.roster import Roster
from server.read.ratings import Ratings
from server.settings import Settings
from server.store.connect import StoreUnavailable
from server.store.queue import Match, Queue

__all__ = ["QuickRaces", "Waiter"]

ROUND_S: Final = 1.0
"""How often those who wait are looked at; whoever comes is looked at at once."""

log = structlog.get_logger("quick")


class Waiter(Protocol):
    """A connection of somebody who waits."""

    def matched(self, race: str, bot: str | None) -> None:
        """Take note of a race to join; with a bot it is an offer, and the wait goes on until it is joined."""


class _Waiting(Struct):
    """A ticket, the connections that wait for it here, and the bot's race that was offered last, when (ms)."""

    ticket: Ticket
    waiters: set[Waiter]
    offered: str | None = None
    offered_at: int = 0


class QuickRaces:
    """Those who wait on one node. Any node pairs any two; a race is made from the two tickets, and so once."""

    def __init__(
        self,
        settings: Settings,
        queue: Queue,
        rid_key: bytes,
        clock: Clock,
        roster: Roster,
        ratings: Ratings,
        offer: Offer,
    ) -> None:
        self._terms = Terms(settings.match_window, settings.match_widen_per_s, settings.match_bot_after_ms)
        self._offer_again_ms = settings.match_bot_after_ms + settings.no_show_ms
        self._queue = queue
        self._rid_key = rid_key
        self._clock = clock
        self._roster = roster
        self._ratings = ratings
        self._offer = offer
        self._waiting: dict[str, _Waiting] = {}
        self._left: set[str] = set()
        self._wake = asyncio.Event()

    async def enter(self, waiter: Waiter, player: Player, address: str, pool: Pool) -> bool:
        """Let a connection wait for a race in a pool; False where too many wait. Raises StoreUnavailable."""
        rating = await self._ratings.rating(player.id, pool_name(pool.game))
        place = place_of(self._rid_key, address)
        ticket = Ticket(player.id, player.name, player.kind, player.engine, pool, rating.shown, place)
        since = await self._queue.enter(ticket)
        if since is None:
            return False
        ticket = msgspec.structs.replace(ticket, since=since)
        waiting = self._waiting.setdefault(ticket.id, _Waiting(ticket, set()))
        waiting.ticket = ticket
        waiting.waiters.add(waiter)
        self._left.discard(ticket.id)
        self._wake.set()
        return True

    async def leave(self, player: str, game: str | None = None) -> None:
        """Let a player wait no longer, for one game or at all, whichever connection asked.

        Raises CodeError, ValueError, StoreUnavailable.
        """
        if game is not None:
            pool_asked_for(game, None, False)  # No game is refused, whether anything is waited for or not.
        ids = [
            known
            for known, waiting in self._waiting.items()
            if waiting.ticket.player == player and (game is None or _is_of(waiting.ticket.pool, game))
        ]
        for known in ids:
            del self._waiting[known]
        await self._queue.leave(ids)

    def gone(self, waiter: Waiter) -> None:
        """Take note that a connection is no more: nobody waits without one."""
        for known, waiting in tuple(self._waiting.items()):
            waiting.waiters.discard(waiter)
            if not waiting.waiters:
                self._drop(known)

    def seated(self, player: str, race: str) -> None:
        """Take note that a player sits in a race: where that was offered, the wait is over."""
        for known, waiting in tuple(self._waiting.items()):
            if waiting.ticket.player == player and waiting.offered == race:
                self._drop(known)

    async def keep(self) -> None:
        """Pair those who wait, for ever."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(ROUND_S if self._waiting else None):
                    await self._wake.wait()
            self._wake.clear()
            try:
                await self._round()
            except (StoreUnavailable, LogError) as fault:
                log.warning("nobody paired", fault=str(fault), waiting=len(self._waiting))
                await asyncio.sleep(ROUND_S)

    def _drop(self, known: str) -> None:
        del self._waiting[known]
        self._left.add(known)
        self._wake.set()

    async def _round(self) -> None:
        left = tuple(self._left)
        await self._queue.leave(left)
        self._left.difference_update(left)
        known = tuple(self._waiting)
        if not known:
            return
        for one, state in zip(known, await self._queue.keep(known), strict=True):
            if isinstance(state, Match):
                await self._tell(one, state)
            elif not state and one in self._waiting:
                # It was forgotten while this node could not speak for it.
                await self._queue.enter(self._waiting[one].ticket)
        tickets = await self._queue.waiting()
        for first, second in pairs(tickets, self._clock.now(), self._terms):
            match = Match(self._rid("quick", f"{first.id}:{first.since}:{second.id}:{second.since}"), first, second)
            if await self._queue.claim(match):
                await self._tell(first.id, match)
                await self._tell(second.id, match)
        for waiting in tuple(self._waiting.values()):
            await self._offer_bot(waiting)

    async def _tell(self, known: str, match: Match) -> None:
        """Make the race of two who have been paired, unless the other's node has, and tell those who wait here."""
        if known not in self._waiting:
            return
        pool = match.first.pool
        await self._offer(match.race, card_of(pool), "", kept_of(match.first, match.second))
        waiting = self._waiting.pop(known, None)
        if waiting is None:
            return
        for waiter in waiting.waiters:
            waiter.matched(match.race, None)
        await self._queue.told(known)
        for other, one in tuple(self._waiting.items()):
            if one.ticket.player == waiting.ticket.player:
                self._drop(other)

    async def _offer_bot(self, waiting: _Waiting) -> None:
        """Offer a race against a bot of like strength to a person who has waited for long."""
        ticket, now = waiting.ticket, self._clock.now()
        again = waiting.offered is None or now - waiting.offered_at >= self._offer_again_ms
        if ticket.pool.rated or ticket.kind != "person" or now - ticket.since < self._terms.bot_after_ms or not again:
            return
        bot = await self._roster.like(ticket.pool.game, ticket.rating)
        if bot is None:
            return
        race = self._rid("offer", f"{ticket.id}:{ticket.since}:{waiting.offered_at}")
        card = msgspec.structs.replace(card_of(ticket.pool), bots=(BotWish(bot.name),))
        await self._offer(race, card, "", kept_of(ticket))
        waiting.offered, waiting.offered_at = race, now
        for waiter in waiting.waiters:
            waiter.matched(race, bot.name)

    def _rid(self, kind: str, key: str) -> str:
        # No player has an id of five letters.
        return created_rid(self._rid_key, kind, key)


def _is_of(pool: Pool, game: str) -> bool:
    return pool_asked_for(game, pool.goal, pool.rated) == pool
