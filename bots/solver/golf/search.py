"""Drive the exhaustive search within limits of states and CPU time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from bots.solver.golf import lattice, waiting
from bots.solver.golf.costs import costs
from bots.solver.golf.position import EMPTY, Position, Switches, arrays
from bots.solver.golf.workspace import BEST_LEFT, NEXT, SEEN, Workspace, line, prepare, workspace

SLICE: Final = 50_000
"""Heights looked at between two looks at the clock: some four milliseconds."""
WIDTHS: Final = {True: (16, 64, 256), False: (16, 96)}
"""Beams for a win, each wider than the one before, where king and ace are joined and where not: what they miss, and
what cannot be won, is left to the sweep, which is longer where more can be reached."""
WIDTH: Final = 64
"""The beam for the most, once there is no win: what it finds bounds the sweep."""

Want = Literal["most", "win", "win, least stock"]

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
    """Heights of the columns that were looked at."""
    limit: str | None
    """`nodes` or `time` when that ended the search early, so that `left` may be more than need be."""


def memory() -> Workspace:
    """Return this thread's memory, made at first use."""
    mine: Workspace | None = getattr(_memory, "mine", None)
    if mine is None:
        mine = _memory.mine = workspace()
    return mine


def search(position: Position, switches: Switches, limits: Limits, *, want: Want = "most") -> Findings:
    """Find the most cards that can be removed from a position.

    `win` cares for nothing but whether there is one, and is faster where there is none. `win, least stock` finds, if
    there is one, a win with the fewest draws.
    """
    begun = time.thread_time()
    found = _searched(position, switches, limits, begun, want, 0)
    while want == "win, least stock" and found.left == 0 and found.drawn and not switches.draw_waits:
        # A win with fewer draws is a win with a shorter stock.
        shorter = replace(position, stock=position.stock[: found.drawn - 1])
        fewer = _searched(shorter, switches, limits, begun, want, found.nodes)
        if fewer.left:
            return replace(found, nodes=fewer.nodes, limit=fewer.limit)
        found = fewer
    return found


def _searched(position: Position, switches: Switches, limits: Limits, begun: float, want: Want, nodes: int) -> Findings:
    """Search once; `begun` and `nodes` are what was spent before."""
    ws = memory()
    given = arrays(position, switches)
    prepare(ws, given.columns, given.heights, given.waste, given.stock, given.fits, costs(switches))
    slice_of = SLICE if limits.nodes is None else max(1, min(SLICE, limits.nodes))
    limit: str | None = None
    if switches.draw_waits:
        steps = _waiting(ws, slice_of, given.waste == EMPTY)
    else:
        steps = _free(ws, slice_of, want, WIDTHS[switches.wrap])
    for _ in steps:
        if limits.nodes is not None and nodes + ws.mark[SEEN] >= limits.nodes:
            limit = "nodes"
        elif limits.ms is not None and (time.thread_time() - begun) * 1000 > limits.ms:
            limit = "time"
        if limit:
            break
    words = line(ws)
    return Findings(
        left=int(ws.mark[BEST_LEFT]),
        line=tuple(words),
        drawn=words.count("d"),
        nodes=nodes + int(ws.mark[SEEN]),
        limit=limit,
    )


def _free(ws: Workspace, slice_of: int, want: Want, widths: tuple[int, ...]) -> Iterator[None]:
    """Search on with every step, until what was found is the best there is."""
    mark = ws.mark
    partial = True
    for width in widths:
        if partial and mark[BEST_LEFT]:
            yield
            partial = lattice.look_ahead(ws, width, 1)
    if want == "most" and mark[BEST_LEFT] > (0 if partial else 1):
        yield
        partial = lattice.look_ahead(ws, WIDTH, mark[BEST_LEFT])
    if partial and mark[BEST_LEFT]:
        goal = int(mark[BEST_LEFT]) if want == "most" else 1
        lattice.begin(ws)
        while mark[NEXT] >= 0:
            yield
            lattice.sweep(ws, goal, slice_of)


def _waiting(ws: Workspace, slice_of: int, free_draw: bool) -> Iterator[None]:
    """Search on with every step, until all has been looked at."""
    waiting.begin(ws)
    while ws.mark[NEXT] >= 0:
        yield
        waiting.sweep(ws, slice_of, free_draw)
