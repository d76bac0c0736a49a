"""What can be asked of a race: one frozen value a command. Times (ms) and random numbers come in as data."""

from __future__ import annotations

from msgspec import Struct

from engine.log.entry import Hash
from engine.race.card import RaceCard
from engine.race.events import GONE_AFTER_MS, START_DELAY_MS, Chain, DeclineReason, Kept, PlayerKind, VoidReason

__all__ = [
    "Cancel",
    "Command",
    "Create",
    "Done",
    "Hint",
    "Join",
    "Leave",
    "MarkAbsent",
    "MarkBack",
    "Play",
    "Ready",
    "Recover",
    "Resign",
    "Start",
    "Tick",
    "Unready",
    "Void",
]


class Create(Struct, frozen=True):
    """Offer a race. Nonce in hex; the commitment only when the card is sealed; a creator unless the server pairs.

    A later race of a series starts at once, `delay_ms` from now, with the seats kept, on the deal `number` unless it
    is sealed. A race of winnable deals takes one out of the `stock`, by its number.
    """

    card: RaceCard
    creator: str
    nonce: str
    kid: str
    commitment: str | None
    gone_after_ms: int = GONE_AFTER_MS
    no_show_ms: int | None = None
    kept: tuple[Kept, ...] = ()
    chain: Chain | None = None
    number: str = ""
    delay_ms: int = START_DELAY_MS
    stock: int | None = None
    daily: int | None = None


class Join(Struct, frozen=True):
    """Take a seat, or find it again."""

    player: str
    name: str
    kind: PlayerKind
    connection: int
    engine: str | None = None


class Leave(Struct, frozen=True):
    """Give the seat back, or decline the one that is kept, and say why if one likes."""

    player: str
    reason: DeclineReason | None = None


class Ready(Struct, frozen=True):
    """Be ready; the last ready starts the race on the deal `number`, unless card or seal name another."""

    player: str
    number: str
    delay_ms: int = START_DELAY_MS


class Unready(Struct, frozen=True):
    """Be ready no longer."""

    player: str


class Start(Struct, frozen=True):
    """Start the race as its creator."""

    player: str
    number: str
    delay_ms: int = START_DELAY_MS


class Cancel(Struct, frozen=True):
    """Call the race off as its creator."""

    player: str


class Play(Struct, frozen=True, gc=False):
    """Play word `m` as operation `n` of one's own lane."""

    player: str
    n: int
    m: str
    now: int


class Hint(Struct, frozen=True):
    """Ask for a move to play."""

    player: str
    now: int


class Done(Struct, frozen=True):
    """Settle with the present position."""

    player: str
    now: int


class Resign(Struct, frozen=True):
    """Give up."""

    player: str
    now: int


class MarkAbsent(Struct, frozen=True):
    """Say that a seat's connection is gone."""

    seat: int
    connection: int


class MarkBack(Struct, frozen=True):
    """Say that a seat is held by a new connection, instead of the one found (0: of none), when one was.

    Another one that holds the seat by now has come since, and stays.
    """

    player: str
    connection: int
    found: int | None = None


class Tick(Struct, frozen=True):
    """Do what time or the fold demands at `now`: close a race that is over, or end one whose time has come."""

    now: int


class Recover(Struct, frozen=True):
    """Say that an entry was confirmed, after so many recoveries, which the log has no more."""

    seq: int
    h: Hash
    recoveries: int


class Void(Struct, frozen=True):
    """Let a race that is not over count nowhere, by a ruling."""

    reason: VoidReason


Command = (
    Create
    | Join
    | Leave
    | Ready
    | Unready
    | Start
    | Cancel
    | Play
    | Hint
    | Done
    | Resign
    | MarkAbsent
    | MarkBack
    | Tick
    | Recover
    | Void
)
