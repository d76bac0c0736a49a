"""Whole runs: the same rows however they are played, stopped, or interrupted."""

from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bots.bench.arena import Job
from bots.bench.bench import Bench
from bots.bench.contestant import Contestant, contestant
from bots.bench.faults import RunRefused
from bots.bench.folder import Plan, plan_of
from bots.bench.rows import End, Row, read_rows
from bots.bench.run import Processes
from bots.bench.stats.sprt import Verdict
from bots.bench.suites import Suite, suite
from bots.conditions import Conditions
from bots.contender import Failure
from tests.bots.bench.here import Here, told

NODES = Conditions(nodes=4, seed=5)
BOTS = ("random", "greedy")


def golf(deals: int = 12) -> Suite:
    return suite("golf-easy-1000", deals=deals)


def bots(*names: str) -> list[Contestant]:
    return [contestant(name, NODES) for name in names or BOTS]


def run(bench: Bench, executor: Here | None = None, heard: Any = lambda rows: None) -> list[Row]:
    bench.run(lambda: executor or Here(), heard)
    return bench.rows


def test_rows_are_the_same_whatever_the_number_of_processes() -> None:
    """Two processes play what one does, and the rows come in the order of deals and bots."""
    alone = run(Bench(golf(), bots(), NODES))
    bench = Bench(golf(), bots(), NODES, jobs=2)
    bench.run(lambda: Processes(2), lambda rows: None)
    assert told(alone) == told(bench.rows)
    assert [(code, name) for code in golf().codes for name in BOTS] == [(row.code, row.bot) for row in alone]


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path) -> None:
    """Stopped after a few rows, with the last line cut off: started again it has the rows of a run never stopped."""
    whole = run(Bench(golf(), bots(), NODES))
    stopped = Bench(golf(), bots(), NODES, out=tmp_path)
    summary = stopped.run(Here, lambda rows: stopped.schedule.drop() if len(stopped.rows) > 5 else None)
    assert not summary.complete
    rows = tmp_path / "rows.ndjson"
    rows.write_bytes(rows.read_bytes()[:-9])
    played: list[Row] = []
    again = Bench(golf(), bots(), NODES, out=tmp_path)
    assert 5 < len(again.rows) + 1 < 24
    assert again.run(Here, played.extend).complete
    assert told(whole) == told(again.rows) == told(read_rows(rows))
    assert len(played) < 24 - 4


def test_a_complete_run_plays_nothing_more(tmp_path: Path) -> None:
    """Its summary is made anew from its rows, and is the same."""
    run(Bench(golf(), bots(), NODES, out=tmp_path))
    before = (tmp_path / "summary.json").read_bytes()
    played: list[Row] = []
    run(Bench(golf(), bots(), NODES, out=tmp_path), heard=played.extend)
    assert (played, (tmp_path / "summary.json").read_bytes()) == ([], before)


@pytest.mark.parametrize(
    ("deals", "conditions", "names", "says"),
    [
        (11, NODES, BOTS, "found different hash"),
        (12, Conditions(nodes=5, seed=5), BOTS, r"found different nodes \(4 there, 5 here\)"),
        (12, NODES, ("random",), r"found different bots \(random, greedy there, random here\)"),
    ],
    ids=["deals", "conditions", "bots"],
)
def test_rows_of_another_run_are_never_mixed_in(
    tmp_path: Path, deals: int, conditions: Conditions, names: tuple[str, ...], says: str
) -> None:
    """The message names what differs."""
    run(Bench(golf(), bots(), NODES, out=tmp_path))
    with pytest.raises(RunRefused, match=says):
        Bench(golf(deals), bots(*names), conditions, out=tmp_path)


def test_rows_without_a_summary_and_broken_rows_are_refused(tmp_path: Path) -> None:
    """Nobody's rows are overwritten, and a line that is no row is named."""
    (tmp_path / "rows.ndjson").write_text("{}\n")
    with pytest.raises(RunRefused, match="found rows without a summary"):
        Bench(golf(), bots(), NODES, out=tmp_path)
    with pytest.raises(RunRefused, match="found line 1"):
        read_rows(tmp_path / "rows.ndjson")
    with pytest.raises(RunRefused, match="expected the folder of a run"):
        plan_of(tmp_path)


def test_files_that_hold_no_text_are_refused(tmp_path: Path) -> None:
    """A disk's rubbish where rows or a summary were is named, as any other that is none."""
    (tmp_path / "rows.ndjson").write_bytes(b'{"bot":"\xff"}\n')
    (tmp_path / "summary.json").write_bytes(b'{"plan":{"suite":"\xff"}}\n')
    with pytest.raises(RunRefused, match="found line 1"):
        read_rows(tmp_path / "rows.ndjson")
    with pytest.raises(RunRefused, match="expected the folder of a run"):
        plan_of(tmp_path)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    """Where a file stands in the way, a sentence says so."""
    (tmp_path / "file").write_text("mine")
    with pytest.raises(RunRefused, match=r"expected a folder that can be written, found .*file: Not a directory"):
        Bench(golf(), bots(), NODES, out=tmp_path / "file")


