"""A bench from its beginning to its summary, whoever watches it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path

from bots.bench.contestant import Contestant
from bots.bench.deals import Deal, deal_of
from bots.bench.faults import RunRefused
from bots.bench.folder import Folder, Plan
from bots.bench.report.page import report_page
from bots.bench.rows import Row
from bots.bench.run import play
from bots.bench.schedule import Schedule
from bots.bench.stats.sprt import Sprt, Verdict, sprt
from bots.bench.suites import Suite
from bots.bench.summary import Summary, summarized
from bots.conditions import Conditions

__all__ = ["AHEAD", "Bench"]

AHEAD = 2
"""Jobs that are given out beyond those under way, so that no process waits for the next."""


class Bench:
    """A run of some bots on a suite, kept in a folder if one is given; taken up again where the folder has rows.

    With `elo`, two bots are tested for that difference deal by deal, and the run ends with the deal that decides.
    `pace` says that the deals are raced over a server (`bots.bench.races`), and how fast. Raises RunRefused.
    """

    def __init__(
        self,
        suite: Suite,
        bots: Sequence[Contestant],
        conditions: Conditions,
        *,
        jobs: int = 1,
        out: Path | None = None,
        elo: tuple[float, float] | None = None,
        pace: str | None = None,
    ) -> None:
        _check(suite, bots, elo)
        self.suite, self.bots, self.jobs = suite, bots, jobs
        self.plan = Plan.of(suite, conditions, bots, elo, pace)
        self.folder = Folder(out) if out is not None else None
        self._order = {
            (who.spec, code): at for at, (code, who) in enumerate((code, who) for code in suite.codes for who in bots)
        }
        rows = self.folder.open(self.plan) if self.folder is not None else []
        self._rows = {(row.bot, row.code): row for row in rows}
        self._deals = [deal_of(code, conditions) for code in suite.codes]
        logs = self.folder.logs if self.folder is not None else None
        self.schedule = Schedule(bots, self._deals, conditions, jobs, self._rows, logs)
        self._stop_when_decided()

    @property
    def games(self) -> int:
        """How many games the run has, if nothing ends it early."""
        return len(self._order)

    @property
    def rows(self) -> list[Row]:
        """The rows so far, in the order of deals and bots, whatever order they came in."""
        return [self._rows[key] for key in sorted(self._rows, key=self._order.__getitem__)]

    @property
    def left(self) -> list[Deal]:
        """The deals that some bot has not played yet."""
        played = Counter(code for _, code in self._rows)
        return [deal for deal in self._deals if played[deal.code] < len(self.bots)]

    def run(self, executor: Callable[[], Executor], heard: Callable[[Sequence[Row]], None]) -> Summary:
        """Play what is left, telling of rows as they are kept; returns the summary, also when the run was stopped."""
        for rows in play(self.schedule, executor, self.jobs + AHEAD):
            self.keep(rows)
            heard(rows)
            self._stop_when_decided()
        return self.sum_up()

    def keep(self, rows: Sequence[Row]) -> None:
        """Keep the rows of games just played; those that are there already stay as they are."""
        new = [row for row in rows if (row.bot, row.code) not in self._rows]
        if self.folder is not None:
            self.folder.add(new)
        self._rows |= {(row.bot, row.code): row for row in new}

    def sum_up(self) -> Summary:
        """Return what the rows come to, and leave it in the folder with the report."""
        test = self._sprt()
        decided = test is not None and test.verdict is not Verdict.OPEN
        if test is not None and decided:
            # Which deals were played beyond the one that decided is chance: they do not count.
            counted = set(self.suite.codes[: test.deals])
            self._rows = {key: row for key, row in self._rows.items() if row.code in counted}
        rows = self.rows
        best = {code: best for code, best in zip(self.suite.codes, self.suite.best, strict=True) if best is not None}
        complete = decided or len(rows) == self.games
        summary = summarized(self.plan, rows, best, complete=complete, sprt=test)
        if self.folder is not None:
            self.folder.close(rows, summary, report_page(summary, rows))
        return summary

    def _sprt(self) -> Sprt | None:
        """Return where the early stop stands, by the deals that both bots have played without a gap."""
        if self.plan.elo is None:
            return None
        first, second = (who.spec for who in self.bots)
        return sprt(first, second, list(self._scores(first, second)), self.plan.elo)

    def _scores(self, first: str, second: str) -> Iterator[tuple[float, float]]:
        for code in self.suite.codes:
            one, other = self._rows.get((first, code)), self._rows.get((second, code))
            if one is None or other is None:
                return
            yield float(one.score), float(other.score)

    def _stop_when_decided(self) -> None:
        test = self._sprt()
        if test is not None and test.verdict is not Verdict.OPEN:
            self.schedule.drop()


def _check(suite: Suite, bots: Sequence[Contestant], elo: tuple[float, float] | None) -> None:
    """Raise RunRefused for bots that cannot play this suite, or not against each other."""
    for who in bots:
        if suite.game not in who.games:
            raise RunRefused(f"expected bots that play {suite.game}, found {who.spec}, which plays {_list(who.games)}")
    twice = [who.spec for at, who in enumerate(bots) if who in bots[:at]]
    if twice:
        raise RunRefused(f"expected each bot once, found {_list(twice)} again")
    if elo is not None and (len(bots) != 2 or bots[0].mode != bots[1].mode):
        raise RunRefused(f"expected two bots of one mode for an early stop, found {_list([who.spec for who in bots])}")
    if elo is not None and not elo[0] < elo[1]:
        raise RunRefused(f"expected a lower Elo difference, then an upper one, found {elo[0]:g} and {elo[1]:g}")


def _list(names: Sequence[str]) -> str:
    return ", ".join(names) or "nothing"
