"""One race on this node: commands go in, are decided and appended lane by lane, and every entry is told in order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine, Sequence
from typing import Any, Final, Protocol

from msgspec import Struct

from engine.log.chain import entry_mac
from engine.log.entry import SHARED_LANE, START, Cursor, Entry, LogError, pack_body
from engine.race.commands import Command, Create, Done, Play, Resign, Tick
from engine.race.decide import Decision, Happens, Refused, Repeated, decide
from engine.race.events import Event, SeatEvent, body_of
from engine.race.evolve import Secrets, evolve, fold, opened, step
from engine.race.model import Race
from engine.refusals import ErrorCode
from server.races.answer import Answer, refusal
from server.store.connect import StoreUnavailable
from server.store.log import Appended, Behind, Forked, Log, TooEarly, TooLate

__all__ = ["MAX_WAITING", "Host", "Listener", "Table"]

MAX_WAITING: Final = 1_000
"""Commands that may wait for one lane of a race; one more is answered `busy`."""
MAX_TOGETHER: Final = 128
"""Commands that go out as one append."""
BUSY_RETRY_MS: Final = 500


class Host(Protocol):
    """What a table needs of the node around it."""

    @property
    def log(self) -> Log:
        """Where logs are appended to and read from."""

    @property
    def secrets(self) -> Secrets:
        """Where a race's salt and sealed number are learnt."""

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Own a task."""

    async def prepare(self, race: Race, events: Sequence[Event]) -> None:
        """Do what must be there before these events are appended: their timers. Raises StoreUnavailable."""

    def ring(self, rid: str, seq: int) -> None:
        """Tell other nodes that the log has entries up to `seq`, appended here."""

    def told(self, table: Table) -> None:
        """Take note that the fold has changed."""

    def followed(self, table: Table) -> None:
        """Take note that somebody began or ceased to follow."""


class Listener(Protocol):
    """Who is told what happens in a race: durable entries only, in order, each once."""

    def on_entry(self, before: Race, event: Event, after: Race) -> None:
        """Take note of one entry."""

    def on_reset(self, race: Race) -> None:
        """Take note that history was replaced: the fold is another."""


class _Waiting(Struct, eq=False):
    """A command and who waits for its answer; `whose` is the lane that it waits in."""

    command: Command
    answer: asyncio.Future[Answer]


class _Plan(Struct):
    """What a lane's next append holds: for each command its decision, and the fold's place they were made on."""

    made: list[tuple[_Waiting, Decision]]
    seen: Cursor
    lane: str
    events: tuple[Event, ...] = ()
    from_ms: int | None = None
    until_ms: int | None = None

    @property
    def refused(self) -> bool:
        return any(isinstance(decision, Refused) for _, decision in self.made)


class Table:
    """One race on this node: the fold of its log, and the commands under way.

    A lane has at most one append in flight, and beside one of the shared lane there is none. Commands that come
    meanwhile are decided in turn on what the ones before them will have made, and go out together.
    """

    def __init__(self, rid: str, host: Host) -> None:
        self.rid = rid
        self.race = Race(rid)
        self._host = host
        self._listeners: list[Listener] = []
        self._queues: dict[str, deque[_Waiting]] = {}
        self._in_flight: set[str] = set()
        self._reading = asyncio.Lock()
        self._reads = 0
        self._unsure = False

    @property
    def idle(self) -> bool:
        """True when nobody follows and nothing is under way, so that the table may be put away."""
        return not self._listeners and not self._in_flight and not any(self._queues.values())

    def follow(self, listener: Listener) -> None:
        """Tell a listener everything from now on."""
        self._listeners.append(listener)
        self._host.followed(self)

    def unfollow(self, listener: Listener) -> None:
        """Tell it nothing more."""
        if listener in self._listeners:
            self._listeners.remove(listener)
            self._host.followed(self)

    @property
    def followed(self) -> bool:
        """True while somebody listens."""
        return bool(self._listeners)

    async def ask(self, command: Command) -> Answer:
        """Decide a command, append what it makes happen, and answer once that is durable and folded here.

        The listeners have been told its entries before. What cannot be found out is answered `unavailable`. Raises
        LogError where the log cannot be folded.
        """
        lane = self._lane_of(command)
        queue = self._queues.setdefault(lane, deque())
        if len(queue) >= MAX_WAITING:
            return refusal(Refused(ErrorCode.BUSY), self.race.cursor, BUSY_RETRY_MS)
        waiting = _Waiting(command, asyncio.get_running_loop().create_future())
        queue.append(waiting)
        self._pump()
        return await waiting.answer

    async def fresh(self) -> Race:
        """Return the race as its log had it at some moment after this call began. Raises StoreUnavailable, LogError."""
        begun = self._reads
        async with self._reading:
            if self._reads == begun:
                self._reads += 1
                await self._read()
        return self.race

    def _lane_of(self, command: Command) -> str:
        """Return where a command waits: with its own seat's only where nothing but that seat's board decides."""
        if isinstance(command, Play | Done | Resign):
            seat = self.race.seat_of(command.player)
            if seat is not None:
                return str(seat.seat)
        return SHARED_LANE

    def _pump(self) -> None:
        """Start every append that may go now."""
        if SHARED_LANE in self._in_flight:
            return
        if self._queues.get(SHARED_LANE):
            if not self._in_flight:
                self._launch(SHARED_LANE)
            return
        for lane, queue in self._queues.items():
            if queue and lane not in self._in_flight:
                self._launch(lane)

    def _launch(self, lane: str) -> None:
        self._in_flight.add(lane)
        self._host.spawn(self._carry(lane), f"race {self.rid} lane {lane}")

    async def _carry(self, lane: str) -> None:
        """Carry out what waits in a lane, then let others go."""
        queue = self._queues[lane]
        taken = [queue.popleft() for _ in range(min(len(queue), MAX_TOGETHER))]
        try:
            await self._carry_out(taken, lane)
        except StoreUnavailable as fault:
            self._unsure = True
            unknown = refusal(Refused(ErrorCode.UNAVAILABLE), self.race.cursor, fault.retry_ms)
            for waiting in taken:
                _answer(waiting, unknown)
        except LogError as fault:
            for waiting in taken:
                _fail(waiting, fault)
        finally:
            for waiting in taken:
                _fail(waiting, StoreUnavailable("this node is closing"))
            self._in_flight.discard(lane)
            self._close_if_over()
            self._pump()

    async def _carry_out(self, taken: list[_Waiting], lane: str) -> None:
        if self._unsure:
            # An append whose outcome was not found out may be in: nothing is decided before that is known.
            await self.fresh()
            self._unsure = False
        tail_read = False
        while taken:
            plan = self._planned(taken, lane)
            if plan.refused and not tail_read:
                # A refusal is given only on a fold that was read to the tail after the command came.
                await self.fresh()
                tail_read = True
                continue
            if not plan.events:
                self._answer_all(plan)
            else:
                outcome = await self._append(plan)
                match outcome:
                    case Appended():
                        self._appended(plan, outcome)
                    case Behind(missed):
                        self._take(missed)
                        tail_read = True
                        continue
                    case Forked():
                        await self._reset()
                        tail_read = True
                        continue
                    case TooEarly():
                        self._answer_all(plan, Refused(ErrorCode.NOT_STARTED))
                    case TooLate():
                        self._answer_all(plan, Refused(ErrorCode.OVER))
            del taken[: len(plan.made)]

    def _planned(self, taken: Sequence[_Waiting], lane: str) -> _Plan:
        """Decide the commands in turn, each on what those before it make; stop where one append cannot hold more."""
        race = self.race
        plan = _Plan([], race.cursor, lane)
        for waiting in taken:
            decision = decide(race, waiting.command)
            if isinstance(decision, Happens):
                window = (decision.lane, decision.from_ms, decision.until_ms)
                if plan.events and window != (plan.lane, plan.from_ms, plan.until_ms):
                    break
                plan.lane, plan.from_ms, plan.until_ms = window
                plan.events += decision.events
                race = self._foreseen(race, decision.events)
            plan.made.append((waiting, decision))
        return plan

    def _foreseen(self, race: Race, events: Sequence[Event]) -> Race:
        """Return what a race will be: times and hashes are not known yet, and no decision in a batch needs them."""
        for event in events:
            race = evolve(opened(race, event, self._host.secrets), event, race.at, race.h)
        return race

    async def _append(self, plan: _Plan) -> Appended | Behind | Forked | TooEarly | TooLate:
        opening = opened(self.race, plan.events[0], self._host.secrets).opening
        if opening is None:
            raise LogError(plan.seen.seq, "expected a race whose secrets are known")
        salt = bytes.fromhex(opening.salt)
        await self._host.prepare(self.race, plan.events)
        bodies = [pack_body(body_of(event)) for event in plan.events]
        return await self._host.log.append(
            self.rid,
            plan.seen,
            plan.lane,
            [(entry_mac(salt, body), body) for body in bodies],
            start_ms=plan.from_ms,
            until_ms=plan.until_ms,
        )

    def _appended(self, plan: _Plan, outcome: Appended) -> None:
        """Fold what was missed and what is ours, then answer each command with its own last entry."""
        self._take(outcome.missed)
        self._host.ring(self.rid, outcome.entries[-1].seq)
        entries = iter(outcome.entries)
        for waiting, decision in plan.made:
            if not isinstance(decision, Happens):
                _answer(waiting, self._answer_to(waiting.command, decision))
                continue
            counted = True
            for event in decision.events:
                entry = next(entries)
                counted = not (self.race.ended and isinstance(event, SeatEvent))
                self._take((entry,))
            if counted:
                lane = self._lane_number(waiting.command)
                _answer(waiting, Answer(True, entry.seq, entry.h, lane))
            else:
                _answer(waiting, refusal(Refused(ErrorCode.OVER), entry.cursor))

    def _answer_all(self, plan: _Plan, instead: Refused | None = None) -> None:
        """Answer without an append; `instead` is for those whose events the time window kept out."""
        for waiting, decision in plan.made:
            if isinstance(decision, Happens) and instead is not None:
                _answer(waiting, refusal(instead, self.race.cursor))
            else:
                _answer(waiting, self._answer_to(waiting.command, decision))

    def _answer_to(self, command: Command, decision: Decision) -> Answer:
        if isinstance(decision, Refused):
            return refusal(decision, self.race.cursor)
        lane = decision.lane if isinstance(decision, Repeated) else None
        return Answer(True, self.race.seq, self.race.h, lane, dup=not isinstance(command, Create))

    def _lane_number(self, command: Command) -> int | None:
        """Return the number that an accepted play, done or resign leaves its seat at."""
        if not isinstance(command, Play | Done | Resign):
            return None
        if isinstance(command, Play):
            return command.n
        seat = self.race.seat_of(command.player)
        return seat.lane if seat is not None else None

    async def _read(self) -> None:
        cursor = self.race.cursor
        entries = await self._host.log.read(self.rid, cursor)
        if isinstance(entries, Forked):
            await self._reset()
        else:
            self._take(entries)

    async def _reset(self) -> None:
        """Drop the fold and read the log from its start: history that was seen is gone."""
        entries = await self._host.log.read(self.rid, START)
        self.race = fold(Race(self.rid), () if isinstance(entries, Forked) else entries, self._host.secrets)
        for listener in tuple(self._listeners):
            listener.on_reset(self.race)
        self._host.told(self)

    def _take(self, entries: Sequence[Entry]) -> None:
        """Fold entries that are new here and tell them; those folded before are passed over."""
        new = [entry for entry in entries if entry.seq > self.race.seq]
        for entry in new:
            before = self.race
            event, after = step(before, entry, self._host.secrets)
            self.race = after
            for listener in tuple(self._listeners):
                listener.on_entry(before, event, after)
        if new:
            self._host.told(self)

    def _close_if_over(self) -> None:
        """Say in the log that the race is over, once the fold says so; whichever node sees it does."""
        queue = self._queues.setdefault(SHARED_LANE, deque())
        if self.race.over is not None and not self.race.closed and not queue and not self._unsure:
            queue.append(_Waiting(Tick(self.race.at), asyncio.get_running_loop().create_future()))


def _fail(waiting: _Waiting, fault: Exception) -> None:
    if not waiting.answer.done():
        waiting.answer.set_exception(fault)
        waiting.answer.exception()  # Nobody may be waiting any more; that is no fault of its own.


def _answer(waiting: _Waiting, answer: Answer) -> None:
    if not waiting.answer.done():
        waiting.answer.set_result(answer)
