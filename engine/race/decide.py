"""What a command makes happen: `decide(race, command) → events | refusal`, without clock, I/O or chance."""

from __future__ import annotations

from typing import assert_never

from engine.race.before_start import cancelled, created, joined, left, readied, started, unreadied
from engine.race.commands import (
    Cancel,
    Command,
    Create,
    Done,
    Hint,
    Join,
    Leave,
    MarkAbsent,
    MarkBack,
    Play,
    Ready,
    Recover,
    Resign,
    Start,
    Tick,
    Unready,
    Void,
)
from engine.race.decision import Decision, Happens, Refused, Repeated
from engine.race.ends import recovered, ruled, ticked
from engine.race.in_play import absent, back, hinted, played, settled
from engine.race.model import Race, SeatEnd
from engine.refusals import ErrorCode

__all__ = ["Decision", "Happens", "Refused", "Repeated", "decide"]

_UNKNOWN_RACE = Refused(ErrorCode.UNKNOWN_RACE)


def decide(race: Race, command: Command) -> Decision:
    """Return what a command makes of a race as it stands."""
    if race.card is None:
        return created(race, command) if isinstance(command, Create) else _UNKNOWN_RACE
    # Nearly all commands are plays, and this is the quickest way to them.
    return played(race, command) if type(command) is Play else _decided(race, command)


def _decided(race: Race, command: Command) -> Decision:  # noqa: C901 - one case a command, that is all
    match command:
        case Create():
            return Repeated()
        case Play():
            return played(race, command)
        case Hint():
            return hinted(race, command)
        case Done():
            return settled(race, command.player, command.now, SeatEnd.DONE)
        case Resign():
            return settled(race, command.player, command.now, SeatEnd.RESIGNED)
        case Join():
            return joined(race, command)
        case Leave():
            return left(race, command)
        case Ready():
            return readied(race, command)
        case Unready():
            return unreadied(race, command)
        case Start():
            return started(race, command)
        case Cancel():
            return cancelled(race, command)
        case MarkAbsent():
            return absent(race, command)
        case MarkBack():
            return back(race, command)
        case Tick():
            return ticked(race, command.now)
        case Void():
            return ruled(race, command)
        case Recover():
            return recovered(race, command)
        case _:
            assert_never(command)
