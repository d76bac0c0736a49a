"""A race run in a test: its own clock, its own log, decided and folded as a node does it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.log.chain import entry_mac, next_hash
from engine.log.entry import Entry
from engine.race import commands as ask
from engine.race.card import read_card
from engine.race.commands import Command
from engine.race.decide import Decision, Happens, Refused, decide
from engine.race.events import Created, Event, packed
from engine.race.evolve import evolve, opened
from engine.race.model import Opening, Race, Seat
from engine.refusals import ErrorCode
from engine.secrets import commitment
from engine.solo import UNDO
from tests.engine.golf.printed import WON

__all__ = [
    "BEGUN",
    "CREATOR",
    "LAST_DRAW_STICKS",
    "NUMBER",
    "RID",
    "SEALED",
    "SECRETS",
    "WINNING",
    "WON_CODE",
    "Course",
]

RID: Final = "r" * 26
CREATOR: Final = "host"
BEGUN: Final = 1_700_000_000_000
NUMBER: Final = "AAAAAAC"
"""What a race by `game` alone draws."""
SEALED: Final = "B" + "A" * 24 + "C"
WON_CODE, *WINNING = WON.split()
LAST_DRAW_STICKS: Final = "GO1-C-AAAAAAE"
"""Drawing all sixteen cards leaves this deal stuck with all 35 cards left; at first `5` fits."""


class Ring:
    """The secrets of every race in a test."""

    opening_of_all: Final = Opening("5a" * 16, SEALED)

    def opening(self, created: Created) -> Opening:
        return self.opening_of_all


SECRETS: Final = Ring()


class Course:
    """A race and all that happened in it; `now` (ms) goes on only when a test says so."""

    def __init__(self, *, terms: Mapping[str, Any] | None = None, **card: Any) -> None:
        """Offer a race of this card; `terms` are further fields of the command that creates it."""
        self.race = Race(RID)
        self.now = BEGUN
        self.log: list[Entry] = []
        self.told: list[tuple[Race, Event, Race]] = []
        read = read_card(card if "code" in card or "game" in card else {"code": WON_CODE, **card})
        opening = SECRETS.opening_of_all
        bound = commitment(RID, f"{read.game}-{SEALED}", bytes.fromhex(opening.salt)) if read.sealed else None
        offered = {"creator": CREATOR, "nonce": "00" * 16, "kid": "kid", "commitment": bound}
        self.ask(ask.Create(read, **{**offered, **(terms or {})}))

    def ask(self, command: Command) -> Decision:
        """Decide a command and append what it makes happen, unless the time window keeps it out."""
        decision = decide(self.race, command)
        if isinstance(decision, Happens):
            if decision.from_ms is not None and self.now < decision.from_ms:
                return Refused(ErrorCode.NOT_STARTED)
            if decision.until_ms is not None and self.now >= decision.until_ms:
                return Refused(ErrorCode.OVER)
            for event in decision.events:
                self.append(event, decision.lane)
        return decision

    def append(self, event: Event, lane: str = "*") -> None:
        """Write an event into the log and fold it."""
        race = opened(self.race, event, SECRETS)
        body = packed(event)
        salt = bytes.fromhex(SECRETS.opening_of_all.salt)
        h = next_hash(race.h, self.now, entry_mac(salt, body))
        after = evolve(race, event, self.now, h)
        self.log.append(Entry(after.seq, h, self.now, lane, body))
        self.told.append((self.race, event, after))
        self.race = after

    def seat(self, player: str) -> Seat:
        """The seat of a player who has one."""
        seat = self.race.seat_of(player)
        assert seat is not None
        return seat

    def join(self, *players: str, kind: str = "person") -> Decision:
        """Each player joins, over a connection numbered by the letter that its name begins with."""
        for player in players:
            decision = self.ask(ask.Join(player, player.title(), kind, ord(player[0])))  # type: ignore[arg-type]
        return decision

    def ready(self, *players: str) -> Decision:
        for player in players:
            decision = self.ask(ask.Ready(player, NUMBER))
        return decision

    def begin(self, *players: str) -> Course:
        """Seat the players, start the race and let the countdown pass."""
        self.join(*players)
        self.ready(*players)
        if self.race.start_at is None:
            self.ask(ask.Start(CREATOR, NUMBER))
        assert self.race.start_at is not None
        self.now = self.race.start_at
        return self

    def play(self, player: str, *words: str, n: int | None = None) -> Decision:
        """Play words as the next operations of the player's lane, or as operation `n`; returns the last decision."""
        for word in words:
            number = self.seat(player).lane + 1 if n is None else n
            decision = self.ask(ask.Play(player, number, word, self.now))
        return decision

    def win(self, player: str) -> Decision:
        """Play the win of the published deal to its end."""
        return self.play(player, *WINNING)

    def stick(self, player: str, short_by: int = 0) -> Decision:
        """Draw the whole stock of the deal that gets stuck so, or all but some of it."""
        return self.play(player, *["d"] * (16 - short_by))

    def undo(self, player: str) -> Decision:
        return self.play(player, UNDO)

    def hint(self, player: str) -> Decision:
        return self.ask(ask.Hint(player, self.now))

    def done(self, player: str) -> Decision:
        return self.ask(ask.Done(player, self.now))

    def resign(self, player: str) -> Decision:
        return self.ask(ask.Resign(player, self.now))

    def tick(self) -> Decision:
        return self.ask(ask.Tick(self.now))

    def leave_play(self, player: str) -> Decision:
        """The connection of a seat breaks."""
        seat = self.seat(player)
        return self.ask(ask.MarkAbsent(seat.seat, seat.connection))

    def come_back(self, player: str, connection: int = 1) -> Decision:
        return self.ask(ask.MarkBack(player, connection))
