"""The messages of `fairdeal-bot` 1, a line of JSON each (bots.md), and how what a program says is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from engine.codes import Rules
from engine.golf.rules import GolfRules
from engine.misfit import UNREADABLE, misfit

__all__ = [
    "LONGEST",
    "VERSION",
    "BadLine",
    "Best",
    "End",
    "Error",
    "Go",
    "Greeting",
    "Hello",
    "New",
    "Quit",
    "Ready",
    "Said",
    "line_of",
    "read_line",
    "rules_map",
]

VERSION: Final = 1
LONGEST: Final = 64 * 1024
"""Bytes that a line may have, its end included."""

Name = Annotated[str, Meta(max_length=64)]


class Hello(Struct, frozen=True, tag="hello", tag_field="t"):
    """The first line: which version is spoken."""

    v: int = VERSION


class New(Struct, frozen=True, tag="new", tag_field="t", omit_defaults=True):
    """A game begins; `code` and `deal` are for an oracle only."""

    game: int
    seed: int
    goal: str
    undo: str
    max_ops: int
    rules: Mapping[str, Any]
    view: Mapping[str, Any]
    clock_ms: int | None = None
    code: str | None = None
    deal: Mapping[str, Any] | None = None


class Go(Struct, frozen=True, tag="go", tag_field="t", omit_defaults=True):
    """A move is asked for; `played` was accepted since the last one."""

    game: int
    turn: int
    played: Sequence[str]
    view: Mapping[str, Any]
    budget_ms: int
    clock_ms: int | None = None
    nodes: int | None = None


class Error(Struct, frozen=True, tag="error", tag_field="t"):
    """What was wrong with an answer; the game is over."""

    game: int
    turn: int
    code: str
    message: str


class End(Struct, frozen=True, tag="end", tag_field="t", omit_defaults=True):
    """A game is over."""

    game: int
    status: str
    score: int
    moves: int
    reason: str | None = None


class Quit(Struct, frozen=True, tag="quit", tag_field="t"):
    """The last line."""


class Greeting(Struct, frozen=True, tag="hello", tag_field="t"):
    """What a program says of itself."""

    v: Literal[1]
    name: Name
    version: Name
    games: Annotated[tuple[Literal["GO", "DS"], ...], Meta(min_length=1)]
    mode: Literal["fair", "oracle"]


class Ready(Struct, frozen=True, tag="ready", tag_field="t"):
    """The program is ready for this game's first `go`."""

    game: int


class Info(Struct, frozen=True):
    """What the program says of its thinking."""

    nodes: Annotated[int, Meta(ge=0)] | None = None
    note: str | None = None


class Best(Struct, frozen=True, tag="best", tag_field="t"):
    """The answer to a `go`."""

    game: int
    turn: int
    m: str
    info: Info | None = None


class Tagged(Struct, frozen=True):
    """Any message, of which only the kind is looked at."""

    t: str


Said = Greeting | Ready | Best

_KINDS: Final[Mapping[str, type[Greeting] | type[Ready] | type[Best]]] = {
    "hello": Greeting,
    "ready": Ready,
    "best": Best,
}
_tagged = msgspec.json.Decoder(Tagged)
_best = msgspec.json.Decoder(Best)
_encoder = msgspec.json.Encoder()


class BadLine(ValueError):
    """A line that is no message of this protocol."""


def line_of(message: Struct) -> bytes:
    """Write a message down, its line's end included."""
    return _encoder.encode(message) + b"\n"


def read_line(line: bytes) -> Said | None:
    """Read what a program said; None for a kind of message that is not known. Raises BadLine."""
    try:
        return _best.decode(line)  # What nearly every line is.
    except UNREADABLE:
        pass
    kind: type[Struct] = Tagged
    try:
        said = _KINDS.get(_tagged.decode(line).t)
        if said is None:
            return None
        kind = said
        return msgspec.json.decode(line, type=said)
    except UNREADABLE as fault:
        found = f"expected a message, found {line[:80].decode('utf-8', 'replace')!r}"
        why = ": ".join(filter(None, misfit(fault, kind))) if isinstance(fault, msgspec.ValidationError) else str(fault)
        raise BadLine(f"{found}: {why}") from fault


def rules_map(rules: Rules) -> dict[str, Any]:
    """Return a game's rules as `new` has them."""
    return {"game": "GO" if isinstance(rules, GolfRules) else "DS", **msgspec.structs.asdict(rules)}
