"""What solvers make of the boards of a race while spectators see them: asked now and then, told when it is known."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

import structlog

from engine.question import PositionAnswer, PositionQuestion
from engine.race.model import Race
from engine.solo import line_of
from engine.wire.outbound import SeatEval
from server.store.analyses import Analyses, Pending
from server.store.connect import StoreUnavailable

__all__ = ["Evals"]

FIRST_LOOK_S: Final = 0.1
"""How soon an answer is looked for; each further time it is waited twice as long."""
SLOWER: Final = 5
"""How many times longer it is waited until the next asking where nobody answered."""

log = structlog.get_logger("evals")


class Evals:
    """Asks about the boards of one race, at most every `least_s`; an answer is told once, with all that is known.

    `wanted` tells whether anybody may be told. What a full queue refuses is asked later, of newer boards.
    """

    def __init__(
        self,
        analyses: Analyses,
        spawn: Callable[[Coroutine[Any, Any, None], str], None],
        least_s: float,
        race: Callable[[], Race],
        wanted: Callable[[], bool],
        tell: Callable[[int, tuple[SeatEval, ...]], None],
    ) -> None:
        self._analyses, self._spawn, self._least_s = analyses, spawn, least_s
        self._race, self._wanted, self._tell = race, wanted, tell
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._looking = self._closed = self._told = False
        self._asked_at = float("-inf")
        self._known: dict[int, SeatEval] = {}

    def joined(self) -> None:
        """Take note that somebody more may be told, who knows nothing yet."""
        self._told = False
        self.changed()

    def changed(self) -> None:
        """Take note that a board may have changed."""
        if self._least_s and self._timer is None and not self._closed and self._wanted():
            wait_s = max(0.0, self._asked_at + self._least_s - self._loop.time())
            self._timer = self._loop.call_later(wait_s, self._ask)

    def close(self) -> None:
        """Ask no more."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ask(self) -> None:
        self._timer = None
        if not self._looking and not self._closed and self._wanted():
            self._looking = True
            self._asked_at = self._loop.time()
            self._spawn(self._look(self._race()), f"race {self._race().id} evals")

    async def _look(self, race: Race) -> None:
        """Ask about the boards as they stand, and tell what is answered within the time until the next asking."""
        lanes = {number: seat.lane for number, seat in race.seats.items() if seat.solo is not None}
        boards = {number: PositionQuestion(str(race.code), line_of(race.seats[number].words)) for number in lanes}
        try:
            wait_s = FIRST_LOOK_S
            while boards and not self._closed:
                answers = await self._analyses.ask(list(boards.values()))
                self._take(race.seq, lanes, dict(zip(boards, answers, strict=True)))
                boards = {
                    seat: board
                    for (seat, board), answer in zip(boards.items(), answers, strict=True)
                    if answer is Pending.ASKED
                }
                if wait_s > max(self._least_s, FIRST_LOOK_S):
                    self._asked_at = self._loop.time() + (SLOWER - 1) * self._least_s
                    break
                if boards:
                    await asyncio.sleep(wait_s)
                    wait_s *= 2
        except StoreUnavailable as fault:
            log.warning("boards not evaluated", race=race.id, fault=str(fault))
        finally:
            self._looking = False
            if boards or self._race().seq != race.seq:
                self.changed()

    def _take(self, seq: int, lanes: dict[int, int], answers: dict[int, Any]) -> None:
        """Tell what is new among some answers."""
        found = {
            seat: SeatEval(seat, lanes[seat], answer.best.shown(), answer.winnable)
            for seat, answer in answers.items()
            if isinstance(answer, PositionAnswer)
        }
        if self._closed or (self._told and all(self._known.get(seat) == one for seat, one in found.items())):
            return
        self._known |= found
        self._told = True
        self._tell(seq, tuple(self._known[seat] for seat in sorted(self._known)))
