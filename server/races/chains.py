"""Races that follow one another on this node: the next of a series, made by itself, and rematches, made when asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

import structlog

from engine.log.entry import LogError
from engine.race.card import RaceCard
from engine.race.events import Chain, Kept
from engine.race.model import OPEN_FOR_MS, Race
from engine.race.series import successor
from engine.secrets import next_rid
from server.races.clock import Clock
from server.races.table import Table
from server.store.connect import StoreUnavailable
from server.store.notice import Notice

__all__ = ["Chains", "Offer"]

log = structlog.get_logger("races")


class Offer(Protocol):
    """Makes a race, unless it is there. Raises StoreUnavailable, LogError."""

    async def __call__(
        self, rid: str, card: RaceCard, creator: str, kept: tuple[Kept, ...] = (), chain: Chain | None = None
    ) -> Table:
        """Return the race with that id, offered on these terms if there was none."""


class Chains:
    """What follows the races of a node. A race has one successor, whose id follows from its own.

    `read` opens a race, folded to the tail of its log; `ring` tells the nodes that follow a race to look at it again.
    """

    def __init__(
        self,
        rid_key: bytes,
        clock: Clock,
        read: Callable[[str], Awaitable[Table]],
        offer: Offer,
        ring: Callable[[str, Notice], None],
    ) -> None:
        self._rid_key = rid_key
        self._clock = clock
        self._read = read
        self._offer = offer
        self._ring = ring

    def following(self, rid: str) -> str:
        """Return the id of the race that follows another, whether it is there or not."""
        return next_rid(self._rid_key, rid)

    async def follow_up(self, race: Race) -> Table:
        """Return the race after one that is over, made if it is not there. Raises StoreUnavailable, LogError."""
        after = successor(race)
        table = await self._offer(self.following(race.id), after.card, after.creator, after.kept, after.chain)
        self._ring(race.id, Notice(race.seq))
        return table

    async def go_on(self, race: Race) -> None:
        """Make the next race of a series that goes on; not of one that was left long ago.

        Raises StoreUnavailable, LogError.
        """
        if race.goes_on and self._clock.now() - (race.over_at or 0) < OPEN_FOR_MS:
            await self.follow_up(race)

    async def begin_next(self, table: Table) -> None:
        """Make the next race of a series as soon as one has ended; the race's timer makes up for what fails here."""
        try:
            await self.go_on(table.race)
        except (StoreUnavailable, LogError) as fault:
            log.warning("next race not made", race=table.rid, fault=str(fault))

    async def look(self, table: Table) -> str | None:
        """Return the race that follows a closed one, if it is there; the followers of this one are told once.

        Raises StoreUnavailable, LogError.
        """
        if table.next is None and table.race.closed:
            following = await self._read(self.following(table.rid))
            if following.race.card is not None:
                table.go_on(following.rid)
        return table.next
