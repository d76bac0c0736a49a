"""A race as it stands: its card, its seats and what the log has said so far. Changed only by `evolve`."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from engine.cards import Turned
from engine.codes import OPEN_LETTERS, Code, parse_code, parse_game
from engine.log.entry import GENESIS, Cursor, Hash
from engine.race.card import RaceCard, StartRule
from engine.race.events import GONE_AFTER_MS, Chain, DeclineReason, FinishReason, Kept, PlayerKind, VoidReason
from engine.race.words import Words
from engine.refusals import Status
from engine.solo import Solo

__all__ = [
    "DAY_MS",
    "OPEN_FOR_MS",
    "SHOWN_EVERY",
    "Leaver",
    "Numbers",
    "Opening",
    "Race",
    "RaceStatus",
    "Seat",
    "SeatEnd",
    "SeatStatus",
    "code_of",
    "stocked_number",
]

OPEN_FOR_MS: Final = 3_600_000
"""A race that has not started after this long is given up."""
DAY_MS: Final = 86_400_000
SHOWN_EVERY: Final = 8
"""In a sealed race a seat's numbers are renewed after this many of its operations."""


class RaceStatus(StrEnum):
    """Where a race stands; `starting` until its `start_at`."""

    OPEN = "open"
    STARTING = "starting"
    LIVE = "live"
    FINISHED = "finished"
    VOIDED = "voided"


class SeatEnd(StrEnum):
    """How a seat ended; final."""

    WON = "won"
    DONE = "done"
    RESIGNED = "resigned"
    TIME = "time"
    GONE = "gone"


class SeatStatus(StrEnum):
    """Where a seat stands."""

    SEATED = "seated"
    READY = "ready"
    PLAYING = "playing"
    STUCK = "stuck"
    WON = "won"
    DONE = "done"
    RESIGNED = "resigned"
    TIME = "time"
    GONE = "gone"


_ENDED: Final = {end: SeatStatus(end.value) for end in SeatEnd}
_IN_PLAY: Final = {status: SeatStatus(status.value) for status in Status}


class Opening(Struct, frozen=True):
    """A race's secrets, kept outside its log: the salt (32 hex digits), the number of a deal that is sealed.

    A winnable deal of an open race has the last letters of that number (`stocked_number`).
    """

    salt: str
    number: str | None = None


class Numbers(Struct, frozen=True):
    """What others may know of a board: cards cleared, score, moves, status."""

    cleared: int
    score: int
    moves: int
    status: SeatStatus


class Seat(Struct, frozen=True, gc=False):
    """A seat and the game played on it. `operations` holds the word of each that was accepted, and `turned` the cards
    that the last one turned face up.

    `connection` is 0 while nobody holds the seat, `absent_since` (ms) says since when; `scored_at` is the time of
    the last operation that earned points or gave them back. `shown` are the numbers that others see in a sealed race,
    kept up in no other. `hint` is the last move told as one, after operation `hint_at`; `hints` how many were.
    """

    seat: int
    player: str
    name: str
    kind: PlayerKind
    engine: str | None
    connection: int
    absent_since: int = 0
    joined_at: int = 0
    ready: bool = False
    ready_at: int = 0
    solo: Solo | None = None
    operations: Words = Words()
    turned: list[Turned] = []
    scored_at: int = 0
    end: SeatEnd | None = None
    ended_at: int | None = None
    shown: Numbers | None = None
    hint: str | None = None
    hint_at: int = 0
    hints: int = 0

    @property
    def lane(self) -> int:
        """The number of the last operation, 0 before the first."""
        return self.operations.count

    @property
    def words(self) -> tuple[str, ...]:
        """The words of all operations, undos among them."""
        return tuple(self.operations)

    @property
    def present(self) -> bool:
        """True while a connection holds the seat."""
        return self.connection != 0

    @property
    def status(self) -> SeatStatus:
        """Where the seat stands now."""
        if self.end is not None:
            return _ENDED[self.end]
        if self.solo is None:
            return SeatStatus.READY if self.ready else SeatStatus.SEATED
        return _IN_PLAY[self.solo.board.status]

    @property
    def score(self) -> int:
        """The score as it stands; once the seat has ended, as settled."""
        if self.solo is None:
            return 0
        return self.solo.board.score if self.end is None else self.solo.board.settled_score

    @property
    def numbers(self) -> Numbers:
        """The seat's own numbers as they are now."""
        solo = self.solo
        if solo is None:
            return Numbers(0, 0, 0, self.status)
        return Numbers(solo.board.cleared, self.score, solo.moves, self.status)


class Leaver(Struct, frozen=True):
    """Who did not want to race, or gave the seat back, and why if that was said."""

    seat: int
    player: str
    name: str
    kind: PlayerKind
    reason: DeclineReason | None


