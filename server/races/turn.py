"""One turn of a lane that is more than a single move: a task plans, appends and answers what waits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from engine.log.entry import LogError
from engine.race.decide import Happens, Refused
from engine.refusals import ErrorCode
from server.races.answer import answer_to, refusal
from server.races.host import Host
from server.races.lanes import Lanes, lane_number
from server.races.plan import Plan, Waiting, give_all, planned, sealed
from server.store.append import Appended, Archived, Behind, Forked, Outcome, TooEarly, TooLate
from server.store.connect import StoreUnavailable

if TYPE_CHECKING:
    from server.races.table import Table

__all__ = ["Turn"]

AHEAD_MS: Final = 250
"""How far a node's clock may be ahead of Redis's without anybody being told that it is too early."""


class Turn:
    """The commands that a lane of a table sends out together, append by append, until each has its answer."""

    def __init__(self, table: Table, host: Host, lanes: Lanes, lane: str) -> None:
        self._table = table
        self._host = host
        self._lanes = lanes
        self._lane = lane
        self._loop = asyncio.get_running_loop()

    async def carry_out(
        self, taken: list[Waiting] | None = None, tried: tuple[Plan, Outcome | None] | None = None
    ) -> None:
        """Carry out what waits in the lane, or go on with what was taken and tried; then let others go.

        `tried` is a plan whose append was begun, and what came of it, if that is known.
        """
        taken = self._lanes.take(self._lane) if taken is None else taken
        try:
            await self._work_off(taken, tried)
        except StoreUnavailable as fault:
            self._table.unsure = True
            give_all(taken, refusal(Refused(ErrorCode.UNAVAILABLE), self._table.race.cursor, fault.retry_ms))
        except LogError as fault:
            give_all(taken, fault)
        finally:
            self._lanes.landed(self._lane, taken)

    async def _work_off(self, taken: list[Waiting], tried: tuple[Plan, Outcome | None] | None) -> None:
        """Answer commands and take them off the list, append by append. Raises StoreUnavailable, LogError."""
        if tried is not None and await self._settled(*tried, begun=True):
            return
        at_tail = False
        if self._table.unsure:
            # An append whose outcome was not found out may be in: nothing is decided before that is known.
            self._table.unsure = False
            await self._table.fresh()
            at_tail = True
        while taken:
            plan = planned(self._table.race, taken, self._host.clock.now(), self._host.secrets)
            if plan.refused and not at_tail:
                # A refusal is given only on a fold that was read to the tail after the command came.
                await self._table.fresh()
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
        resets, since = self._table.resets, self._loop.time()
        if outcome is None:
            outcome = await self._append(plan, begun)
            self._table.count(outcome, since)
        if resets != self._table.resets:
            return False  # What was decided on is gone; whether the entries are in, the new history tells.
        match outcome:
            case Behind(missed):
                self._table.take(missed)
                return False
            case Forked():
                await self._table.reset()
                return False
            case Archived():
                await self._table.fresh()
                if self._table.race.cursor != plan.seen:
                    return False
                self._refuse_events(plan, ErrorCode.OVER)
            case Appended():
                self._table.appended(plan, outcome)
            case TooEarly(now) if plan.from_ms is not None and plan.from_ms - now <= AHEAD_MS:
                # This node's clock was that much ahead, and by it the boards were dealt: the start is waited for.
                await asyncio.sleep((plan.from_ms - now) / 1000)
                return False
            case TooEarly(now):
                self._out_of_time(plan, now, ErrorCode.NOT_STARTED)
            case TooLate(now):
                self._out_of_time(plan, now, ErrorCode.OVER)
        return True

    async def _append(self, plan: Plan, begun: bool) -> Outcome:
        entries = sealed(plan)
        await self._host.prepare(self._table.race, plan.after)
        return await self._host.log.append(
            self._table.rid, plan.seen, plan.lane, entries, start_ms=plan.from_ms, until_ms=plan.until_ms, begun=begun
        )

    def _out_of_time(self, plan: Plan, now: int, code: ErrorCode) -> None:
        """Answer without an append: the time window kept the events out, Redis's clock being at `now` (ms)."""
        self._host.clock.told(now)
        self._host.told(self._table, self._table.race)
        self._refuse_events(plan, code)

    def _refuse_events(self, plan: Plan, code: ErrorCode) -> None:
        """Answer without an append: what the commands would have made happen is refused with a code."""
        for waiting, decision in plan.made:
            if isinstance(decision, Happens):
                refused = Refused(code, lane=lane_number(self._table.race, waiting.command))
                waiting.give(refusal(refused, self._table.race.cursor))
        self._answer_rest(plan)

    def _answer_rest(self, plan: Plan) -> None:
        """Answer the commands that make nothing happen."""
        for waiting, decision in plan.made:
            if not isinstance(decision, Happens):
                waiting.give(answer_to(self._table.race, waiting.command, decision))
