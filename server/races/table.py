"""One race on this node: commands go in, are decided and appended lane by lane, and every entry is told in order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Final

from engine.log.chain import entry_mac
from engine.log.entry import SHARED_LANE, START, Cursor, Entry, LogError, pack_body
from engine.race.commands import Command, Create, Done, Hint, Play, Recover, Resign
from engine.race.decide import Happens, Refused, Repeated
from engine.race.events import Event, SeatEvent, body_of
from engine.race.evolve import fold, step
from engine.race.model import Race
from engine.refusals import ErrorCode
from server.races.answer import Answer, refusal
from server.races.host import Host, Listener
from server.races.lanes import Lanes
from server.races.plan import Plan, Waiting, one_move, planned
from server.store.connect import StoreUnavailable
from server.store.log import Appended, Archived, Behind, Forked, Outcome, TooEarly, TooLate

__all__ = ["Table"]

BUSY_RETRY_MS: Final = 500
AHEAD_MS: Final = 250
"""How far a node's clock may be ahead of Redis's without anybody being told that it is too early."""


OF_A_SEAT: Final = (Play, Hint, Done, Resign)
"""Commands about which nothing but the board of the player's own seat decides."""


class Table:
    """One race on this node: the fold of its log, and the commands under way.

    A lane has at most one append in flight, and beside one of the shared lane there is none. Commands that come
    meanwhile are decided in turn on what the ones before them will have made, and go out together.
    """

    def __init__(self, rid: str, host: Host) -> None:
        self.rid = rid
        self.race = Race(rid)
        self.next: str | None = None
        self._host = host
        self._loop = asyncio.get_running_loop()
        self._listeners: list[Listener] = []
        self._lanes = Lanes(self._launch)
        self._reading = asyncio.Lock()
        self._reads_begun = 0
        self._read_last = 0
        self._resets = 0
        self._unsure = False
        self._loss: Recover | None = None
        self._noting: asyncio.Future[Answer] | None = None

    @property
    def idle(self) -> bool:
        """True when nobody follows and nothing is under way, so that the table may be put away."""
        return not self._listeners and self.quiet and self._loss is None

    @property
    def quiet(self) -> bool:
        """True when no command is under way."""
        return self._lanes.idle

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

    def go_on(self, following: str) -> None:
        """Take note that another race follows this one, which is over, and tell it."""
        self.next = following
        for listener in tuple(self._listeners):
            listener.on_next(following)

    async def ask(self, command: Command) -> Answer:
        """Decide a command, append what it makes happen, and answer once that is durable and folded here.

        The listeners have been told its entries before. What cannot be found out is answered `unavailable`. Raises
        LogError where the log cannot be folded.
        """
        answer: asyncio.Future[Answer] = self._loop.create_future()

        self.put(command, _told(answer))
        return await answer

    def put(self, command: Command, told: Callable[[Answer | Exception], None]) -> None:
        """Do as `ask` does without waiting: the answer is told, or what `ask` would raise. `told` must not raise."""
        waiting = Waiting(command, told)
        if not self._lanes.put(self._lane_of(command), waiting):
            waiting.give(refusal(Refused(ErrorCode.BUSY), self.race.cursor, BUSY_RETRY_MS))

    def look(self, told: Callable[[bool], None]) -> None:
        """Ask, without a task, whether the log still ends where the fold does; `told` gets False where it may not."""
        asked = self.race.cursor
        if not asked.seq or self.race.closed or self._loss is not None:
            told(False)
        else:
            self._host.log.ends_at(self.rid, asked, lambda ends: told(ends or self.race.seq > asked.seq))

    async def settled(self) -> None:
        """Return once no command is under way."""
        await self._lanes.settled()

    async def fresh(self) -> Race:
        """Return the race as its log had it at some moment after this call began. Raises StoreUnavailable, LogError."""
        begun = self._reads_begun
        async with self._reading:
            # A read that began after the call and went well while this one waited for its turn is as good.
            if self._read_last <= begun:
                self._reads_begun += 1
                this_read = self._reads_begun
                await self._read()
                self._read_last = this_read
        if self._loss is not None and self._noting is None:
            self._note(self._loss)
        return self.race

    def note_loss(self, lost: Cursor, recoveries: int) -> asyncio.Future[Answer]:
        """Note in the log, once, that confirmed history after so many recoveries is gone: `lost` was in it.

        What cannot be written now is tried again whenever the log is read; the answer is that of the first time.
        """
        if self._loss is None or self._loss.recoveries < recoveries:
            self._loss = Recover(lost.seq, lost.h, recoveries)
        return self._note(self._loss)

    def _note(self, loss: Recover) -> asyncio.Future[Answer]:
        """Let a loss be noted with the next append of the shared lane."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def noted(answer: asyncio.Future[Answer]) -> None:
            self._noting = None
            if not answer.cancelled() and answer.exception() is None and answer.result().retry_ms is None:
                self._loss = None

        answer.add_done_callback(noted)
        self._noting = answer
        waiting = Waiting(loss, _told(answer))
        if not self._lanes.put(SHARED_LANE, waiting):
            waiting.give(refusal(Refused(ErrorCode.BUSY), self.race.cursor, BUSY_RETRY_MS))
        return answer

    def _lane_of(self, command: Command) -> str:
        """Return where a command waits: with its own seat's only where nothing but that seat's board decides."""
        if isinstance(command, OF_A_SEAT):
            seat = self.race.seat_of(command.player)
            if seat is not None:
                return str(seat.seat)
        return SHARED_LANE

    def _launch(self, lane: str) -> None:
        """Carry out what waits in a lane: a single move at once, without a task; all else by the task of an append."""
        waiting = None if self._unsure else self._lanes.alone(lane)
        plan = None if waiting is None else one_move(self.race, waiting)
        if plan is None:
            self._host.spawn(self._carry(lane), f"race {self.rid} lane {lane}")
        else:
            self._begin(lane, plan)

    def _begin(self, lane: str, plan: Plan) -> None:
        """Append a plan; where that does not go smoothly, its commands are carried on with by a task."""
        taken, resets, begun = self._lanes.take(lane), self._resets, self._loop.time()

        def landed(outcome: Outcome | None) -> None:
            self._count(outcome, begun)
            if not isinstance(outcome, Appended) or resets != self._resets:
                tried = (plan, outcome) if resets == self._resets else None
                self._host.spawn(self._carry(lane, taken, tried), f"race {self.rid} lane {lane}")
                return
            try:
                self._appended(plan, outcome)
            except LogError as fault:
                self._give_all(taken, fault)
            finally:
                self._landed(lane, taken)

        self._host.log.begin(
            self.rid, plan.seen, plan.lane, self._sealed(plan), landed, start_ms=plan.from_ms, until_ms=plan.until_ms
        )

    async def _carry(
        self, lane: str, taken: list[Waiting] | None = None, tried: tuple[Plan, Outcome | None] | None = None
    ) -> None:
        """Carry out what waits in a lane, or go on with what was taken and tried; then let others go."""
        taken = self._lanes.take(lane) if taken is None else taken
        try:
            await self._carry_out(taken, tried)
        except StoreUnavailable as fault:
            self._unsure = True
            self._give_all(taken, refusal(Refused(ErrorCode.UNAVAILABLE), self.race.cursor, fault.retry_ms))
        except LogError as fault:
            self._give_all(taken, fault)
        finally:
            self._landed(lane, taken)

    def _landed(self, lane: str, taken: Sequence[Waiting]) -> None:
        if not all(waiting.answered for waiting in taken):
            self._give_all(taken, StoreUnavailable("this node is closing"))
        self._lanes.landed(lane)

    def _give_all(self, taken: Sequence[Waiting], answer: Answer | Exception) -> None:
        for waiting in taken:
            waiting.give(answer)

    async def _carry_out(self, taken: list[Waiting], tried: tuple[Plan, Outcome | None] | None) -> None:
        """Answer commands and take them off the list, append by append. Raises StoreUnavailable, LogError."""
        if tried is not None and await self._settled(*tried, begun=True):
            return
        at_tail = False
        if self._unsure:
            # An append whose outcome was not found out may be in: nothing is decided before that is known.
            self._unsure = False
            await self.fresh()
            at_tail = True
        while taken:
            plan = planned(self.race, taken, self._host.clock.now(), self._host.secrets)
            if plan.refused and not at_tail:
                # A refusal is given only on a fold that was read to the tail after the command came.
                await self.fresh()
                at_tail = True
            elif not plan.events:
                self._answer_rest(plan)
                del taken[: len(plan.made)]
            elif await self._settled(plan):
                del taken[: len(plan.made)]

    async def _settled(self, plan: Plan, outcome: Outcome | None = None, *, begun: bool = False) -> bool:
        """Append a plan's events and answer its commands; False where the race has changed: it is to be planned anew.

        `begun`: that was tried before, and this came of it, if it is known. Raises StoreUnavailable, LogError.
        """
        resets, since = self._resets, self._loop.time()
        if outcome is None:
            outcome = await self._append(plan, begun)
            self._count(outcome, since)
        if resets != self._resets:
            return False  # What was decided on is gone; whether the entries are in, the new history tells.
        match outcome:
            case Behind(missed):
                self._take(missed)
                return False
            case Forked():
                await self._reset()
                return False
            case Archived():
                await self.fresh()
                if self.race.cursor != plan.seen:
                    return False
                self._refuse_events(plan, ErrorCode.OVER)
            case Appended():
                self._appended(plan, outcome)
            case TooEarly(now) if plan.from_ms is not None and plan.from_ms - now <= AHEAD_MS:
                # This node's clock was that much ahead, and by it the boards were dealt: the start is waited for.
                await asyncio.sleep((plan.from_ms - now) / 1000)
                return False
            case TooEarly(now):
                self._out_of_time(plan, now, ErrorCode.NOT_STARTED)
            case TooLate(now):
                self._out_of_time(plan, now, ErrorCode.OVER)
        return True

    def _count(self, outcome: Outcome | None, since: float) -> None:
        if outcome is not None:
            metrics = self._host.metrics
            metrics.appends.count(type(outcome).__name__.lower())
            metrics.append_s.observe(self._loop.time() - since)

    async def _append(self, plan: Plan, begun: bool) -> Outcome:
        sealed = self._sealed(plan)
        await self._host.prepare(self.race, plan.after)
        return await self._host.log.append(
            self.rid, plan.seen, plan.lane, sealed, start_ms=plan.from_ms, until_ms=plan.until_ms, begun=begun
        )

    def _sealed(self, plan: Plan) -> list[tuple[bytes, bytes]]:
        """Return the MAC and the body of each event. Raises LogError."""
        opening = plan.after.opening
        if opening is None:
            raise LogError(plan.seen.seq, "expected a race whose secrets are known")
        salt = bytes.fromhex(opening.salt)
        bodies = [pack_body(body_of(event)) for event in plan.events]
        return [(entry_mac(salt, body), body) for body in bodies]

    def _appended(self, plan: Plan, outcome: Appended) -> None:
        """Fold what was missed and what is ours, then answer each command with its own last entry."""
        self._host.ring(self.rid, outcome.entries[-1].seq)
        if outcome.missed:
            self._take(outcome.missed)
        at = 0
        for waiting, decision in plan.made:
            if isinstance(decision, Happens):
                ours = outcome.entries[at : at + len(decision.events)]
                at += len(ours)
                self._take(ours, decision.events)
                waiting.give(self._answer_in(waiting.command, decision.events[-1], ours[-1]))
            else:
                waiting.give(self._answer_to(waiting.command, decision))

    def _answer_in(self, command: Command, event: Event, entry: Entry) -> Answer:
        """Return the answer to a command whose last event is in the log."""
        over_seq = self.race.over_seq
        if over_seq is not None and entry.seq > over_seq and isinstance(event, SeatEvent):
            # Another seat's entry, just before, has ended the race: this one changes nothing.
            return refusal(Refused(ErrorCode.OVER, lane=self._lane_number(command)), entry.cursor)
        # The fold may have gone on already, through a read: a play's number is its own.
        if isinstance(command, Play):
            self._host.metrics.moves.count()
            return Answer(True, entry.seq, entry.h, command.n)
        return Answer(True, entry.seq, entry.h, self._lane_number(command))

    def _out_of_time(self, plan: Plan, now: int, code: ErrorCode) -> None:
        """Answer without an append: the time window kept the events out, Redis's clock being at `now` (ms)."""
        self._host.clock.told(now)
        self._host.told(self, self.race)
        self._refuse_events(plan, code)

    def _refuse_events(self, plan: Plan, code: ErrorCode) -> None:
        """Answer without an append: what the commands would have made happen is refused with a code."""
        for waiting, decision in plan.made:
            if isinstance(decision, Happens):
                refused = Refused(code, lane=self._lane_number(waiting.command))
                waiting.give(refusal(refused, self.race.cursor))
        self._answer_rest(plan)

    def _answer_rest(self, plan: Plan) -> None:
        """Answer the commands that make nothing happen."""
        for waiting, decision in plan.made:
            if not isinstance(decision, Happens):
                waiting.give(self._answer_to(waiting.command, decision))

    def _answer_to(self, command: Command, decision: Refused | Repeated) -> Answer:
        if isinstance(decision, Refused):
            return refusal(decision, self.race.cursor)
        return Answer(True, self.race.seq, self.race.h, decision.lane, dup=not isinstance(command, Create))

    def _lane_number(self, command: Command) -> int | None:
        """Return the number of the last operation of the lane that a play, hint, done or resign belongs to."""
        if not isinstance(command, OF_A_SEAT):
            return None
        seat = self.race.seat_of(command.player)
        return seat.lane if seat is not None else None

    async def _read(self) -> None:
        resets = -1
        while resets != self._resets:
            resets = self._resets
            entries = await self._host.log.read(self.rid, self.race.cursor)
        if isinstance(entries, Forked):
            await self._reset()
        else:
            self._take(entries)

    async def _reset(self) -> None:
        """Drop the fold, read the log from its start, and note in it what it has lost: what was told is gone."""
        resets = self._resets
        entries = await self._host.log.read(self.rid, START)
        if resets != self._resets:
            return  # It was done meanwhile, and the fold may have gone on since.
        lost = self.race
        self.race = fold(Race(self.rid), () if isinstance(entries, Forked) else entries, self._host.secrets)
        self._resets += 1
        for listener in tuple(self._listeners):
            listener.on_reset(self.race)
        self._host.lost(self, lost)
        if self.race.card is None:
            self._loss = None  # There is no log any more to note it in.
        else:
            self.note_loss(lost.cursor, lost.recoveries)

    def _take(self, entries: Sequence[Entry], events: Sequence[Event] = ()) -> None:
        """Fold entries that are new here and tell them; those folded before are passed over.

        The events need not be read from the entries where they are known.
        """
        first = self.race
        for entry, event in zip_longest(entries, events):
            before = self.race
            if entry.seq > before.seq:
                told, self.race = step(before, entry, self._host.secrets, event)
                for listener in tuple(self._listeners):
                    listener.on_entry(before, told, self.race)
        if self.race is not first:
            self._host.told(self, first)


def _told(future: asyncio.Future[Answer]) -> Callable[[Answer | Exception], None]:
    """Return what makes an answer, or a fault, that of a future, unless whoever waits for it was cancelled."""

    def told(answer: Answer | Exception) -> None:
        if future.done():
            return
        if isinstance(answer, Exception):
            future.set_exception(answer)
            future.exception()  # Nobody may be waiting any more; that is no fault of its own.
        else:
            future.set_result(answer)

    return told
