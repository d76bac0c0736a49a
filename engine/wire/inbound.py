"""What clients say: one frozen value a message (protocol.md, "client → server")."""

from __future__ import annotations

from typing import Annotated, Literal, final

from msgspec import Meta, Struct

from engine.race.events import DeclineReason

__all__ = [
    "Cancel",
    "Command",
    "Done",
    "Hello",
    "Hint",
    "Inbound",
    "Join",
    "Leave",
    "Ping",
    "Play",
    "Queue",
    "Ready",
    "Receipt",
    "Rematch",
    "Resign",
    "Resume",
    "Said",
    "Start",
    "Unqueue",
    "Unready",
    "Watch",
]

Id = Annotated[str, Meta(min_length=1, max_length=64)]
Rid = Annotated[str, Meta(min_length=1, max_length=64)]
Name = Annotated[str, Meta(max_length=40)]


class Message(Struct, frozen=True, tag_field="t", omit_defaults=True):
    """A message; unknown keys are ignored."""


class Receipt(Struct, frozen=True):
    """The server's word that the log had reached a seq with that hash, as an answer brought it."""

    seq: Annotated[int, Meta(ge=0)]
    hash: Annotated[str, Meta(max_length=64)]
    sig: Annotated[str, Meta(max_length=128)]


class Resume(Struct, frozen=True, omit_defaults=True, rename={"as_": "as"}):
    """How far a client has seen a race, and as what; `sig` proves that entry, where an answer brought it.

    Where it did not, `receipt` is the last one that the client has had, of an entry before.
    """

    race: Rid
    as_: Literal["seat", "watch"]
    seq: Annotated[int, Meta(ge=0)]
    hash: Annotated[str, Meta(max_length=64)]
    sig: Annotated[str, Meta(max_length=128)] | None = None
    receipt: Receipt | None = None


@final
class Hello(Message, frozen=True, tag="hello", omit_defaults=True):
    """First message: who is there, in which language, whether whole boards are wanted, what to take up again."""

    v: int
    token: Annotated[str, Meta(max_length=1024)] | None = None
    name: Name | None = None
    lang: Annotated[str, Meta(max_length=35)] | None = None
    boards: bool = False
    resume: Annotated[tuple[Resume, ...], Meta(max_length=16)] = ()


class Command(Message, frozen=True, omit_defaults=True):
    """A message about a race that is answered by exactly one `res` when it has an `id`."""

    race: Rid
    id: Id | None = None


class Join(Command, frozen=True, tag="join"):
    """Take a seat, or find it again."""


class Watch(Command, frozen=True, tag="watch"):
    """Watch the race."""


class Leave(Command, frozen=True, tag="leave"):
    """Give the seat back before the start, or decline the one that is kept, and say why if one likes; stop watching."""

    reason: DeclineReason | None = None


class Ready(Command, frozen=True, tag="ready"):
    """Be ready."""


class Unready(Command, frozen=True, tag="unready"):
    """Be ready no longer."""


class Start(Command, frozen=True, tag="start"):
    """Start the race as its creator."""


class Cancel(Command, frozen=True, tag="cancel"):
    """Call the race off as its creator."""


class Play(Message, frozen=True, tag="play", omit_defaults=True):
    """Play word `m` as operation number `n` (from 1) of one's own lane."""

    race: Rid
    n: int
    m: Annotated[str, Meta(max_length=32)]
    id: Id | None = None


class Done(Command, frozen=True, tag="done"):
    """Settle with the present position."""


class Resign(Command, frozen=True, tag="resign"):
    """Give up."""


class Hint(Command, frozen=True, tag="hint"):
    """Ask for a move to play, in a race of one seat."""


class Rematch(Command, frozen=True, tag="rematch"):
    """Ask for the next race."""


class Queue(Message, frozen=True, tag="queue", omit_defaults=True):
    """Ask for a quick race; answered later by `matched`."""

    game: Annotated[str, Meta(max_length=16)]
    goal: Annotated[str, Meta(max_length=16)] | None = None
    rated: bool = False
    id: Id | None = None


class Unqueue(Message, frozen=True, tag="unqueue", omit_defaults=True):
    """Wait for a quick race no longer."""

    game: Annotated[str, Meta(max_length=16)] | None = None
    id: Id | None = None


class Ping(Message, frozen=True, tag="ping", omit_defaults=True):
    """Ask for the server's time; `c` comes back."""

    c: int | float | str | None = None


Said = (
    Join
    | Watch
    | Leave
    | Ready
    | Unready
    | Start
    | Cancel
    | Play
    | Hint
    | Done
    | Resign
    | Rematch
    | Queue
    | Unqueue
    | Ping
)
"""Whatever follows `hello`."""

Inbound = Hello | Said
