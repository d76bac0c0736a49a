"""What the exhaustive search works in, how a position is written into it, and how a line is read out of it."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.solver.golf.position import EMPTY, Masks, Ranks
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
GOAL: Final = 8
WASTE: Final = 9
JOINS: Final = 10

ACE_ON_KING: Final = 1
KING_ON_ACE: Final = 2
QUEEN_ON_KING: Final = 4

Int64 = NDArray[np.int64]

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
    columns_hold[8k + h], stock_holds[j]: how many cards of each rank column k holds at height h and the stock after j
    draws, four bits a rank; stranded[heights]: the cards that must stay there at the least.
    states, parents, stages: the queue, with the index of the state before; the stage as it was then.
    pool, pool_next, waiting: for each stage a list of 8 * queue index + column.
    """

    face: NDArray[np.int32]
    accept: NDArray[np.int32]
    drawn: NDArray[np.int32]
    wait: NDArray[np.int8]
    columns_hold: Int64
    stock_holds: Int64
    stage: NDArray[np.uint8]
    stranded: NDArray[np.int8]
    states: NDArray[np.int32]
    parents: NDArray[np.int32]
    stages: NDArray[np.int8]
    pool: NDArray[np.int32]
    pool_next: NDArray[np.int32]
    waiting: NDArray[np.int32]
    mark: Int64


def workspace(states: int = 4_000_000) -> Workspace:
    """Make the memory for searches of at most that many states."""
    return Workspace(
        face=np.zeros(64, np.int32),
        accept=np.zeros(64, np.int32),
        drawn=np.zeros(WIDE, np.int32),
        wait=np.full(64 * WIDE, NEVER, np.int8),
        columns_hold=np.zeros(64, np.int64),
        stock_holds=np.zeros(WIDE, np.int64),
        stage=np.full(8 << 21, UNSEEN, np.uint8),
        stranded=np.zeros(1 << 21, np.int8),
        states=np.empty(states, np.int32),
        parents=np.empty(states, np.int32),
        stages=np.empty(states, np.int8),
        pool=np.empty(states, np.int32),
        pool_next=np.empty(states, np.int32),
        waiting=np.empty(WIDE, np.int32),
        mark=np.zeros(11, np.int64),
    )


@compiled
def prepare(ws: Workspace, columns: Ranks, heights: Ranks, waste: int, stock: Ranks, fits: Masks, goal: int) -> None:
    """Forget the last search, write a position into the workspace and put its start into the queue.

    The search is for fewer than `goal` cards left: what cannot lead there may be passed over.
    """
    for at in range(ws.mark[TAIL]):
        ws.stage[ws.states[at]] = UNSEEN
        ws.stage[ws.states[at] | 7] = UNSEEN
    n = len(stock)
    ws.drawn[0] = fits[waste]
    ws.stock_holds[n] = 0
    for j in range(n - 1, -1, -1):
        ws.drawn[j + 1] = fits[stock[j]]
        ws.stock_holds[j] = ws.stock_holds[j + 1] + (1 << (4 * int(stock[j])))
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
            ws.columns_hold[card + 1] = ws.columns_hold[card] + (1 << (4 * rank))
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
    ws.mark[GOAL] = goal
    ws.mark[WASTE] = 1 << (4 * int(waste)) if waste != EMPTY else 1  # Like a joker, it takes any card once.
    ws.mark[JOINS] = (
        (fits[13] >> 1 & 1) * ACE_ON_KING + (fits[1] >> 13 & 1) * KING_ON_ACE + (fits[13] >> 12 & 1) * QUEEN_ON_KING
    )
    ws.states[0] = packed * 8 + 7
    ws.parents[0] = -1
    ws.stages[0] = 0


def line(ws: Workspace, at: int) -> list[str]:
    """Write the moves that lead from the start to a state of the queue, as words."""
    words: list[str] = []
    while (parent := int(ws.parents[at])) >= 0:
        if (column := int(ws.states[at]) & 7) < 7:
            words.append(str(column + 1))
        words.extend("d" * int(ws.stages[at] - ws.stages[parent]))
        at = parent
    return words[::-1]
