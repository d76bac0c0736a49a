"""What happened in a race: one frozen value a kind, and its body in the log (events.md, "Entry")."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Final, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from engine.learning import learn
from engine.log.entry import PACKER, Body
from engine.race.card import RaceCard
from engine.solo import UNDO

__all__ = [
    "GONE_AFTER_MS",
    "OPERATIONS",
    "RULES_VERSION",
    "START_DELAY_MS",
    "Absent",
    "Back",
    "Chain",
    "Created",
    "DeclineReason",
    "Event",
    "FinishReason",
    "Finished",
    "Hinted",
    "Joined",
    "Kept",
    "Left",
    "Played",
    "PlayerKind",
    "Ran",
    "Readied",
    "Recovered",
    "Resigned",
    "SeatDone",
    "Started",
    "Undone",
    "Unreadied",
    "VoidReason",
    "Voided",
    "event_of",
    "packed",
]

RULES_VERSION: Final = 1
"""The version of the rules under which a race is played, named by `race.created`."""

START_DELAY_MS: Final = 3_000
"""From the last ready (or the host's start) to the first move."""
GONE_AFTER_MS: Final = 120_000
"""A race whose seats have all gone ends after this long."""

PlayerKind = Literal["person", "bot"]


class FinishReason(StrEnum):
    """Why a race ended: every seat ended, the first cleared, the time limit, everybody has gone."""

    ALL = "all"
    FIRST = "first"
    TIME = "time"
    GONE = "gone"


class VoidReason(StrEnum):
    """Why a race does not count."""

    CANCELLED = "cancelled"
    EXPIRED = "expired"
    RECOVERED = "recovered"
    RULED = "ruled"


class DeclineReason(StrEnum):
    """Why a player does not come to a race that keeps a seat; the page has a text for each."""

    GENERIC = "generic"
    LATER = "later"
    GAME = "game"
    GOAL = "goal"
    TIME_LIMIT = "time_limit"
    NO_BOTS = "no_bots"
    BOTS_ONLY = "bots_only"


class RaceEvent(Struct, frozen=True, gc=False):
    """An event of the whole race."""

    KIND: ClassVar[str]
    VERSION: ClassVar[int] = 1
    seat: ClassVar[None] = None


class SeatEvent(Struct, frozen=True, gc=False):
    """An event of one seat."""

    KIND: ClassVar[str]
    VERSION: ClassVar[int] = 1
    seat: int


class Kept(Struct, frozen=True):
    """A seat that waits for a player: of the race before this one, paired by the server, or in a challenge."""

    seat: int
    player: str
    name: str
    kind: PlayerKind
    engine: str | None = None


class Ran(Struct, frozen=True):
    """What a seat has come to in the races of a series so far: sums, and how many it won and cleared.

    `moves` are those of the races that it cleared.
    """

    seat: int
    strokes: int = 0
    score: int = 0
    moves: int = 0
    won: int = 0
    cleared: int = 0


class Chain(Struct, frozen=True):
    """Which race this one follows, its place in the series (from 1), and what that has come to before it."""

    previous: str
    leg: int = 1
    so_far: tuple[Ran, ...] = ()


class Created(RaceEvent, frozen=True):
    """The race is offered. `nonce` (32 hex digits) and `kid` name its secrets; `commitment` only when sealed.

    Without a creator the server has paired the players of the seats that are `kept`; with one, and no race before, it
    is a challenge to them. `stock` is the number, in the stock of deals proved winnable, of the one that the race is
    played on. On a deal of the day, `daily` is that day (in days of UTC since 1970).
    """

    KIND = "race.created"
    VERSION = 3
    race: str
    card: RaceCard
    creator: str
    nonce: str
    kid: str
    rules: int = RULES_VERSION
    commitment: str | None = None
    gone_after_ms: int = GONE_AFTER_MS
    no_show_ms: int | None = None
    kept: tuple[Kept, ...] = ()
    chain: Chain | None = None
    stock: int | None = None
    daily: int | None = None


class Joined(SeatEvent, frozen=True):
    """A player takes a seat, over the connection with that number."""

    KIND = "race.joined"
    player: str
    name: str
    kind: PlayerKind
    connection: int
    engine: str | None = None


class Left(SeatEvent, frozen=True):
    """A seat is free again before the start, or kept for nobody: given back (some say why), or not taken in time."""

    KIND = "race.left"
    VERSION = 2
    reason: DeclineReason | None = None


class Readied(SeatEvent, frozen=True):
    """A seat is ready."""

    KIND = "race.ready"


class Unreadied(SeatEvent, frozen=True):
    """A seat is no longer ready."""

    KIND = "race.unready"


class Started(RaceEvent, frozen=True):
    """The race starts `delay_ms` after this entry; `number` is the deal, when neither the card nor a seal gives it."""

    KIND = "race.started"
    delay_ms: int
    number: str | None = None


class Played(SeatEvent, frozen=True):
    """Operation number `n` of the seat is the move `m`."""

    KIND = "seat.played"
    n: int
    m: str


class Undone(SeatEvent, frozen=True):
    """Operation number `n` of the seat is an undo."""

    KIND = "seat.undone"
    n: int
    m: ClassVar[str] = UNDO


class Hinted(SeatEvent, frozen=True):
    """The seat was told the move `m` as a hint, after its operation number `n`."""

    KIND = "seat.hinted"
    n: int
    m: str


class SeatDone(SeatEvent, frozen=True):
    """The seat settles with its present position."""

    KIND = "seat.done"


class Resigned(SeatEvent, frozen=True):
    """The seat gives up."""

    KIND = "seat.resigned"


class Absent(SeatEvent, frozen=True):
    """The seat's connection with that number is gone."""

    KIND = "seat.absent"
    connection: int


class Back(SeatEvent, frozen=True):
    """The seat is held by the connection with that number from here on."""

    KIND = "seat.back"
    connection: int


class Finished(RaceEvent, frozen=True):
    """The race is over: its deal and its salt are opened."""

    KIND = "race.finished"
    reason: FinishReason
    code: str
    salt: str


class Recovered(RaceEvent, frozen=True):
    """Confirmed history up to `seq` with hash `h` was lost; the log goes on from here."""

    KIND = "race.recovered"
    seq: int
    h: str


class Voided(RaceEvent, frozen=True):
    """The race does not count."""

    KIND = "race.voided"
    reason: VoidReason
    code: str | None
    salt: str


Event = (
    Created
    | Joined
    | Left
    | Readied
    | Unreadied
    | Started
    | Played
    | Undone
    | Hinted
    | SeatDone
    | Resigned
    | Absent
    | Back
    | Finished
    | Recovered
    | Voided
)

OPERATIONS: Final = (Played, Undone)
"""What most entries are: operations on a seat's board."""

_TYPES: Final[dict[str, type[Event]]] = {kind.KIND: kind for kind in Event.__args__}
learn(*_TYPES.values())


def packed(event: Event) -> bytes:
    """Return the packed body of an event, as the log keeps it; the inverse of `event_of` of the body unpacked."""
    data = asdict(event)
    return PACKER.encode((event.KIND, event.VERSION, data.pop("seat", None), data))


def event_of(body: Body) -> Event:
    """Return the event of a body that is up to date. Raises ValueError where its data is not of its kind."""
    data = body.d if body.s is None else {**body.d, "seat": body.s}
    try:
        return msgspec.convert(data, _TYPES[body.k])
    except (KeyError, msgspec.ValidationError) as error:
        raise ValueError(f"expected the data of {body.k} version {body.v}, found {body.d!r}: {error}") from error
