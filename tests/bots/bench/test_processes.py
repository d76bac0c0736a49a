"""Runs on real processes: one that dies in the middle, and a cluster of which a worker dies."""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from bots.bench.bench import Bench
from bots.bench.cluster import cluster
from bots.bench.contestant import Contestant
from bots.bench.faults import RunRefused
from bots.bench.rows import End, Row, read_rows
from bots.bench.run import Processes
from bots.bench.suites import suite
from bots.conditions import Conditions
from bots.contender import Failure
from tests.bots.bench.here import Here, told
from tests.bots.external import programs
from tests.bots.external.programs import left_over

PATIENT = Conditions(move_ms=5000)
DEALS = suite("golf-easy-1000", deals=8)


def program(way: str) -> Contestant:
    command = programs.command(way)
    return Contestant(f"cmd:{shlex.join(command)}", way, "1", "fair", ("GO", "DS"), command)


RANDOM = Contestant("random", "random", games=("GO",))


def test_a_bot_that_kills_the_process_of_the_bench_fails_alone() -> None:
    """Its own games have failed, whoever was playing beside it."""
    bench = Bench(suite("golf-easy-1000", deals=2), [program("kills its runner"), RANDOM], PATIENT, jobs=2)
    bench.run(lambda: Processes(2), lambda rows: None)
    assert [(row.bot == "random", row.reason, row.detail) for row in bench.rows] == [
        (False, Failure.EXIT, "its process died"),
        (True, None, None),
    ] * 2
    assert not left_over()


@contextmanager
def dask(folder: Path, workers: int) -> Iterator[tuple[str, list["subprocess.Popen[bytes]"]]]:
    """A scheduler and some workers as processes, as `dask scheduler` and `dask worker` start them."""
    file = folder / "scheduler.json"
    local = ["--host", "127.0.0.1", "--scheduler-file", str(file), "--no-dashboard"]
    with ExitStack() as stack:

        def start(kind: str, *words: str) -> "subprocess.Popen[bytes]":
            command = [sys.executable, "-m", "dask", kind, *words]
            process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            stack.enter_context(process)
            stack.callback(process.kill)
            return process

        scheduler = start("scheduler", *local, "--port", "0")
        started = [
            start("worker", *local, "--nthreads", "1", "--no-nanny", "--local-directory", str(folder))
            for _ in range(workers)
        ]
        assert scheduler.stderr is not None
        for line in scheduler.stderr:
            if b"Scheduler at:" in line:
                address = line.split()[-1].decode()
                break
        for worker in started:
            assert worker.stderr is not None
            assert any(b"Registered to" in line for line in worker.stderr)
        yield address, started


@pytest.mark.journey
def test_a_cluster_that_loses_a_worker_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """One of two workers is killed after the first rows; the rows are those of a run in this process."""
    bots = [program("slow"), RANDOM]
    heard: list[Row] = []
    with dask(tmp_path, 2) as (address, workers), cluster(address) as players:
        assert players.jobs == 2

        def hear(rows: list[Row]) -> None:
            if not heard:
                os.kill(workers[0].pid, signal.SIGKILL)
            heard.extend(rows)

        bench = Bench(DEALS, bots, PATIENT, jobs=players.jobs, out=tmp_path / "out")
        summary = bench.run(players.executor, hear)
    assert summary.complete
    assert len(heard) == len(read_rows(tmp_path / "out" / "rows.ndjson")) == 16
    assert all(row.status is not End.FAILED for row in heard)
    alone = Bench(DEALS, bots, PATIENT)
    alone.run(Here, lambda rows: None)
    assert told(alone.rows) == told(bench.rows)


def test_where_no_scheduler_is_the_run_is_refused() -> None:
    """The message has the address."""
    with pytest.raises(RunRefused, match=r"expected a Dask scheduler, found none at 127.0.0.1:1"):
        cluster("127.0.0.1:1", timeout_s=0.2).__enter__()
