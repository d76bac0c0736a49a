"""A bench from its beginning to its summary, whoever watches it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path

from bots.bench.contestant import Contestant
from bots.bench.deals import deal_of
from bots.bench.faults import RunRefused
from bots.bench.folder import Folder, Plan
from bots.bench.rows import Row, write_rows
from bots.bench.run import play
from bots.bench.schedule import Schedule
from bots.bench.suites import Suite
from bots.bench.summary import Summary, summarized
from bots.conditions import Conditions

__all__ = ["Bench"]


class Bench:
    """A run of some bots on a suite, kept in a folder if one is given; taken up again where the folder has rows."""

    def __init__(
        self, suite: Suite, bots: Sequence[Contestant], conditions: Conditions, out: Path | None, jobs: int
    ) -> None:
        for who in bots:
            if suite.game not in who.games:
                raise RunRefused(f"expected bots that play {suite.game}, found {who.spec}: {', '.join(who.games)}")
        if len({who.spec for who in bots}) < len(bots):
            raise RunRefused("expected each bot once, found one again")
        self.suite, self.plan, self.jobs = suite, Plan.of(suite, conditions, bots), jobs
        self._folder = Folder(out) if out is not None else None
        deals = [deal_of(code, conditions) for code in suite.codes]
        self._order = {(who.spec, deal.code): at for at, (deal, who) in enumerate((d, w) for d in deals for w in bots)}
        self.rows = self._folder.open(self.plan) if self._folder is not None else []
        self.schedule = Schedule(bots, deals, conditions, jobs, ((row.bot, row.code) for row in self.rows))

    @property
    def games(self) -> int:
        """How many games the run has in all."""
        return len(self._order)

    def run(self, executor: Callable[[], Executor], heard: Callable[[Sequence[Row]], None]) -> Summary:
        """Play what is left, telling of rows as they are kept; returns the summary, also when the run was stopped."""
        for rows in play(self.schedule, executor, self.jobs + 2):
            if self._folder is not None:
                self._folder.add(rows)
            self.rows.extend(rows)
            heard(rows)
        return self._closed()

    def _closed(self) -> Summary:
        """Put the rows in the order of deals and bots, whatever order they came in, and sum up."""
        self.rows.sort(key=lambda row: self._order[row.bot, row.code])
        best = {code: best for code, best in zip(self.suite.codes, self.suite.best, strict=True) if best is not None}
        summary = summarized(self.plan, self.rows, best, complete=len(self.rows) == self.games)
        if self._folder is not None:
            write_rows(self._folder.rows, self.rows)
            self._folder.write_summary(summary)
        return summary
