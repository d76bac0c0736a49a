"""What one append of a lane is to hold: the commands that wait, decided in turn on what those before them make."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from engine.log.chain import entry_mac
from engine.log.entry import Cursor, LogError
from engine.race.commands import Command, Play
from engine.race.decide import Decision, Happens, Refused, decide
from engine.race.events import Event, packed
from engine.race.evolve import Secrets, evolve, opened
from engine.race.in_play import played
from engine.race.model import Race
from server.races.answer import Answer

__all__ = ["Plan", "Waiting", "give_all", "one_move", "planned", "sealed"]


class Waiting(Struct, eq=False):
    """A command, and who is told its answer, or the fault because of which there is none."""

    command: Command
    told: Callable[[Answer | Exception], None]
    answered: bool = False

    def give(self, answer: Answer | Exception) -> None:
        """Answer, unless that was done before."""
        if not self.answered:
            self.answered = True
            self.told(answer)


def give_all(taken: Sequence[Waiting], answer: Answer | Exception) -> None:
    """Give the same answer to all that have none yet."""
    for waiting in taken:
        waiting.give(answer)


class Plan(Struct):
    """Decisions made on the race at `seen`, the events to append to one lane in one time window, and `after` them."""

    seen: Cursor
    after: Race
    made: list[tuple[Waiting, Decision]] = []
    lane: str = ""
    events: tuple[Event, ...] = ()
    from_ms: int | None = None
    until_ms: int | None = None

    @property
    def refused(self) -> bool:
        """True when some command is to be refused."""
        return any(isinstance(decision, Refused) for _, decision in self.made)


def planned(race: Race, waiting: Sequence[Waiting], now: int, secrets: Secrets) -> Plan:
    """Plan commands in turn, up to the first that needs an append of its own: another lane, another window.

    Entries that are not written yet are taken to bear the time `now` (ms) and no new hash: no decision needs those.
    """
    plan = Plan(race.cursor, race)
    for one in waiting:
        decision = decide(plan.after, one.command)
        if isinstance(decision, Happens):
            window = (decision.lane, decision.from_ms, decision.until_ms)
            if plan.events and window != (plan.lane, plan.from_ms, plan.until_ms):
                break
            plan.lane, plan.from_ms, plan.until_ms = window
            plan.events += decision.events
            for event in decision.events:
                known = opened(plan.after, event, secrets)
                plan.after = evolve(known, event, max(now, race.at), race.h)
        plan.made.append((one, decision))
    return plan


def one_move(race: Race, waiting: Waiting) -> Plan | None:
    """Plan a command where it is a move that goes on the table and leaves its seat in play, as nearly all do.

    Nothing has to be made ready for such an append, and nothing that is planned before it comes back depends on it: it
    is folded once only, when it is in.
    """
    command = waiting.command
    if type(command) is not Play:
        return None
    decision = played(race, command)
    if not isinstance(decision, Happens) or not decision.leaves_in_play:
        return None
    made: list[tuple[Waiting, Decision]] = [(waiting, decision)]
    return Plan(
        Cursor(race.seq, race.h), race, made, decision.lane, decision.events, decision.from_ms, decision.until_ms
    )


def sealed(plan: Plan) -> list[tuple[bytes, bytes]]:
    """Return the MAC and the body of each event. Raises LogError."""
    opening = plan.after.opening
    if opening is None:
        raise LogError(plan.seen.seq, "expected a race whose secrets are known")
    salt = bytes.fromhex(opening.salt)
    pairs: list[tuple[bytes, bytes]] = []
    for event in plan.events:
        body = packed(event)
        pairs.append((entry_mac(salt, body), body))
    return pairs
