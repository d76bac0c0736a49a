"""Drive the exhaustive search within limits of states and CPU time."""

from __future__ import annotations

import threading
import time
from typing import Literal

from msgspec import Struct

from bots.solver.golf import beam, lattice, workspace
from bots.solver.golf.position import EMPTY, Position, Switches, arrays

SLICE = 200_000
"""States searched between two looks at the clock: some ten milliseconds."""

_memory = threading.local()


class Limits(Struct, frozen=True):
    """When a search gives up: states visited and CPU milliseconds of the searching thread; None is no limit."""

    nodes: int | None = None
    ms: float | None = None


class Findings(Struct, frozen=True):
    """What a search found: the fewest cards left, with a line to there; the fewest there are, if no limit ended it."""

    left: int
    line: tuple[str, ...]
    """Words from the position on."""
    drawn: int
    """Stock cards that the line draws."""
    nodes: int
    limit: str | None
    """`nodes`, `time` or `memory` when that ended the search early, so that `left` may be more than need be."""


class Memory(Struct, frozen=True):
    """What a search works in, made once per thread."""

    lattice: workspace.Workspace
    beam: beam.Beam


def memory() -> Memory:
    """Return this thread's memory, made at first use."""
    mine: Memory | None = getattr(_memory, "mine", None)
    if mine is None:
        mine = _memory.mine = Memory(workspace.workspace(), beam.beam_room())
    return mine


def search(
    position: Position, switches: Switches, limits: Limits, *, want: Literal["most", "win", "win, least stock"] = "most"
) -> Findings:
    """Find the most cards that can be removed from a position; stops at the first win.

    `win` cares for nothing but whether there is one, and is faster where there is none. The beam's win may draw more
    than it needs to; `win, least stock` searches without it.
    """
    mine = memory()
    ws, mark = mine.lattice, mine.lattice.mark
    begun = time.thread_time()
    given = arrays(position, switches)
    whole = position.left()

    def prepare(goal: int) -> None:
        workspace.prepare(ws, given.columns, given.heights, given.waste, given.stock, given.fits, goal)

    prepare(1 if want != "most" else whole + 1)
    looked = glanced = 0
    if not switches.draw_waits and want != "win, least stock":
        looked, glanced = beam.look_ahead(ws, mine.beam)
        if looked == whole:
            mark[workspace.STATUS] = workspace.CLEARED
        elif want == "most":
            mark[workspace.GOAL] = whole - looked
    limit: str | None = None
    while mark[workspace.STATUS] == workspace.RUNNING:
        nodes = SLICE
        if limits.nodes is not None:
            nodes = min(nodes, limits.nodes - int(mark[workspace.HEAD]))
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
    if mark[workspace.STATUS] == workspace.FULL:
        limit = "memory"
    at = int(mark[workspace.BEST_AT])
    left = int(mark[workspace.BEST_LEFT])
    line = workspace.line(ws, at)
    if whole - looked <= left:
        left, line = whole - looked, beam.beam_line(mine.beam, looked)
    return Findings(
        left=left, line=tuple(line), drawn=line.count("d"), nodes=int(mark[workspace.HEAD]) + glanced, limit=limit
    )