class Race(Struct, frozen=True, gc=False):
    """The fold of a race's log up to `seq`; `h` is the hash there and `at` the time (ms).

    `deadline` (ms), known from the start on, is when the time limit or the end of its day ends it. `over` says why play
    has ended: the fold sees it at the entry that ends it, whose time and seq are kept, as are those of one that gives
    the race up. `closed` says that the log says so too. `kept` are the seats that still wait for their player, in a
    `challenge` by its creator, which the first `leaver` calls off; `bots_left` counts the seats that bots have given
    back.
    """

    id: str
    opening: Opening | None = None
    seq: int = 0
    h: Hash = GENESIS
    at: int = 0
    card: RaceCard | None = None
    creator: str = ""
    nonce: str = ""
    kid: str = ""
    rules: int = 0
    commitment: str | None = None
    gone_after_ms: int = GONE_AFTER_MS
    no_show_ms: int | None = None
    chain: Chain | None = None
    created_at: int = 0
    challenge: bool = False
    leaver: Leaver | None = None
    kept: dict[int, Kept] = {}
    daily: int | None = None
    bots_left: int = 0
    seats: dict[int, Seat] = {}
    code: Code | None = None
    start_at: int | None = None
    deadline: int | None = None
    over: FinishReason | None = None
    over_at: int | None = None
    over_seq: int | None = None
    voided: VoidReason | None = None
    closed: bool = False
    recoveries: int = 0

    @property
    def cursor(self) -> Cursor:
        """How far the log has been folded."""
        return Cursor(self.seq, self.h)

    @property
    def started(self) -> bool:
        """True from the last ready (or the host's start) on."""
        return self.start_at is not None

    @property
    def sealed_until(self) -> int | None:
        """When a deal of the day is opened, in ms: the end of its day, for all races on it; None for other deals."""
        return None if self.daily is None else (self.daily + 1) * DAY_MS

    @property
    def ended(self) -> bool:
        """True when no move can count any more."""
        return self.over_at is not None

    @property
    def gone_at(self) -> int | None:
        """When the race ends because everybody still playing has gone, in ms; None while somebody is there."""
        if self.start_at is None or self.ended:
            return None
        since = self.start_at
        for seat in self.seats.values():
            if seat.end is None:
                if seat.present:
                    return None
                since = max(since, seat.absent_since)
        return since + self.gone_after_ms

    @property
    def paired(self) -> bool:
        """True when the server has brought the players together."""
        return self.card is not None and not self.creator

    @property
    def private(self) -> bool:
        """True when nobody races but those whom the server has paired, or the creator and whom he has challenged."""
        return self.challenge or self.paired

    @property
    def practice(self) -> bool:
        """True where somebody plays alone and nothing is counted: there hints may be asked for."""
        return self.card is not None and self.card.seats == 1 and not self.card.rated and self.daily is None

    @property
    def leg(self) -> int:
        """The race's place in its series, from 1."""
        return 1 if self.chain is None else self.chain.leg

    @property
    def goes_on(self) -> bool:
        """True when the next race of the series is to follow: this one has been finished, and is not the last."""
        return self.closed and self.voided is None and self.card is not None and self.leg < self.card.series

    @property
    def no_show(self) -> tuple[int, tuple[int, ...]] | None:
        """When seats are freed that keep the others waiting, in ms, and which; None while nobody waits.

        They are those kept for players who have not come and, once all seats are taken and one is ready, those that
        are not. What is private is given up instead.
        """
        if self.no_show_ms is None or self.card is None or self.started or self.ended:
            return None
        if self.kept or self.paired:
            return self.created_at + self.no_show_ms, tuple(self.kept)
        ready = [seat.ready_at for seat in self.seats.values() if seat.ready]
        if not ready or len(self.seats) < self.card.seats or self.card.start is not StartRule.ALL_READY:
            return None
        since = max(min(ready), *(seat.joined_at for seat in self.seats.values()))
        return since + self.no_show_ms, tuple(seat.seat for seat in self.seats.values() if not seat.ready)

    def kept_for(self, player: str) -> Kept | None:
        """Return the seat that waits for a player, if there is one."""
        return next((kept for kept in self.kept.values() if kept.player == player), None)

    def status(self, now: int) -> RaceStatus:
        """Return where the race stands at a time in ms."""
        if self.voided is not None:
            return RaceStatus.VOIDED
        if self.over is not None and (self.closed or self.daily is None):
            return RaceStatus.FINISHED
        if self.start_at is None:
            return RaceStatus.OPEN
        return RaceStatus.STARTING if now < self.start_at else RaceStatus.LIVE

    def seat_of(self, player: str) -> Seat | None:
        """Return the seat of a player, if there is one."""
        for seat in self.seats.values():
            if seat.player == player:
                return seat
        return None

    def due(self) -> int | None:
        """Return when, in ms, time alone changes the race next; 0 when at once, None when never."""
        if self.closed or self.card is None:
            return None
        if self.sealed_until is not None:
            return self.sealed_until
        if self.ended:
            return 0
        if self.deadline is None:
            no_show = self.no_show
            expires = self.created_at + OPEN_FOR_MS
            return expires if no_show is None else min(expires, no_show[0])
        gone_at = self.gone_at
        return self.deadline if gone_at is None else min(self.deadline, gone_at)


def code_of(race: Race, drawn: str | None = None) -> Code | None:
    """Return the deal that a race is bound to: named by its card, sealed, or of the number drawn at its start."""
    if race.card is None:
        return None
    if race.card.code is not None:
        return parse_code(race.card.code)
    number = drawn
    if race.card.sealed:
        number = race.opening.number if race.opening is not None else None
    if number is None:
        return None
    game, version, rules = parse_game(race.card.game)
    return Code(game, version, rules, number)


def stocked_number(race: Race) -> str | None:
    """Return the number of the winnable deal that an open race is played on; None where it draws any."""
    if race.card is None or not race.card.winnable or race.card.sealed or race.opening is None:
        return None
    return None if race.opening.number is None else race.opening.number[-OPEN_LETTERS:]
