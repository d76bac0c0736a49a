"""Which games are still to be played, and in what portions they are handed out."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from bots.bench.arena import Job
from bots.bench.contestant import Contestant
from bots.bench.deals import Deal
from bots.conditions import Conditions

__all__ = ["JOB_S", "Schedule"]

JOB_S: Final = 2.0
"""About how long a job should take: starting a program or sending a job must not count, nor must losing one hurt."""
MOST_GAMES: Final = 500


class Schedule:
    """The games of a run that nobody plays yet; whichever bot is furthest behind goes next, so pairs end together."""

    def __init__(
        self,
        contestants: Sequence[Contestant],
        deals: Sequence[Deal],
        conditions: Conditions,
        jobs: int,
        played: Iterable[tuple[str, str]] = (),
        logs: Path | None = None,
    ) -> None:
        self._conditions, self._jobs, self._logs = conditions, jobs, logs
        done = set(played)
        self._place = {deal.code: at for at, deal in enumerate(deals)}
        self._waiting = {who: deque(deal for deal in deals if (who.spec, deal.code) not in done) for who in contestants}
        self._games = dict.fromkeys(contestants, 0)
        self._seconds = dict.fromkeys(contestants, 0.0)
        self._alone: deque[Job] = deque()

    def __bool__(self) -> bool:
        return bool(self._alone) or any(self._waiting.values())

    @property
    def suspects(self) -> bool:
        """Whether games wait that may have ended a process: they are played with nothing else under way."""
        return bool(self._alone)

    def next_job(self) -> Job:
        """Take the next games off the schedule; it must not be empty."""
        if self._alone:
            return self._alone.popleft()
        who = min((who for who in self._waiting if self._waiting[who]), key=self._next_place)
        waiting = self._waiting[who]
        games = min(self._portion(who), len(waiting))
        return Job(who, self._conditions, tuple(waiting.popleft() for _ in range(games)), self._logs)

    def took(self, job: Job, seconds: float) -> None:
        """Learn from a job how long the games of its bot take."""
        self._games[job.who] += len(job.deals)
        self._seconds[job.who] += seconds

    def again(self, jobs: Iterable[Job]) -> None:
        """Put the games of lost jobs back, each alone, so that the one to blame is known if it happens again."""
        self._alone.extend(Job(job.who, job.conditions, (deal,), job.logs) for job in jobs for deal in job.deals)

    def drop(self) -> None:
        """Forget what is still to be played."""
        self._alone.clear()
        for waiting in self._waiting.values():
            waiting.clear()

    def _next_place(self, who: Contestant) -> int:
        return self._place[self._waiting[who][0].code]

    def _portion(self, who: Contestant) -> int:
        """Return how many games fill a job, but no more than leave something for the other processes."""
        if not self._games[who]:
            return 1
        fitting = JOB_S * self._games[who] / max(self._seconds[who], 1e-6)
        share = len(self._waiting[who]) / (2 * self._jobs)
        return int(max(1, min(fitting, share, MOST_GAMES)))
