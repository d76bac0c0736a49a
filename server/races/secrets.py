"""A race's secrets from the key ring: its opening for the fold, its commitment, its receipts."""

from __future__ import annotations

from functools import cache

from engine.codes import Code, parse_game
from engine.log.entry import LogError
from engine.race.card import RaceCard
from engine.race.events import Created
from engine.race.model import Opening, Race
from engine.secrets import (
    commitment,
    daily_number,
    daily_rid,
    race_salt,
    receipt,
    receipt_holds,
    sealed_number,
    stock_number,
)
from server.store.keyring import KeyRing, KeyRingError

__all__ = ["RaceSecrets"]


class RaceSecrets:
    """What the ring's keys give for each race; the log itself names only the key and a nonce."""

    def __init__(self, ring: KeyRing) -> None:
        self.ring = ring
        self._key = cache(ring.key)  # Read from its digits once.

    def opening(self, created: Created) -> Opening:
        """Return salt and sealed number of a race. Raises LogError where the ring lacks the key that the log names."""
        try:
            key, raw = self._key(created.kid), bytes.fromhex(created.nonce)
        except (KeyRingError, ValueError) as error:
            raise LogError(1, str(error)) from error
        if created.daily is not None:
            key_of_day, day, game = self.ring.rid_key, created.daily, created.card.game
            ranked = created.race == daily_rid(key_of_day, created.creator, day, game)
            number = daily_number(key_of_day, day, game, ranked)
        elif created.stock is not None:
            number = stock_number(key, created.stock)
        else:
            number = sealed_number(key, created.race, raw)
        return Opening(race_salt(key, created.race, raw).hex(), number)

    def commitment(self, rid: str, card: RaceCard, opening: Opening) -> str | None:
        """Return what binds a sealed race's deal from the start; None for an open one."""
        if not card.sealed or opening.number is None:
            return None
        game, version, rules = parse_game(card.game)
        return commitment(rid, str(Code(game, version, rules, opening.number)), bytes.fromhex(opening.salt))

    def receipt(self, race: Race, seq: int | None = None, h: str | None = None) -> str:
        """Return the proof that an entry of a race was confirmed: the last one folded, or the one named."""
        seq, h = race.seq if seq is None else seq, race.h if h is None else h
        return receipt(self._key(race.kid), race.id, race.recoveries, seq, h)

    def receipt_holds(self, race: Race, sig: str, seq: int, h: str) -> bool:
        """Tell whether a receipt is ours for that entry, given since the last recovery."""
        return receipt_holds(sig, self._key(race.kid), race.id, race.recoveries, seq, h)
