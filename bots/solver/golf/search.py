"""Drive the exhaustive search within limits of states and CPU time."""

from __future__ import annotations

import threading
import time

from msgspec import Struct

from bots.solver.golf import lattice
from bots.solver.golf.position import EMPTY, Position, Switches, arrays

SLICE = 200_000
"""States searched between two looks at the clock: some ten milliseconds."""

_memory = threading.local()


class Limits(Struct, frozen=True):
    """When a search gives up: states visited and CPU milliseconds of the searching thread; None is no limit."""

    nodes: int | None = None
    ms: float | None = None


class Findings(Struct, frozen=True):
    """What a search found: the fewest cards that can be left, with a line to there, and whether all was searched."""

    left: int
    line: tuple[str, ...]
    """Words from the position on; with draws free, one that uses the fewest stock cards."""
    drawn: int
    """Stock cards that the line draws."""
    nodes: int
    limit: str | None
    """`nodes`, `time` or `memory` when that ended the search early, so that `left` may be more than need be."""


def memory() -> lattice.Workspace:
    """Return this thread's workspace, made at first use."""
    ws: lattice.Workspace | None = getattr(_memory, "workspace", None)
    if ws is None:
        ws = _memory.workspace = lattice.workspace()
    return ws


def search(position: Position, switches: Switches, limits: Limits, ws: lattice.Workspace | None = None) -> Findings:
    """Find the most cards that can be removed from a position; stops at the first win."""
    ws = ws or memory()
    begun = time.thread_time()
    given = arrays(position, switches)
    lattice.prepare(ws, given.columns, given.heights, given.waste, given.stock, given.fits)
    mark = ws.mark
    limit: str | None = None
    while mark[lattice.STATUS] == lattice.RUNNING:
        nodes = SLICE
        if limits.nodes is not None:
            nodes = min(nodes, limits.nodes - int(mark[lattice.HEAD]))
        if nodes <= 0:
            limit = "nodes"
            break
        if limits.ms is not None and (time.thread_time() - begun) * 1000 > limits.ms:
            limit = "time"
            break
        if switches.draw_waits:
            lattice.search_waiting(ws, nodes, given.waste == EMPTY)
        else:
            lattice.search_free(ws, nodes)
    if mark[lattice.STATUS] == lattice.FULL:
        limit = "memory"
    at = int(mark[lattice.BEST_AT])
    return Findings(
        left=int(mark[lattice.BEST_LEFT]),
        line=tuple(lattice.line(ws, at)),
        drawn=int(ws.stages[at]),
        nodes=int(mark[lattice.HEAD]),
        limit=limit,
    )
