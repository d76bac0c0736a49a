"""`fairdeal bench`: runs, stops, goes on, compares."""

import os
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from bots.bench.bench import Bench
from bots.bench.contestant import contestant
from bots.bench.suites import suite
from bots.conditions import Conditions
from tests.bots.bench.here import Here
from tests.bots.external.programs import command, gone
from tests.server.commands.terminal import Terminal

SLOW = f"cmd:{shlex.join(command('slow'))}"
MEASURED = {"wall_ms", "cpu_ms", "memory_mb", "slowest_ms"}


def rows(folder: Path) -> list[dict]:
    lines = (folder / "rows.ndjson").read_bytes().splitlines()
    return [{key: value for key, value in msgspec.json.decode(line).items() if key not in MEASURED} for line in lines]


def test_a_run_writes_rows_a_summary_and_a_report(fairdeal: Terminal, tmp_path: Path) -> None:
    """With --json the summary is the one document on stdout; the folder has the same and a row a game."""
    out = tmp_path / "out"
    answer = fairdeal(f"bench golf-classic-1000 --bot random --bot greedy --deals 3 --nodes 1 --out {out} --json")
    summary = answer.json()
    assert (answer.status, answer.err) == (0, "")
    assert summary == msgspec.json.decode((out / "summary.json").read_bytes())
    assert (summary["plan"]["suite"], summary["plan"]["version"], summary["plan"]["deals"]) == (
        "golf-classic-1000",
        "1",
        3,
    )
    assert len(rows(out)) == 6
    keys = {"code", "bot", "seed", "status", "score", "moves", "record", "removed", "regret", "dropped"}
    assert set(rows(out)[0]) == keys
    assert (out / "report.html").read_text().startswith("<!doctype html>")
    again = fairdeal(f"bench golf-classic-1000 --bot random --bot greedy --deals 3 --nodes 1 --out {out}")
    assert again.out.startswith("golf-classic-1000 version 1, 3 deals, hash ")
    assert "fair bots" in again.out
    assert again.err == f"report: {out}/report.html\n"


@pytest.mark.journey
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_a_run_that_is_ended_goes_on(fairdeal: Terminal, tmp_path: Path, number: signal.Signals) -> None:
    """What was played stays; started again it has every game once, as a run that nothing ended."""
    out = tmp_path / "out"
    words = ["bench", "golf-easy-1000", "--bot", SLOW, "--deals", "5", "--move-ms", "5000", "--jobs", "1"]
    with subprocess.Popen(
        [sys.executable, "-m", "server", *words, "--out", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        process_group=0,
    ) as process:
        while process.poll() is None and not ((out / "rows.ndjson").exists() and rows(out)):
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.01)
        # Ctrl-C goes to the whole group of a terminal, a kill to the command alone: its processes follow it.
        (os.killpg if number is signal.SIGINT else os.kill)(process.pid, number)
        _, told = process.communicate()
    assert gone()
    before = rows(out)
    assert 0 < len(before) < 5
    if number is signal.SIGINT:
        assert process.returncode == 1
        assert f"stopped after {len(before)} of 5 games: start it again with --out {out}" in told.decode()
    assert fairdeal(*words, "--out", str(out)).status == 0
    conditions = Conditions(move_ms=5000)
    whole = Bench(suite("golf-easy-1000", deals=5), [contestant(SLOW, conditions)], conditions)
    whole.run(Here, lambda rows: None)
    assert [row["record"] for row in rows(out)] == [row.record for row in whole.rows]
    assert rows(out)[: len(before)] == before


def test_two_runs_are_compared(fairdeal: Terminal, tmp_path: Path) -> None:
    """Bots of one name on the deals that both runs have; what else differs is said."""
    first, second = tmp_path / "a", tmp_path / "b"
    fairdeal(f"bench GO1-C --bot random --deals 4 --jobs 1 --out {first}")
    fairdeal(f"bench GO1-C --bot random --deals 5 --jobs 1 --max-ops 10 --out {second}")
    compared = fairdeal(f"bench compare {first} {second} --json").json()
    assert (compared["deals"], len(compared["comparisons"])) == (4, 1)
    assert compared["comparisons"][0]["second"] == f"{second}: random"
    assert [note.split(" (")[0] for note in compared["notes"]] == ["the suites differ", "max_ops differs"]
    shown = fairdeal(f"bench compare {first} {second}")
    assert "pairs, on the same deals" in shown.out
    assert shown.err.startswith("note: the suites differ")


def test_an_early_stop_needs_few_deals(fairdeal: Terminal) -> None:
    """Greedy is better than chance: that is clear long before the suite's end."""
    shown = fairdeal("bench golf-easy-1000 --bot greedy --bot random --sprt --elo 0 80 --jobs 1 --json").json()
    assert shown["sprt"]["verdict"] == "stronger"
    assert shown["sprt"]["deals"] < 200


def test_what_a_program_writes_to_stderr_is_kept(fairdeal: Terminal, tmp_path: Path) -> None:
    """In the folder of the run; why its games failed is in the rows too."""
    dies = f"cmd:{shlex.join(command('dies'))}"
    assert fairdeal("bench", "GO1-E", "--bot", dies, "--deals", "2", "--jobs", "1", "--out", str(tmp_path)).status == 0
    (log,) = (tmp_path / "logs").iterdir()
    assert log.read_text() == "I give up\n" * 2
    assert [row["reason"] for row in rows(tmp_path)] == ["exit", "exit"]


def test_suites_are_listed(fairdeal: Terminal) -> None:
    """With what identifies them."""
    listed = fairdeal("bench suites --json").json()
    assert [one["name"] for one in listed][:2] == ["double-d1n-200", "double-d1n-winnable-500"]
    assert all(one["version"] == "1" and len(one["hash"]) == 12 for one in listed)
    easy = next(one for one in listed if one["name"] == "golf-easy-1000")
    line = f"golf-easy-1000              version 1, 1000 deals, hash {easy['hash']}\n"
    assert line in fairdeal("bench suites").out


REFUSED = {
    "bench golf-easy-1000": "Missing option '--bot'",
    "bench golf --bot random": "expected a suite (",
    "bench golf-easy-1000 --bot nobody": "expected one of random, greedy",
    "bench golf-easy-1000 --bot cmd:": "expected a command after cmd:, found none",
    "bench golf-easy-1000 --bot cmd:/no/bot": "expected a program, found /no/bot: No such file",
    "bench golf-easy-1000 --bot random --sprt": "expected two bots of one mode",
    "bench golf-easy-1000 --bot random --jobs 1 --dask x:1": "Give --jobs or --dask",
    "bench compare nowhere nowhere": "Directory 'nowhere' does not exist",
}


@pytest.mark.parametrize(("line", "part"), REFUSED.items(), ids=list(REFUSED))
def test_what_cannot_be_run_is_refused_in_a_sentence(line: str, part: str, fairdeal: Terminal) -> None:
    """Status 2, nothing on stdout."""
    answer = fairdeal(line)
    assert (answer.status, answer.out) == (2, "")
    assert part in answer.err
    assert answer.err.count("\n") == 1
