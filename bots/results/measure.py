"""Decide deal after deal of a variant and keep the tally."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from bots.bench.machine import this_machine
from bots.results.tally import FIRST, Tally, keep, kept
from bots.results.variants import VARIANTS, Decided, Limits, Variant

__all__ = ["MeasureRefused", "measure"]

CHUNK: Final = 20
"""Deals decided in one go: what a stopped run may lose for each job."""
KEPT_EVERY_S: Final = 10.0

Chunk = tuple[list[Decided], float]
"""What came of deals in order, and the CPU seconds that they took."""


class MeasureRefused(ValueError):
    """Deals cannot be added to a tally that was measured otherwise."""


def measure(
    variant: Variant, deals: int, limits: Limits, folder: Path, jobs: int, heard: Callable[[Tally], None]
) -> Tally:
    """Bring a variant's tally up to so many deals; `heard` is told after each chunk.

    Every chunk that was heard of is kept, however the run ends. Raises MeasureRefused for a tally of another solver or
    of other limits.
    """
    machine = this_machine()
    today = datetime.now(UTC).date().isoformat()
    tally = kept(folder, variant.name) or Tally(
        variant=variant.name, solver=variant.solver, limits=limits, machine=machine, measured=today
    )
    if (tally.solver, tally.limits) != (variant.solver, limits):
        raise MeasureRefused(
            f"expected deals decided by {tally.solver!r} within {tally.limits}, as those in {variant.name}.json, found "
            f"{variant.solver!r} within {limits}: give the same limits, or remove that file"
        )
    written = time.monotonic()
    try:
        for decided, cpu_s in _chunks(variant, FIRST + tally.deals, FIRST + deals, limits, jobs):
            tally = tally.after(decided, cpu_s, machine, today)
            if time.monotonic() - written > KEPT_EVERY_S:
                keep(folder, tally)
                written = time.monotonic()
            heard(tally)
    finally:
        if tally.deals:
            keep(folder, tally)
    return tally


def _chunks(variant: Variant, start: int, stop: int, limits: Limits, jobs: int) -> Iterator[Chunk]:
    size = CHUNK if jobs == 1 else max(1, min(CHUNK, (stop - start) // (4 * jobs)))
    spans = [(at, min(at + size, stop)) for at in range(start, stop, size)]
    with ExitStack() as stack:
        if jobs == 1:
            yield from (decide(variant.name, *span, limits) for span in spans)
        else:
            pool = stack.enter_context(ProcessPoolExecutor(jobs, get_context("spawn")))
            stack.callback(pool.shutdown, wait=False, cancel_futures=True)
            yield from pool.map(decide, [variant.name] * len(spans), *zip(*spans, strict=True), [limits] * len(spans))


def decide(name: str, start: int, stop: int, limits: Limits) -> Chunk:
    """Decide the deals of these numbers."""
    variant = VARIANTS[name]
    begun = time.process_time()
    decided = [variant.decide(number, limits) for number in range(start, stop)]
    return decided, time.process_time() - begun
