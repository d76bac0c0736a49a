"""A program as a bot: the game as `fairdeal-bot` 1 tells it (bots.md), started anew when it has died."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from msgspec import Struct

from bots.conditions import LATE_MS, Conditions
from bots.contender import Failed, Failure, Offer, Settlement, Spent
from bots.external.messages import Best, End, Error, Go, Greeting, Hello, New, Ready, rules_map
from bots.external.program import Program
from bots.player import Choice
from engine.cards import texts
from engine.codes import Code, deal

__all__ = ["ExternalBot", "greeting_of"]

START_S: Final = 10.0
"""How long a program may take for `hello`, and for each `ready`."""
SAY_S: Final = 1.0

_TOLD: Final = {Failure.ILLEGAL, Failure.TIMEOUT, Failure.BAD_JSON, Failure.WRONG_TURN}
"""What a program is told of its own faults."""

T = TypeVar("T", Greeting, Ready)


class ExternalBot:
    """A program that plays one game after the other, in one process for as long as that lives."""

    def __init__(
        self,
        command: Sequence[str],
        conditions: Conditions,
        log: Path | None = None,
        *,
        start_s: float = START_S,
        late_ms: float = LATE_MS,
    ) -> None:
        self._command, self._log, self._start_s, self._late_ms = tuple(command), log, start_s, late_ms
        self.conditions = conditions
        """May be replaced between games."""
        self._program: Program | None = None
        self._greeting: Greeting | None = None
        self.starts = 0
        """How often the program was started."""
        self._game = self._turn = 0
        self._cpu_ms = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()

    def start(self) -> Greeting:
        """Start the program, unless it runs, and return what it says of itself. Raises Failed."""
        if self._greeting is None or not self._running:
            self._abandon()
            self.starts += 1
            self._program = Program(self._command, self.conditions.memory_mb, self._log)
            self._program.say(Hello(), time.monotonic() + SAY_S)
            until = time.monotonic() + self._start_s
            self._greeting = self._await(Greeting, f"hello within {self._start_s:g} s", until)
        return self._greeting

    def mention(self, message: Struct) -> None:
        """Send a message that needs no answer, between games or in one. Raises Failed."""
        assert self._program is not None
        self._program.say(message, time.monotonic() + SAY_S)

    def leave(self, *, told: bool = True) -> bool:
        """End the program, told to quit or only by the end of its input; False when it did not go by itself."""
        program, self._program = self._program, None
        return program is None or program.leave(told=told)

    def begin(self, offer: Offer) -> None:
        """Tell of a new game and wait until the program is ready. Raises Failed.

        What goes wrong here in a program that has played before is the rest of an earlier game: it is started anew.
        """
        fresh = self._greeting is None or not self._running
        try:
            self._begin(offer)
        except Failed:
            if fresh:
                raise
            self._abandon()
            self._begin(offer)

    def choose(self, view: Mapping[str, Any], played: Sequence[str], clock_ms: float | None) -> Choice:
        """Ask for a move and wait for the answer to just this turn. Raises Failed."""
        assert self._program is not None
        self._turn += 1
        budget_ms = self.conditions.budget_ms(clock_ms)
        told_clock_ms = None if clock_ms is None else round(clock_ms)
        budget = max(1, round(budget_ms))
        go = Go(self._game, self._turn, played, view, budget, told_clock_ms, self.conditions.nodes)
        until = time.monotonic() + (budget_ms + self._late_ms) / 1000
        self._program.say(go, until)
        best = self._answer(f"an answer within {budget_ms:g} ms", until)
        info = best.info
        return Choice(best.m, info.note if info else None, info.nodes if info else None)

    def settle(self, end: Settlement) -> Spent:
        """Tell how the game ended; returns what it took."""
        program = self._program
        if program is None:
            return Spent(0.0, 0.0)
        if program.alive:
            program.look()
        if program.alive:
            reason = end.reason.value if end.reason is not None else None
            with suppress(Failed):
                if end.failed is not None and end.failed.reason in _TOLD:
                    told = Error(self._game, self._turn, end.failed.reason.value, end.failed.detail)
                    program.say(told, time.monotonic() + SAY_S)
                told_end = End(self._game, end.status, end.score, end.moves, reason)
                program.say(told_end, time.monotonic() + SAY_S)
        return Spent(max(0.0, program.cpu_ms - self._cpu_ms), program.peak_mb)

    def _begin(self, offer: Offer) -> None:
        greeting = self.start()
        program = self._program
        assert program is not None
        program.look()
        self._cpu_ms, program.peak_mb = program.cpu_ms, 0.0
        self._game, self._turn = self._game + 1, 0
        until = time.monotonic() + self._start_s
        program.say(self._new(offer, oracle=greeting.mode == "oracle"), until)
        while self._await(Ready, f"ready within {self._start_s:g} s", until).game != self._game:
            pass

    def _new(self, offer: Offer, *, oracle: bool) -> New:
        conditions, code = self.conditions, offer.code if oracle else None
        return New(
            game=self._game,
            seed=offer.seed,
            goal=conditions.goal,
            undo=conditions.undo.value,
            max_ops=conditions.operations(offer.view["game"]),
            rules=rules_map(offer.rules),
            view=offer.view,
            clock_ms=None if conditions.game_ms is None else round(conditions.game_ms),
            code=None if code is None else str(code),
            deal=None if code is None else _dealt(code),
        )

    def _answer(self, awaited: str, until: float) -> Best:
        """Return the answer to the present turn; answers to earlier ones come too late to count."""
        assert self._program is not None
        now = (self._game, self._turn)
        while True:
            said = self._program.hear(awaited, until)
            if isinstance(said, Best):
                of = (said.game, said.turn)
                if of == now:
                    return said
                if of > now:
                    raise Failed(Failure.WRONG_TURN, f"expected game {now[0]}, turn {now[1]}, found {of[0]}, {of[1]}")

    def _await(self, kind: type[T], awaited: str, until: float) -> T:
        assert self._program is not None
        while True:
            said = self._program.hear(awaited, until)
            if isinstance(said, kind):
                return said

    @property
    def _running(self) -> bool:
        return self._program is not None and self._program.alive

    def _abandon(self) -> None:
        if self._program is not None:
            self._program.end()
        self._program = self._greeting = None


def _dealt(code: Code) -> dict[str, Any]:
    """Return all cards of a deal, as `fairdeal deal --json` lists them."""
    cards = deal(code)
    columns = [texts(column) for column in cards.columns]
    return {"columns": columns, "waste": texts(cards.waste), "stock": texts(cards.stock)}


def greeting_of(command: Sequence[str], conditions: Conditions) -> Greeting:
    """Start a program just to hear what it says of itself. Raises Failed."""
    with ExternalBot(command, conditions) as bot:
        return bot.start()
