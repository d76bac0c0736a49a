"""Challenges on this node: made within bounds, and told to whom they are meant for wherever he is connected."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec
import structlog
from redis.exceptions import RedisError

from engine.race.card import RaceCard, RaceCardError
from engine.race.events import Kept
from engine.race.model import Race
from engine.race.views import card_for
from server.address import place_of
from server.players import Player
from server.races.clock import Clock
from server.races.offers import Offers
from server.races.table import Table
from server.settings import Settings
from server.store.challenges import Challenge, ChallengeStream
from server.store.connect import StoreUnavailable

__all__ = ["Challenges", "TooManyChallenges"]

READ_EVERY_S: Final = 1.0
"""How soon a node knows of a challenge that another one took."""
RETRY_MS: Final = 30_000

log = structlog.get_logger("challenges")


class _Ends(NamedTuple):
    """For whom a challenge counts: the player who makes it, the place it comes from, and to whom it is made."""

    by: str
    place: str
    to: str


class TooManyChallenges(Exception):
    """Somebody has made, or been sent, as many challenges as one may in the time that they are open."""

    def __init__(self, whose: str, most: int) -> None:
        self.retry_ms = RETRY_MS
        super().__init__(f"expected at most {most} challenges {whose} at a time, answered or not: wait a while")


class Challenges:
    """What this node knows of the challenges of all nodes: those of the last `challenge_ms`, answered or not.

    Those that are being made here count as well.
    """

    def __init__(
        self, settings: Settings, stream: ChallengeStream, offers: Offers, clock: Clock, rid_key: bytes
    ) -> None:
        self._open_ms = settings.challenge_ms
        self._most_by = settings.challenges_by_player
        self._most_from = settings.challenges_by_address
        self._most_to = settings.challenges_to_player
        self._stream = stream
        self._offers = offers
        self._clock = clock
        self._rid_key = rid_key
        self._known: dict[str, Challenge] = {}
        self._making: dict[str, _Ends] = {}
        self._listeners: list[Callable[[Challenge], None]] = []
        self._reading = asyncio.Lock()

    def on_challenge(self, listener: Callable[[Challenge], None]) -> None:
        """Tell a listener every challenge from now on, once more when it is answered. It must not raise."""
        self._listeners.append(listener)

    def open_to(self, player: str) -> list[Challenge]:
        """Return the challenges of a player that wait, the oldest first; some may just have been answered elsewhere."""
        now = self._clock.now()
        known = self._known.values()
        return [one for one in known if one.player == player and not one.answered and now < one.expires_at]

    def heard(self, race: Race) -> Challenge | None:
        """Take note of how a race stands; returns the challenge, once, if it waits no more, to be put for all nodes."""
        one = self._known.get(race.id)
        if one is None or one.answered or (race.kept_for(one.player) is not None and not race.ended):
            return None
        if race.at >= one.expires_at:
            return None  # Its time is over, as everybody knows without being told.
        answered = msgspec.structs.replace(one, answered=True)
        self._note(answered)
        return answered

    async def put_answered(self, answered: Challenge) -> None:
        """Let all nodes know that a challenge waits no more; where that fails, they know when its time is over."""
        try:
            await self._stream.put(answered)
        except StoreUnavailable as fault:
            log.warning("answer to a challenge not told", race=answered.race, fault=str(fault))

    async def challenge(self, by: Player, rival: Player, card: RaceCard, key: str, address: str) -> Table:
        """Return the race of this card that waits for these two, the same for the same key.

        Raises RaceCardError, TooManyChallenges, TooManyBots, StoreUnavailable, LogError.
        """
        if card.seats - len(card.bots) != 2:
            found = f"found {card.seats} and {len(card.bots)} for bots"
            raise RaceCardError("challenge", f"expected two seats beside those for bots, {found}")
        kept = tuple(Kept(seat, one.id, one.name, one.kind, one.engine) for seat, one in enumerate((by, rival), 1))
        # No two rivals are challenged to one race, whatever key a client takes for both.
        own_key = f"{rival.id}:{key}"
        rid = self._offers.rid(by.id, own_key)
        ends = _Ends(by.id, place_of(self._rid_key, address), rival.id)
        if rid not in self._known and rid not in self._making:
            self._check(ends)
        # Counted before anything is awaited: many that are asked for at once are no fewer.
        self._making[rid] = ends
        try:
            table = await self._offers.create(card, by.id, own_key, address, kept, self._open_ms)
            await self._announce(table.race, by, ends)
        finally:
            self._making.pop(rid, None)
        return table

    async def _announce(self, race: Race, by: Player, ends: _Ends) -> None:
        """Let all nodes know of a challenge, once. Raises StoreUnavailable."""
        terms, expires_at = card_for(race, race.created_at), race.created_at + (race.no_show_ms or 0)
        if race.id in self._known or self._clock.now() >= expires_at:
            return  # A repeat: what others have put there is not to be pushed out of the stream.
        challenge = Challenge(race.id, ends.to, by.id, by.name, by.kind, terms, expires_at, place=ends.place)
        await self._stream.put(challenge)
        await self._look()

    async def keep(self) -> None:
        """Take note of what other nodes have taken, for ever."""
        while True:
            await self._look()
            await asyncio.sleep(READ_EVERY_S)

    async def _look(self) -> None:
        try:
            async with self._reading:
                news = await self._stream.news()
        except (RedisError, OSError) as fault:
            log.warning("challenges not read", fault=str(fault))
            return
        now = self._clock.now()
        if self._known:
            self._known = {race: one for race, one in self._known.items() if now < one.expires_at}
        for one in news:
            if now < one.expires_at:
                self._note(one)

    def _note(self, one: Challenge) -> None:
        """Know a challenge, or that it was answered, and tell the listeners if that is new."""
        known = self._known.get(one.race)
        if known is None or (one.answered and not known.answered):
            self._known[one.race] = one
            for listener in self._listeners:
                listener(one)

    def _check(self, ends: _Ends) -> None:
        """Raises TooManyChallenges where one more would be too many."""
        now = self._clock.now()
        known = self._known.items()
        counted = {race: _Ends(one.by, one.place, one.player) for race, one in known if now < one.expires_at}
        counted |= self._making
        bounds = (
            ("of yours", self._most_by),
            ("from your address", self._most_from),
            ("to this player", self._most_to),
        )
        for end, (whose, most) in enumerate(bounds):
            if sum(one[end] == ends[end] for one in counted.values()) >= most:
                raise TooManyChallenges(whose, most)
