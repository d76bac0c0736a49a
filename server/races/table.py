"""One race on this node: commands go in, are decided and appended lane by lane, and every entry is told in order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Final

from engine.log.chain import check_chain
from engine.log.entry import START, Cursor, Entry, LogError
from engine.race.commands import Command, Play, Recover
from engine.race.decide import Happens, Refused
from engine.race.events import OPERATIONS, Event, SeatEvent
from engine.race.evolve import fold, step
from engine.race.model import Race
from engine.refusals import ErrorCode
from server.races.answer import Answer, answer_to, refusal
from server.races.host import Host, Listener
from server.races.lanes import Lanes, lane_number, lane_of
from server.races.plan import Plan, Waiting, give_all, one_move, sealed
from server.races.shared import SharedRead
from server.races.turn import Turn
from server.store.append import Appended, Forked, Outcome
from server.store.notice import Notice

__all__ = ["Table"]

BUSY_RETRY_MS: Final = 500
OUTCOMES: Final = {kind: kind.__name__.lower() for kind in Outcome.__args__}
"""What outcomes of an append are counted as."""


class Table:
    """One race on this node: the fold of its log, and the commands under way.

    A lane has at most one append in flight, and beside one of the shared lane there is none. Commands that come
    meanwhile are decided in turn on what the ones before them will have made, and go out together.
    """

    def __init__(self, rid: str, host: Host) -> None:
        self.rid = rid
        self.race = Race(rid)
        self.next: str | None = None
        self.unsure = False
        """True while it is not known of some append whether it is in."""
        self.resets = 0
        """How many times another history has taken the place of what was folded."""
        self._host = host
        self._ring = host.bell.ring
        self._loop = asyncio.get_running_loop()
        self._listeners: list[Listener] = []
        self._lanes = Lanes(self._launch)
        self._reads = SharedRead()
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
        if not self._lanes.put(lane_of(self.race, command), waiting):
            waiting.give(refusal(Refused(ErrorCode.BUSY), self.race.cursor, BUSY_RETRY_MS))

    def look(self, told: Callable[[bool], None]) -> None:
        """Ask, without a task, whether the log still ends where the fold does; `told` gets False where it may not."""
        asked = self.race.cursor
        if not asked.seq or self.race.closed or self._loss is not None:
            told(False)
        else:
            self._host.log.ends_at(self.rid, asked, lambda ends: told(ends or self.race.seq > asked.seq))

    def hear(self, entries: Sequence[Entry]) -> bool:
        """Fold durable entries that another node tells of, if they follow upon the fold; False where they do not.

        The chain shows it: no fold goes on from history that has been lost.
        """
        race = self.race
        new = [entry for entry in entries if entry.seq > race.seq]
        if not new or race.opening is None or self._loss is not None:
            return False
        try:
            check_chain(new, bytes.fromhex(race.opening.salt), race.cursor)
            self.take(new)
        except LogError:
            return False
        return True

    async def settled(self) -> None:
        """Return once no command is under way."""
        await self._lanes.settled()

    async def fresh(self) -> Race:
        """Return the race as its log had it at some moment after this call began. Raises StoreUnavailable, LogError."""
        await self._reads.after_now(self._read)
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
        self.put(loss, _told(answer))
        return answer

    def _launch(self, lane: str, queue: deque[Waiting]) -> None:
        """Carry out what waits in a lane: a single move at once, without a task, as long as that goes smoothly.

        All else is carried out, or carried on with, by the task of an append.
        """
        plan = one_move(self.race, queue[0]) if len(queue) == 1 and not self.unsure else None
        if plan is None:
            self._hand_over(lane)
            return
        taken, resets, since = [queue.popleft()], self.resets, self._loop.time()

        def landed(outcome: Outcome | None) -> None:
            self.count(outcome, since)
            if not isinstance(outcome, Appended) or resets != self.resets:
                tried = (plan, outcome) if resets == self.resets else None
                self._hand_over(lane, taken, tried)
                return
            try:
                self.appended(plan, outcome)
            except LogError as fault:
                give_all(taken, fault)
            finally:
                self._lanes.landed(lane, taken)

        self._host.log.begin(
            self.rid, plan.seen, plan.lane, sealed(plan), landed, start_ms=plan.from_ms, until_ms=plan.until_ms
        )

    def _hand_over(
        self, lane: str, taken: list[Waiting] | None = None, tried: tuple[Plan, Outcome | None] | None = None
    ) -> None:
        """Let a task carry out what waits in a lane, or what was taken from it and tried."""
        turn = Turn(self, self._host, self._lanes, lane)
        self._host.spawn(turn.carry_out(taken, tried), f"race {self.rid} lane {lane}")

    def count(self, outcome: Outcome | None, since: float) -> None:
        """Count what came of an append that was sent at a time of the loop's, if it is known."""
        if outcome is not None:
            metrics = self._host.metrics
            metrics.appends.counts[OUTCOMES[type(outcome)]] += 1
            metrics.append_s.observe(self._loop.time() - since)

    def appended(self, plan: Plan, outcome: Appended) -> None:
        """Fold what was missed and what is ours, then answer each command with its own last entry."""
        try:
            if outcome.seq_before > self.race.seq:
                self.take(outcome.missed)
            at = 0
            for waiting, decision in plan.made:
                if isinstance(decision, Happens):
                    ours = outcome.entries[at : at + len(decision.events)]
                    at += len(ours)
                    self.take(ours, decision.events)
                    waiting.give(self._answer_in(waiting.command, decision.events[-1], ours[-1]))
                else:
                    waiting.give(answer_to(self.race, waiting.command, decision))
        finally:
            seq, race = outcome.entries[-1].seq, self.race
            # What could not be folded is read as what others ring for, and of a race that is closed the next is sought.
            known = race.seq >= seq and not race.closed
            self._ring(self.rid, Notice(seq, outcome.entries), known=known)

    def _answer_in(self, command: Command, event: Event, entry: Entry) -> Answer:
        """Return the answer to a command whose last event is in the log."""
        over_seq = self.race.over_seq
        if over_seq is not None and entry.seq > over_seq and isinstance(event, SeatEvent):
            # Another seat's entry, just before, has ended the race: this one changes nothing.
            return refusal(Refused(ErrorCode.OVER, lane=lane_number(self.race, command)), entry.cursor)
        # The fold may have gone on already, through a read: a play's number is its own.
        if isinstance(command, Play):
            self._host.metrics.moves.counts[""] += 1
            return Answer(True, entry.seq, entry.h, command.n)
        return Answer(True, entry.seq, entry.h, lane_number(self.race, command))

    async def _read(self) -> None:
        resets = -1
        while resets != self.resets:
            resets = self.resets
            entries = await self._host.log.read(self.rid, self.race.cursor)
        if isinstance(entries, Forked):
            await self.reset()
        else:
            self.take(entries)

    async def reset(self) -> None:
        """Drop the fold, read the log from its start, and note in it what it has lost: what was told is gone."""
        resets = self.resets
        entries = await self._host.log.read(self.rid, START)
        if resets != self.resets:
            return  # It was done meanwhile, and the fold may have gone on since.
        lost = self.race
        self.race = fold(Race(self.rid), () if isinstance(entries, Forked) else entries, self._host.secrets)
        self.resets += 1
        for listener in tuple(self._listeners):
            listener.on_reset(self.race)
        self._host.lost(self, lost)
        if self.race.card is None:
            self._loss = None  # There is no log any more to note it in.
        else:
            self.note_loss(lost.cursor, lost.recoveries)

    def take(self, entries: Sequence[Entry], events: Sequence[Event] = ()) -> None:
        """Fold entries that are new here and tell them; those folded before are passed over.

        The events need not be read from the entries where they are known. Raises LogError.
        """
        first, moves = self.race, True
        try:
            for entry, event in zip_longest(entries, events):
                before = self.race
                if entry.seq > before.seq:
                    told, self.race = step(before, entry, self._host.secrets, event)
                    moves = (
                        moves
                        and isinstance(told, OPERATIONS)
                        and self.race.over_at is None  # After the end an entry may name any seat.
                        and self.race.seats[told.seat].end is None
                    )
                    for listener in tuple(self._listeners):
                        listener.on_entry(before, told, self.race)
        finally:
            # Also of what was folded before an entry that cannot be.
            if self.race is not first:
                self._host.told(self, first, moves=moves)


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
