"""A program in a race: a player like those of the roster, so that whoever plays a seat need not know the difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Self

import structlog
from msgspec.structs import replace

from bots.conditions import Conditions
from bots.contender import Failed, Offer, Settlement, Spent, check_word
from bots.external.bot import ExternalBot
from bots.external.messages import Greeting
from bots.player import DONE, Budget, Choice, Player, Seat
from bots.roster import Entry
from engine.solo import UndoPolicy

__all__ = ["Racer"]

HANGS_MS: Final = 10_000.0
"""How long after its time an answer is waited for: in a race being late costs time, and nothing else."""

log = structlog.get_logger("bot")


class Racer:
    """A program that plays one race after the other; a context, at whose end it leaves. Raises Failed."""

    def __init__(self, command: Sequence[str], conditions: Conditions) -> None:
        self._bot = ExternalBot(command, conditions, late_ms=HANGS_MS)
        self._player: RacingPlayer | None = None
        self.greeting: Greeting = self._bot.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bot.leave()

    @property
    def failed(self) -> Failed | None:
        """What ended the present race for it, if it did something wrong."""
        return self._player.failed if self._player is not None else None

    def entry(self, pace: str) -> Entry:
        """Return the program as an entry of a roster."""
        said = self.greeting
        games: tuple[str, ...] = said.games
        makers = dict.fromkeys(games, self._new_player)
        return Entry(said.name, f"{said.name} {said.version}", makers, said.mode, pace)

    def settle(self, status: str, score: int, moves: int) -> Spent:
        """Tell how the race ended for it; returns what it took."""
        failed = self.failed
        return self._bot.settle(Settlement(status, score, moves, failed.reason if failed else None, failed))

    def _new_player(self, seat: Seat) -> Player:
        self._player = RacingPlayer(self._bot, seat)
        return self._player


class RacingPlayer:
    """One race's player. What goes wrong in the program settles the seat as it stands."""

    def __init__(self, bot: ExternalBot, seat: Seat) -> None:
        self._bot, self._seat = bot, seat
        self._said: list[str] | None = None
        self.failed: Failed | None = None

    def choose(self, view: Mapping[str, Any], budget: Budget) -> Choice:
        """Ask the program for a word."""
        try:
            if self._said is None:
                self._begin(view, budget)
            choice = self._bot.choose(view, self._said or [], budget.clock_ms)
            check_word(choice.word, view)
        except Failed as failed:
            log.error("bot failed, its seat settles", reason=failed.reason.value, detail=failed.detail)
            self.failed = failed
            return Choice(DONE, failed.detail)
        self._said = [choice.word]
        return choice

    def _begin(self, view: Mapping[str, Any], budget: Budget) -> None:
        seat = self._seat
        self._bot.conditions = replace(
            self._bot.conditions, goal=seat.goal, undo=UndoPolicy(seat.undo), move_ms=budget.wall_ms
        )
        self._bot.begin(Offer(seat.rules, seat.seed, view))
        self._said = []
