"""Exhaustive search of Golf, stage by stage: everything that can be reached with 0, 1, 2… stock cards drawn.

A state is the packed heights of the columns (three bits each), where the waste's card came from (column 0..6, or 7 for
the start and the stock) and the number of stock cards drawn.

Where draws are free, a state that was reached with fewer draws can do all that it can do with more: it draws the
difference just before the next draw of the other's line. So each pair (heights, last column) is visited once, in the
first stage that reaches it, and heights wait only for the next stock card that fits one of their free cards. Where
draws must wait this does not hold, and a pair is visited again in every stage that reaches it.

Each kernel is one loop over plain numbers: small functions would cost more than what they do.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.solver.golf.position import Masks, Ranks
from bots.solver.jit import compiled

WIDE: Final = 24
"""Entries per free card in `wait`: more than the longest stock."""
NEVER: Final = 99
UNSEEN: Final = 255

# Where the numbers of a search stand in `mark`: it can be stopped after any state and taken up again.
HEAD: Final = 0
TAIL: Final = 1
POOL: Final = 2
STAGE: Final = 3
BEST_LEFT: Final = 4
BEST_AT: Final = 5
STATUS: Final = 6
STOCK: Final = 7

RUNNING: Final = 0
EXHAUSTED: Final = 1
CLEARED: Final = 2
FULL: Final = 3


class Workspace(NamedTuple):
    """Memory of a search, made once and used again; only what a search touches costs anything. A tuple, for numba.

    face[8k + h]: the rank of column k's free card at height h, as one bit, 0 for an empty column.
    accept[8k + h]: the ranks that fit on the card whose removal left column k at height h.
    drawn[j]: the ranks that fit on the waste right after the j-th stock card was drawn; drawn[0]: on the waste now.
    wait[(8k + h) * WIDE + j]: with j cards drawn, the number drawn when that free card next fits a drawn card.
    stage[8 * heights + source]: the stage that last reached that state; source 7: that heights, see the searches.
    states, parents, stages: the queue, with the index of the state before; the stage as it was then.
    pool, pool_next, waiting: for each stage a list of 8 * queue index + column.
    """

    face: NDArray[np.int32]
    accept: NDArray[np.int32]
    drawn: NDArray[np.int32]
    wait: NDArray[np.int8]
    stage: NDArray[np.uint8]
    states: NDArray[np.int32]
    parents: NDArray[np.int32]
    stages: NDArray[np.int8]
    pool: NDArray[np.int32]
    pool_next: NDArray[np.int32]
    waiting: NDArray[np.int32]
    mark: NDArray[np.int64]


def workspace(states: int = 4_000_000) -> Workspace:
    """Make the memory for searches of at most that many states."""
    return Workspace(
        face=np.zeros(64, np.int32),
        accept=np.zeros(64, np.int32),
        drawn=np.zeros(WIDE, np.int32),
        wait=np.full(64 * WIDE, NEVER, np.int8),
        stage=np.full(8 << 21, UNSEEN, np.uint8),
        states=np.empty(states, np.int32),
        parents=np.empty(states, np.int32),
        stages=np.empty(states, np.int8),
        pool=np.empty(states, np.int32),
        pool_next=np.empty(states, np.int32),
        waiting=np.empty(WIDE, np.int32),
        mark=np.zeros(8, np.int64),
    )


@compiled
def prepare(ws: Workspace, columns: Ranks, heights: Ranks, waste: int, stock: Ranks, fits: Masks) -> None:
    """Forget the last search, write a position into the workspace and put its start into the queue."""
    for at in range(ws.mark[TAIL]):
        ws.stage[ws.states[at]] = UNSEEN
        ws.stage[ws.states[at] | 7] = UNSEEN
    n = len(stock)
    ws.drawn[0] = fits[waste]
    for j in range(n):
        ws.drawn[j + 1] = fits[stock[j]]
    packed = 0
    left = 0
    for k in range(7):
        height = int(heights[k])
        packed |= height << (3 * k)
        left += height
        ws.face[8 * k] = 0
        for h in range(height):
            rank = int(columns[k, h])
            card = 8 * k + h
            ws.face[card + 1] = 1 << rank
            ws.accept[card] = fits[rank]
            soonest = NEVER
            for j in range(n, -1, -1):
                ws.wait[(card + 1) * WIDE + j] = soonest
                if (ws.drawn[j] >> rank) & 1:
                    soonest = j
    ws.waiting[:] = -1
    ws.mark[HEAD] = 0
    ws.mark[TAIL] = 1
    ws.mark[POOL] = 0
    ws.mark[STAGE] = 0
    ws.mark[BEST_LEFT] = left
    ws.mark[BEST_AT] = 0
    ws.mark[STATUS] = RUNNING if left else CLEARED
    ws.mark[STOCK] = n
    ws.states[0] = packed * 8 + 7
    ws.parents[0] = -1
    ws.stages[0] = 0


@compiled
def search_free(ws: Workspace, nodes: int) -> None:  # noqa: C901
    """Search on for so many states, with draws allowed at any time; `mark[STATUS]` tells how it stands.

    stage[… 7] is the first stage that reached these heights: then their cards start to wait for the stock.
    """
    head, tail, pool, stage = ws.mark[HEAD], ws.mark[TAIL], ws.mark[POOL], ws.mark[STAGE]
    best_left, n, status = ws.mark[BEST_LEFT], ws.mark[STOCK], ws.mark[STATUS]
    stop = head + nodes
    room = min(len(ws.states), len(ws.pool)) - 8
    while status == RUNNING and head < stop:
        if head == tail:
            stage += 1
            if stage > n:
                status = EXHAUSTED
                break
            entry = ws.waiting[stage]
            while entry >= 0:
                parent = ws.pool[entry] >> 3
                column = ws.pool[entry] & 7
                state = (((ws.states[parent] >> 3) - (1 << (3 * column))) << 3) | column
                if ws.stage[state] == UNSEEN:
                    if tail >= room:
                        status = FULL
                        break
                    ws.stage[state] = stage
                    ws.states[tail] = state
                    ws.parents[tail] = parent
                    ws.stages[tail] = stage
                    tail += 1
                entry = ws.pool_next[entry]
            continue
        if tail >= room or pool >= room:
            status = FULL
            break
        state = ws.states[head]
        packed = state >> 3
        source = state & 7
        if ws.stage[state | 7] == UNSEEN:
            ws.stage[state | 7] = stage
            left = 0
            for k in range(7):
                height = (packed >> (3 * k)) & 7
                left += height
                if height:
                    soonest = ws.wait[(8 * k + height) * WIDE + stage]
                    if soonest <= n and ws.stage[((packed - (1 << (3 * k))) << 3) | k] == UNSEEN:
                        ws.pool[pool] = (head << 3) | k
                        ws.pool_next[pool] = ws.waiting[soonest]
                        ws.waiting[soonest] = pool
                        pool += 1
            if left < best_left:
                best_left = left
                ws.mark[BEST_AT] = head
                if left == 0:
                    status = CLEARED
        if source == 7:
            accept = ws.drawn[0]
        else:
            accept = ws.accept[8 * source + ((packed >> (3 * source)) & 7)]
        for k in range(7):
            if accept & ws.face[8 * k + ((packed >> (3 * k)) & 7)]:
                state = ((packed - (1 << (3 * k))) << 3) | k
                if ws.stage[state] == UNSEEN:
                    ws.stage[state] = stage
                    ws.states[tail] = state
                    ws.parents[tail] = head
                    ws.stages[tail] = stage
                    tail += 1
        head += 1
    ws.mark[HEAD], ws.mark[TAIL], ws.mark[POOL], ws.mark[STAGE] = head, tail, pool, stage
    ws.mark[BEST_LEFT], ws.mark[STATUS] = best_left, status


@compiled
def search_waiting(ws: Workspace, nodes: int, empty_waste: bool) -> None:  # noqa: C901
    """Search on for so many states, with a draw allowed only when no free card fits, or on an empty waste.

    stage[… 7] is the last stage whose draw was taken at these heights.
    """
    head, tail, pool, stage = ws.mark[HEAD], ws.mark[TAIL], ws.mark[POOL], ws.mark[STAGE]
    best_left, n, status = ws.mark[BEST_LEFT], ws.mark[STOCK], ws.mark[STATUS]
    stop = head + nodes
    room = min(len(ws.states), len(ws.pool)) - 8
    while status == RUNNING and head < stop:
        if head == tail:
            stage += 1
            if stage > n or ws.waiting[stage] < 0:
                status = EXHAUSTED
                break
            entry = ws.waiting[stage]
            while entry >= 0:
                if tail >= room:
                    status = FULL
                    break
                parent = ws.pool[entry]
                ws.states[tail] = ws.states[parent] | 7
                ws.parents[tail] = parent
                ws.stages[tail] = stage
                tail += 1
                entry = ws.pool_next[entry]
            continue
        if tail >= room or pool >= room:
            status = FULL
            break
        stage = ws.stages[head]
        state = ws.states[head]
        packed = state >> 3
        source = state & 7
        if source == 7:
            accept = ws.drawn[stage]
        else:
            accept = ws.accept[8 * source + ((packed >> (3 * source)) & 7)]
        stuck = True
        left = 0
        for k in range(7):
            height = (packed >> (3 * k)) & 7
            left += height
            if accept & ws.face[8 * k + height]:
                stuck = False
                state = ((packed - (1 << (3 * k))) << 3) | k
                if ws.stage[state] != stage:
                    ws.stage[state] = stage
                    ws.states[tail] = state
                    ws.parents[tail] = head
                    ws.stages[tail] = stage
                    tail += 1
        if left < best_left:
            best_left = left
            ws.mark[BEST_AT] = head
            if left == 0:
                status = CLEARED
        if (stuck or (empty_waste and head == 0)) and stage < n and ws.stage[(packed << 3) | 7] != stage + 1:
            ws.stage[(packed << 3) | 7] = stage + 1
            ws.pool[pool] = head
            ws.pool_next[pool] = ws.waiting[stage + 1]
            ws.waiting[stage + 1] = pool
            pool += 1
        head += 1
    ws.mark[HEAD], ws.mark[TAIL], ws.mark[POOL], ws.mark[STAGE] = head, tail, pool, stage
    ws.mark[BEST_LEFT], ws.mark[STATUS] = best_left, status


def line(ws: Workspace, at: int) -> list[str]:
    """Write the moves that lead from the start to a state of the queue, as words."""
    words: list[str] = []
    while (parent := int(ws.parents[at])) >= 0:
        if (column := int(ws.states[at]) & 7) < 7:
            words.append(str(column + 1))
        words.extend("d" * int(ws.stages[at] - ws.stages[parent]))
        at = parent
    return words[::-1]
