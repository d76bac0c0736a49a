"""A run: every bot on every deal, on whatever executor, each game exactly once."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from typing import Final

from bots.bench.arena import Job, Outcome, play_job
from bots.bench.rows import End, Row
from bots.bench.schedule import Schedule
from bots.contender import Failure
from bots.external.family import end_marked
from engine.codes import parse_code
from engine.solo import deal_out

__all__ = ["Processes", "end_processes", "play"]

POOL: Final = "BOT_POOL"
"""The environment variable that names the pool to all that its processes start."""


class Processes(ProcessPoolExecutor):
    """A pool of processes of this machine; when it ends, whatever programs its processes have left end with it."""

    def __init__(self, jobs: int) -> None:
        self._mark = uuid.uuid4().hex
        # Spawned, not forked: this process has threads, and compiled kernels do not like being forked.
        super().__init__(jobs, multiprocessing.get_context("spawn"), _begin_process, (self._mark,))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the pool; a process that was killed could not end its program itself."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        end_marked(POOL, self._mark)


def _begin_process(mark: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the pool's owner alone.
    os.environ[POOL] = mark
    threading.Thread(target=_end_with_owner, name="owner watched", daemon=True).start()


def _end_with_owner() -> None:
    """End this process, and its program, when its owner has been killed: it would wait for jobs for ever."""
    owner = multiprocessing.parent_process()
    assert owner is not None
    owner.join()
    end_marked(POOL, os.environ[POOL])
    os._exit(1)


def end_processes() -> None:
    """End the processes of every pool at once, in the middle of their games."""
    for child in multiprocessing.active_children():
        child.kill()


def play(schedule: Schedule, executor: Callable[[], Executor], ahead: int) -> Iterator[Sequence[Row]]:
    """Play a schedule with up to `ahead` jobs given out at a time; yields the rows of each as it ends.

    When a process dies, what was under way is played again game by game, with nothing beside it; a game that ends its
    process a second time has failed. A schedule that is dropped meanwhile ends with what is under way.
    """
    pool = executor()
    under_way: dict[Future[Outcome], Job] = {}
    alone = False
    try:
        while schedule or under_way:
            while schedule and (not under_way if alone or schedule.suspects else len(under_way) < ahead):
                alone = schedule.suspects
                job = schedule.next_job()
                under_way[pool.submit(play_job, job)] = job
            ended, _ = wait(under_way, return_when=FIRST_COMPLETED)
            faults = {future: _fault(future) for future in ended}
            for future in (future for future in ended if not isinstance(faults[future], BrokenExecutor)):
                yield _rows(under_way.pop(future), future, faults[future], schedule)
            if any(isinstance(fault, BrokenExecutor) for fault in faults.values()):
                lost, under_way = list(under_way.values()), {}
                if alone:
                    yield [_lost(lost[0], "its process died")]
                else:
                    schedule.again(lost)
                pool.shutdown(wait=False)
                pool = executor()
    finally:
        for future in under_way:
            future.cancel()
        pool.shutdown(wait=False)


def _fault(future: Future[Outcome]) -> BaseException | None:
    """Return what ended a job, if it is not its last game."""
    return CancelledError() if future.cancelled() else future.exception()


def _rows(job: Job, future: Future[Outcome], fault: BaseException | None, schedule: Schedule) -> Sequence[Row]:
    """Return the rows of a job that ended; one that raised is played again game by game, and then it has failed."""
    if fault is None:
        outcome = future.result()
        schedule.took(job, outcome.seconds)
        return outcome.rows
    if len(job.deals) == 1 and not isinstance(fault, CancelledError):
        return [_lost(job, repr(fault))]
    schedule.again([job])
    return []


def _lost(job: Job, detail: str) -> Row:
    """Return the row of a game that took its process with it: nothing of it is known, so it is settled as dealt."""
    (deal,) = job.deals
    code = parse_code(deal.code)
    golf = code.game == "GO"
    return Row(
        code=deal.code,
        bot=job.who.spec,
        seed=deal.seed,
        status=End.FAILED,
        score=deal_out(code).board.settled_score,
        moves=0,
        record=deal.code,
        wall_ms=0.0,
        cpu_ms=0.0,
        memory_mb=0.0,
        removed=0 if golf else None,
        placed=None if golf else 0,
        reason=Failure.EXIT,
        detail=detail,
    )