def test_a_process_that_dies_loses_no_game() -> None:
    """Those under way are played again one by one; only the game that ends its process again has failed."""
    deadly = golf().codes[4]
    alone: list[int] = []

    def before(job: Job) -> None:
        alone.append(len(job.deals))
        if job.who.name == "greedy" and deadly in [deal.code for deal in job.deals]:
            raise BrokenExecutor

    rows = run(Bench(golf(), bots(), NODES), Here(before))
    assert len(rows) == 24
    (failed,) = [row for row in rows if row.status is End.FAILED]
    assert (failed.code, failed.bot, failed.reason, failed.score) == (deadly, "greedy", Failure.EXIT, 0)
    assert failed.detail == "its process died"
    whole = told(run(Bench(golf(), bots(), NODES)))
    assert [row for row in told(rows) if row["reason"] is None] == [
        row for row in whole if (row["code"], row["bot"]) != (deadly, "greedy")
    ]


def test_a_job_that_raises_is_played_again_game_by_game() -> None:
    """As when a cluster gives up on it: one game fails, with what was raised."""
    deadly = golf().codes[7]

    def before(job: Job) -> None:
        if deadly in [deal.code for deal in job.deals]:
            raise RuntimeError("gone")

    rows = run(Bench(golf(), bots("random"), NODES), Here(before))
    assert [row.detail for row in rows if row.status is End.FAILED] == ["RuntimeError('gone')"]
    assert len(rows) == 12


def test_an_early_stop_is_at_the_same_deal_however_it_is_played(tmp_path: Path) -> None:
    """The deal that decides is the first in the suite's order; deals beyond it do not count."""
    hundred = golf(100)
    elo = (0.0, 60.0)
    names = ("greedy", "random")
    bench = Bench(hundred, bots(*names), NODES, elo=elo, out=tmp_path / "one")
    summary = bench.run(Here, lambda rows: None)
    assert summary.sprt is not None
    assert (summary.sprt.verdict, summary.complete) == (Verdict.STRONGER, True)
    assert len(bench.rows) == 2 * summary.sprt.deals < 200
    many = Bench(hundred, bots(*names), NODES, elo=elo, jobs=7)
    many.run(Here, lambda rows: None)
    assert told(bench.rows) == told(many.rows)
    again = Bench(hundred, bots(*names), NODES, elo=elo, out=tmp_path / "one")
    assert not again.schedule


@pytest.mark.parametrize(
    ("names", "elo", "says"),
    [
        (("random", "random"), None, "expected each bot once, found random again"),
        (("random",), (0.0, 10.0), "expected two bots of one mode"),
        (("random", "greedy"), (10.0, 0.0), "expected a lower Elo difference"),
    ],
)
def test_runs_that_make_no_sense_are_refused(names: tuple[str, ...], elo: Any, says: str) -> None:
    """Before anything is played."""
    with pytest.raises(RunRefused, match=says):
        Bench(golf(), bots(*names), NODES, elo=elo)


def test_a_bot_of_another_game_is_refused() -> None:
    """The message says what the bot plays."""
    who = Contestant("cmd:x", "x", games=("DS",), command=("x",))
    with pytest.raises(RunRefused, match="expected bots that play GO, found cmd:x, which plays DS"):
        Bench(golf(), [who], NODES)


def test_fair_bots_and_oracles_stand_in_tables_of_their_own() -> None:
    """No comparison and no rating crosses from one to the other."""
    fair, other = bots()
    oracle = Contestant("greedy", "greedy", mode="oracle", games=other.games)
    bench = Bench(golf(), [fair, oracle], NODES)
    summary = bench.run(Here, lambda rows: None)
    assert [(table.mode, [one.bot for one in table.standings]) for table in summary.tables] == [
        ("fair", ["random"]),
        ("oracle", ["greedy"]),
    ]
    assert all(not table.comparisons and not table.ratings for table in summary.tables)


def test_the_summary_adds_the_rows_up() -> None:
    """Rates, means, failures, and how far below the best that the deals had to give, whatever the suite knows."""
    known = Suite("known", "", golf(10).codes, (350,) * 4 + (None,) * 6)
    bench = Bench(known, bots(), Conditions(seed=5, max_ops=30))
    summary = bench.run(Here, lambda rows: None)
    (table,) = summary.tables
    greedy = next(one for one in table.standings if one.bot == "greedy")
    rows: Sequence[Row] = [row for row in bench.rows if row.bot == "greedy"]
    assert greedy.games == 10
    assert greedy.score.value == pytest.approx(sum(row.score for row in rows) / 10)
    assert greedy.failures == {"max_ops": sum(row.reason is Failure.MAX_OPS for row in rows)}
    assert greedy.regret is not None
    assert greedy.regret.value == pytest.approx(sum(row.regret or 0 for row in rows) / 10)
    assert all(row.regret == row.dropped for row in rows)
    assert greedy.strokes is not None
    assert greedy.strokes.value == pytest.approx(35 - greedy.cleared.value)
    (pair,) = table.comparisons
    assert (pair.deals, {pair.first, pair.second}) == (10, {"random", "greedy"})


def test_a_plan_is_read_as_it_was_written(tmp_path: Path) -> None:
    """What a folder's run is does not depend on who reads it."""
    plan = Plan.of(golf(), Conditions(game_ms=1000, nodes=3), bots(), (0.0, 5.0))
    (tmp_path / "summary.json").write_bytes(msgspec.json.encode({"plan": plan, "complete": False}))
    assert plan_of(tmp_path) == plan
