"""Exhaustive search of Golf where a draw has to wait until no free card fits: the same heights in the same order.

Here fewer draws are not better: a forced draw may come too early or too late. So for each heights and last column all
numbers of draws are kept with which they can be reached, as bits. Draws do not depend on how these heights were reached
but by the card on the waste, so all numbers with which none fits are drawn on from at once.
"""

from __future__ import annotations

from bots.solver.golf.position import COLUMNS
from bots.solver.golf.workspace import (
    ALL_NEVER,
    BEST_LEFT,
    LOWS,
    NEVER,
    NEXT,
    PATH,
    REACHED,
    SEEN,
    START,
    STOCK,
    Workspace,
)
from bots.solver.jit import compiled, inlined


@compiled
def begin(ws: Workspace) -> None:
    """Reach the position itself, and forget all else that was reached."""
    start = ws.mark[START]
    ws.least[:] = NEVER
    ws.least[start] = 0
    ws.mark[REACHED] = -1
    ws.draws[8 * start : 8 * start + 8] = 0
    ws.draws[8 * start + 7] = 1
    ws.mark[NEXT] = start


@inlined
def remove(ws: Workspace, at: int, heights: int, fitting: int, draws: int) -> None:
    """Remove each free card of the fitting ranks, with these numbers of draws."""
    for k in range(COLUMNS):
        if (fitting >> ws.rank[8 * k + ((heights >> (3 * k)) & 7)]) & 1:
            to = at - ws.stride[k]
            if ws.least[to] == NEVER:
                ws.least[to] = 0
                for i in range(8):
                    ws.draws[8 * to + i] = 0
            ws.draws[8 * to + k] |= draws


@inlined
def free_card(ws: Workspace, at: int, k: int) -> int:
    """Name the card that is free in column k at these heights."""
    return int(8 * k + at // ws.stride[k] % (ws.stride[k + 1] // ws.stride[k]))


@inlined
def accepts(ws: Workspace, at: int, k: int) -> int:
    """Return the ranks that fit on the waste when it was column k that led to these heights, or none for 7."""
    return int(ws.accept[free_card(ws, at, k) + 1] if k < COLUMNS else ws.drawn[0])


@compiled
def trace(ws: Workspace, at: int, free_draw: bool) -> None:
    """Write down the way to heights, with the fewest draws that lead there."""
    length, column, draws = 0, COLUMNS, 0
    while column == COLUMNS:
        for k in range(COLUMNS):
            if (ws.draws[8 * at + k] >> draws) & 1:
                column = k
                break
        else:
            draws += 1
    while column < COLUMNS:
        at += ws.stride[column]
        faces = 0
        for k in range(COLUMNS):
            faces |= 1 << int(ws.rank[free_card(ws, at, k)])
        rank = int(ws.rank[free_card(ws, at, column)])
        ws.path[length, 0] = column
        ws.path[length, 1] = NEVER
        # Onto the card of the removal before, with as many draws, or else onto the last of some draws from a card that
        # nothing fitted.
        column = -1
        for k in range(COLUMNS + 1):
            if (ws.draws[8 * at + k] >> draws) & 1 and (accepts(ws, at, k) >> rank) & 1:
                column = k
        if column < 0:
            ws.path[length, 1] = draws
        while column < 0:
            draws -= 1
            for k in range(COLUMNS + 1):
                free = free_draw and k == COLUMNS
                if (ws.draws[8 * at + k] >> draws) & 1 and (free or not accepts(ws, at, k) & faces):
                    column = k
        length += 1
    ws.mark[PATH] = length


@compiled
def sweep(ws: Workspace, nodes: int, free_draw: bool) -> None:  # noqa: C901
    """Look at so many more of the heights reached, in falling order.

    `begin` comes first; `mark[NEXT]` is below 0 when all have been looked at. `free_draw`: the waste is empty, and the
    first draw need not wait.
    """
    lows, n = ws.mark[LOWS], ws.mark[STOCK]
    best, best_at = ws.mark[BEST_LEFT], -1
    at = ws.mark[NEXT]
    seen = 0
    while at >= 0 and seen < nodes:
        low, high = at % lows, at // lows
        highs, left = 0, 0
        for k in range(3, COLUMNS):
            height = high % (ws.stride[k + 1] // ws.stride[k])
            high //= ws.stride[k + 1] // ws.stride[k]
            highs |= height << (3 * k)
            left += height
        while low >= 0:
            if at & 7 == 7 and low >= 7 and ws.least_eight[at >> 3] == ALL_NEVER:
                at -= 8
                low -= 8
                continue
            if ws.least[at] < NEVER:
                seen += 1
                heights = highs | ws.low_heights[low]
                if left + ws.low_left[low] < best:
                    best = left + ws.low_left[low]
                    best_at = at
                faces = 0
                for k in range(COLUMNS):
                    faces |= 1 << int(ws.rank[8 * k + ((heights >> (3 * k)) & 7)])
                stuck = 0
                for k in range(COLUMNS + 1):
                    draws = int(ws.draws[8 * at + k])
                    if draws:
                        fitting = faces & ws.drawn[0]
                        if k < COLUMNS:
                            fitting = faces & ws.accept[8 * k + ((heights >> (3 * k)) & 7) + 1]
                        if fitting:
                            remove(ws, at, heights, fitting, draws)
                        if not fitting or (free_draw and k == COLUMNS):
                            stuck |= draws
                for j in range(1, n + 1):
                    if (stuck >> (j - 1)) & 1:
                        fitting = faces & ws.drawn[j]
                        if fitting:
                            remove(ws, at, heights, fitting, 1 << j)
                        else:
                            stuck |= 1 << j
            at -= 1
            low -= 1
    ws.mark[NEXT] = at
    ws.mark[SEEN] += seen
    if best_at >= 0:
        ws.mark[BEST_LEFT] = best
        trace(ws, best_at, free_draw)
