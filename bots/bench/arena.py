"""One game in this process: the engine deals, a bot plays within its limits, the end is settled as in a race."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from bots.bench.builtin import BuiltIn
from bots.bench.contestant import Contestant
from bots.bench.deals import Deal
from bots.bench.regret import given_away
from bots.bench.rows import End, Row
from bots.conditions import Conditions
from bots.contender import Contender, Failed, Failure, Offer, Settlement, check_word
from bots.external.bot import ExternalBot
from bots.player import DONE
from engine.codes import parse_code
from engine.record import Record
from engine.refusals import Status
from engine.solo import Played, Solo, deal_out

__all__ = ["Job", "Outcome", "play_game", "play_job"]


class Job(Struct, frozen=True):
    """Some games of one bot, played one after the other in one process."""

    who: Contestant
    conditions: Conditions
    deals: tuple[Deal, ...]
    logs: Path | None = None
    """The folder for what programs write to stderr."""


class Outcome(Struct, frozen=True):
    """The games of a job, and the seconds that all of it took."""

    rows: tuple[Row, ...]
    seconds: float


def play_job(job: Job) -> Outcome:
    """Play the games of a job; this is what an executor runs, anywhere."""
    begun = time.monotonic()
    with _contender(job) as bot:
        rows = tuple(play_game(bot, job.who.spec, deal, job.conditions) for deal in job.deals)
    return Outcome(rows, time.monotonic() - begun)


def _contender(job: Job) -> Contender:
    """Return the bot of a job, ready to play in this process or from it."""
    who = job.who
    if not who.command:
        return BuiltIn(who.name, job.conditions)
    log = None if job.logs is None else job.logs / f"{slug(who.spec)}-{os.getpid()}.log"
    return ExternalBot(who.command, job.conditions, log)


def slug(spec: str) -> str:
    """Return a bot's name as part of a file's."""
    return re.sub(r"[^a-zA-Z0-9]+", "-", spec.removeprefix("cmd:")).strip("-")[-60:]


class Game:
    """A game in play: the position, the words accepted, the time taken."""

    def __init__(self, deal: Deal, conditions: Conditions) -> None:
        self.code = parse_code(deal.code)
        self.conditions = conditions
        self.solo = deal_out(self.code, conditions.undo)
        self.words: list[str] = []
        self.wall_ms = self.slowest_ms = 0.0
        self.nodes: int | None = None

    def play(self, bot: Contender) -> End | Failure:
        """Ask the bot until the game has ended or a limit is reached. Raises Failed."""
        most = self.conditions.operations(self.code.game)
        heard = 0
        while True:
            view = self.solo.position()
            if (ended := ended_as(self.solo, view["legal"])) is not None:
                return ended
            if len(self.words) >= most:
                return Failure.MAX_OPS
            clock_ms = self.clock_ms
            if clock_ms is not None and clock_ms <= 0:
                return Failure.CLOCK
            word = self._choice(bot, view, self.words[heard:], clock_ms)
            heard = len(self.words)
            if word == DONE:
                return End.STUCK if self.solo.board.status is Status.STUCK else End.DONE
            outcome = self.solo.play(word)
            assert isinstance(outcome, Played)
            self.solo = outcome.solo
            self.words.append(word)

    @property
    def clock_ms(self) -> float | None:
        """What is left of the game's time; None without a limit."""
        return None if self.conditions.game_ms is None else self.conditions.game_ms - self.wall_ms

    def _choice(self, bot: Contender, view: Mapping[str, Any], played: list[str], clock_ms: float | None) -> str:
        """Ask for a word, look how long it took, and whether it can be played."""
        begun = time.perf_counter()
        try:
            choice = bot.choose(view, played, clock_ms)
        finally:
            took_ms = (time.perf_counter() - begun) * 1000
            self.wall_ms += took_ms
            self.slowest_ms = max(self.slowest_ms, took_ms)
        check_word(choice.word, view)
        if choice.nodes is not None:
            self.nodes = (self.nodes or 0) + choice.nodes
        return choice.word


def ended_as(solo: Solo, legal: Sequence[str]) -> End | None:
    """Tell whether nothing can be played any more, and how that counts."""
    if solo.board.status is Status.WON:
        return End.WON
    return None if legal or solo.undoable else End.STUCK


def play_game(bot: Contender, name: str, deal: Deal, conditions: Conditions) -> Row:
    """Play a deal to its end and settle it; whatever the bot does, there is a row."""
    game = Game(deal, conditions)
    failed: Failed | None = None
    try:
        bot.begin(Offer(game.code.rules, deal.seed, game.solo.position(), game.code))
        ended = game.play(bot)
    except Failed as fault:
        failed = fault
        ended = fault.reason
    board = game.solo.board
    status = ended if isinstance(ended, End) else End.FAILED if failed else End.LIMIT
    reason = None if isinstance(ended, End) else ended
    spent = bot.settle(Settlement(status.value, board.settled_score, game.solo.moves, reason, failed))
    golf = game.code.game == "GO"
    record = Record(game.code, tuple(game.words))
    regret, dropped = given_away(record, board.settled_score)
    return Row(
        code=deal.code,
        bot=name,
        seed=deal.seed,
        status=status,
        score=board.settled_score,
        moves=game.solo.moves,
        record=str(record),
        wall_ms=round(game.wall_ms, 3),
        cpu_ms=round(spent.cpu_ms, 3),
        memory_mb=round(spent.memory_mb, 1),
        removed=board.cleared if golf else None,
        placed=None if golf else board.cleared,
        reason=reason,
        detail=failed.detail if failed else None,
        nodes=game.nodes,
        regret=regret,
        dropped=dropped,
        slowest_ms=round(game.slowest_ms, 3),
    )
