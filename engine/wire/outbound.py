"""What the server says: one frozen value a message (protocol.md, "server → client")."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

__all__ = [
    "Answered",
    "Challenged",
    "Challenger",
    "Crowd",
    "Drain",
    "Error",
    "Ev",
    "Eval",
    "Matched",
    "MySeat",
    "Outbound",
    "Pong",
    "Progress",
    "Res",
    "Resumed",
    "SeatEval",
    "SeatLag",
    "SeatNumbers",
    "SeatView",
    "Skip",
    "Snap",
    "SnapReason",
    "Welcome",
]

SnapReason = Literal["join", "watch", "resume", "start", "end", "hash", "ahead", "view", "slow", "recovered"]
"""Why a snapshot comes: asked for, start or end of the race, or (`hash`, `ahead`, `view`, `slow`) instead of events."""


class Message(Struct, frozen=True, tag_field="t", omit_defaults=True, gc=False):
    """A message; what is absent is not sent."""


class Welcome(Message, frozen=True, tag="welcome"):
    """The answer to `hello`: who the client is, the server's time, its heartbeat, limits and durability."""

    player: str
    name: str
    token: str
    now: int
    heartbeat_ms: int
    limits: dict[str, Any]
    durability: str


class SeatNumbers(Struct, frozen=True, omit_defaults=True):
    """What others know of a seat in play."""

    seat: int
    cleared: int
    status: str
    present: bool
    score: int | None = None
    moves: int | None = None


class SeatView(Struct, frozen=True, omit_defaults=True):
    """A seat in a snapshot; `board` where the viewer may see it."""

    seat: int
    player: str
    name: str
    kind: str
    status: str
    ready: bool
    present: bool
    cleared: int
    engine: str | None = None
    score: int | None = None
    moves: int | None = None
    rank: int | None = None
    board: dict[str, Any] | None = None


class SeatLag(Struct, frozen=True):
    """How long the way to a seat's player and back takes, as the server has measured it by its own pings."""

    seat: int
    rtt_ms: int


class MySeat(Struct, frozen=True, omit_defaults=True):
    """One's own seat in a snapshot: the number of the last operation, the board from the start on, a hint asked for.

    `hints` says whether there are any in this race.
    """

    seat: int
    lane: int
    status: str
    board: dict[str, Any] | None = None
    hint: str | None = None
    hints: bool = False


class Snap(Message, frozen=True, tag="snap"):
    """The race exactly at `seq`, as this viewer may see it.

    `private`, before the start: nobody else may sit down, and whoever leaves calls the race off. `voided` says why a
    race does not count: its `reason`, in a challenge `by` whom it was called off, and `why`. `sealed_until` is
    there on a deal of the day alone: when that is over, in ms. `lag` is no part of the state: how far away the seats
    are that are held where this is said, as it is known by then.
    """

    race: str
    seq: int
    hash: str
    card: dict[str, Any]
    status: str
    seats: tuple[SeatView, ...]
    reason: SnapReason
    at: int
    creator: str = ""
    start_at: int | None = None
    deadline: int | None = None
    my: MySeat | None = None
    commitment: str | None = None
    standings: tuple[dict[str, Any], ...] | None = None
    salt: str | None = None
    sig: str | None = None
    previous: str | None = None
    series: dict[str, Any] | None = None
    kept: tuple[dict[str, Any], ...] = ()
    sealed_until: int | None = None
    lag: tuple[SeatLag, ...] = ()
    private: bool = False
    voided: dict[str, Any] | None = None


class Ev(Message, frozen=True, tag="ev"):
    """One event that this viewer may see; `sig`, a receipt, with `race.finished`."""

    race: str
    seq: int
    at: int
    hash: str
    k: str
    s: int | None
    d: dict[str, Any]
    sig: str | None = None


class Skip(Message, frozen=True, tag="skip", rename={"from_": "from"}):
    """Events `from` to `to` are not for this viewer; `hash` is the chain's at `to`."""

    race: str
    from_: int
    to: int
    hash: str


class Progress(Message, frozen=True, tag="progress"):
    """The numbers of the other seats."""

    race: str
    at: int
    seats: tuple[SeatNumbers, ...]


class Res(Message, frozen=True, tag="res"):
    """The one answer to a command with an `id`; `m` is a hint."""

    id: str
    ok: bool
    seq: int | None = None
    lane: int | None = None
    dup: bool | None = None
    race: str | None = None
    sig: str | None = None
    hash: str | None = None
    code: str | None = None
    reason: str | None = None
    message: str | None = None
    retry_ms: int | None = None
    m: str | None = None


class Resumed(Message, frozen=True, tag="resumed", rename={"from_": "from"}):
    """The missed `ev` and `skip` from `from` to `to` follow."""

    race: str
    from_: int
    to: int


class Matched(Message, frozen=True, tag="matched"):
    """A race for this player: a quick race found, or the next one after `previous`.

    With `bot` it is an offer to race against that one instead of waiting on.
    """

    race: str
    previous: str | None = None
    bot: str | None = None


class Challenger(Struct, frozen=True):
    """Who challenges."""

    player: str
    name: str
    kind: str


class Challenged(Message, frozen=True, tag="challenged"):
    """A race that waits for this player until `expires_at` (ms): `join` it, or `leave` it to decline."""

    race: str
    by: Challenger
    card: dict[str, Any]
    expires_at: int


class Answered(Message, frozen=True, tag="answered"):
    """A challenge waits for this player no more: accepted or declined, on whichever connection, or called off."""

    race: str


class Crowd(Message, frozen=True, tag="crowd"):
    """How many watch."""

    race: str
    watching: int


class SeatEval(Struct, frozen=True, omit_defaults=True):
    """What solvers make of a seat's board after its operation `n`: the best that can still be had by playing on.

    `best` is the score as settled and the cards removed or placed; `winnable` is absent where it is not known.
    """

    seat: int
    n: int
    best: dict[str, int]
    winnable: bool | None = None


class Eval(Message, frozen=True, tag="eval"):
    """What solvers make of the boards of an open race, no later than at `seq`: for spectators who see them."""

    race: str
    seq: int
    seats: tuple[SeatEval, ...]


class Drain(Message, frozen=True, tag="drain"):
    """The node goes away within so many ms; connect again elsewhere."""

    retry_ms: int


class Error(Message, frozen=True, tag="error"):
    """A fault outside a command; `race` where it is about one."""

    code: str
    message: str
    retry_ms: int | None = None
    race: str | None = None
    reason: str | None = None


class Pong(Message, frozen=True, tag="pong"):
    """The answer to `ping`."""

    c: int | float | str | None
    now: int


Outbound = (
    Welcome
    | Snap
    | Ev
    | Skip
    | Progress
    | Res
    | Resumed
    | Matched
    | Challenged
    | Answered
    | Crowd
    | Eval
    | Drain
    | Error
    | Pong
)
