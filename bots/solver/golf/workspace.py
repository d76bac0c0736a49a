"""What the exhaustive search works in, and how a position is written into it."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.solver.golf.costs import BURIED, DRAW, EARLY, FOLLOWS, HIGH, NEAR_TWINS, RANK, TWINS
from bots.solver.golf.position import COLUMNS, HEIGHT, JOKER, Int64, Masks, Ranks
from bots.solver.jit import compiled

VECTORS: Final = (HEIGHT + 1) ** COLUMNS
"""Heights that seven columns of five can have: 279,936."""
LOW: Final = (HEIGHT + 1) ** 3
WORDS: Final = tuple(map(str, range(1, COLUMNS + 1)))
WIDE: Final = 24
"""Entries per free card in `wait`: more than the longest stock."""
NEVER: Final = 255
ALL_NEVER: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
TALLY: Final = 256
WIDEST: Final = 256
"""Heights that a beam may keep of each removal."""

# Ranks that are none: a place to write to for what nothing reads, and one to read from that nothing writes.
SPARE: Final = 14
NONE: Final = 15

# Where the numbers of a search stand in `mark`.
STOCK: Final = 0
"""Cards in the stock."""
JOINS: Final = 1
START: Final = 2
"""The heights of the position itself; all others have smaller numbers."""
LOWS: Final = 3
"""Heights that the first three columns can have."""
NEXT: Final = 4
"""The heights that the sweep comes to next; −1 when it is through."""
BEST_LEFT: Final = 5
"""The fewest cards left of all that was found since the position was written down."""
SEEN: Final = 6
"""Heights looked at."""
PATH: Final = 7
"""Removals in `path`."""
CODE: Final = 8
"""The position as a beam holds it."""
REACHED: Final = 9
"""How many heights are listed in `reached`, or −1 when more have been reached than are listed."""
MARKS: Final = 10

# A beam holds heights as one number: their cost, the heights themselves, three bits each, and their number.
AT_BITS: Final = 20
COST_BITS: Final = AT_BITS + 3 * COLUMNS
AT: Final = (1 << AT_BITS) - 1
HEIGHTS: Final = (1 << 3 * COLUMNS) - 1
NO_COST: Final = 1 << 20
"""Costs may be negative, but their sum stays above minus this."""

ACE_ON_KING: Final = 1
KING_ON_ACE: Final = 2
QUEEN_ON_KING: Final = 4

Bytes = NDArray[np.uint8]


class Workspace(NamedTuple):
    """Memory of a search, made once and used again; only what a search touches costs anything. A tuple, for numba.

    Heights are numbered `at` = the sum of height k × stride[k], so that a removal always leads to a smaller number.
    card = 8k + h names the card that is free when column k has height h.

    rank[card]: its rank, NONE for an empty column; accept[card]: the mask of the ranks that fit on it.
    near[2 × card], near[2 × card + 1]: the same two ranks, SPARE where there is none; NEVER for a joker.
    drawn[j]: the ranks that fit on the waste right after the j-th stock card was drawn; drawn[0]: on the waste now.
    wait[card × WIDE + j]: with j cards drawn, the number drawn when that card next fits a drawn card.
    columns_hold[card], stock_holds[j]: how many cards of each rank the column holds and the stock after j draws, four
    bits a rank.
    low_heights, low_hold, low_left: for each heights of the first three columns, three bits each, what they hold so.

    Where draws are free:
    least[at]: the fewest draws with which the heights were reached.
    onto[16 × at + rank]: the fewest draws with which they were reached so that the rank fits on the waste.
    Where draws wait:
    draws[8 × at + k]: the numbers of draws with which the heights were reached by a removal from column k, a bit each;
    draws[8 × at + 7]: by nothing at all.
    """

    rank: Bytes
    near: Bytes
    accept: Masks
    drawn: Masks
    wait: Bytes
    stride: Int64
    columns_hold: Int64
    stock_holds: Int64
    low_heights: Int64
    low_hold: Int64
    low_left: Int64
    least: Bytes
    least_eight: NDArray[np.uint64]
    """The same bytes as in `least`, eight at a time."""
    onto: Bytes
    onto_eight: NDArray[np.uint64]
    """The same bytes as in `onto`, eight at a time."""
    draws: Masks
    kept: Int64
    found: Int64
    """What a beam holds of one removal and finds of the next."""
    cost: Int64
    """What it costs to have that card left, by card; see `costs.py`."""
    draw_cost: Int64
    """What each draw costs, by the number of cards left."""
    costs: Int64
    """Of what a beam has found."""
    tally: Int64
    reached: NDArray[np.int32]
    """The heights reached, in any order."""
    mark: Int64
    path: Bytes
    """The way to the best, from its end: each removal's column and, where it goes onto a stock card, how many are drawn
    then; else NEVER."""


def workspace() -> Workspace:
    """Make the memory for searches."""
    least = np.full(VECTORS, NEVER, np.uint8)
    onto = np.empty(16 * VECTORS, np.uint8)
    return Workspace(
        rank=np.full(64, NONE, np.uint8),
        near=np.full(128, SPARE, np.uint8),
        accept=np.zeros(64, np.int32),
        drawn=np.zeros(WIDE, np.int32),
        wait=np.full(64 * WIDE, NEVER, np.uint8),
        stride=np.zeros(COLUMNS + 1, np.int64),
        columns_hold=np.zeros(64, np.int64),
        stock_holds=np.zeros(WIDE, np.int64),
        low_heights=np.zeros(LOW, np.int64),
        low_hold=np.zeros(LOW, np.int64),
        low_left=np.zeros(LOW, np.int64),
        least=least,
        least_eight=least.view(np.uint64),
        onto=onto,
        onto_eight=onto.view(np.uint64),
        draws=np.empty(8 * VECTORS, np.int32),
        kept=np.zeros(COLUMNS * WIDEST, np.int64),
        found=np.zeros(COLUMNS * WIDEST, np.int64),
        cost=np.zeros(64, np.int64),
        draw_cost=np.zeros(COLUMNS * HEIGHT, np.int64),
        costs=np.zeros(COLUMNS * WIDEST, np.int64),
        tally=np.zeros(TALLY, np.int64),
        reached=np.empty(VECTORS, np.int32),
        mark=np.zeros(MARKS, np.int64),
        path=np.zeros((COLUMNS * HEIGHT, 2), np.uint8),
    )


@compiled
def prepare(ws: Workspace, columns: Ranks, heights: Ranks, waste: int, stock: Ranks, fits: Masks, costs: Int64) -> None:  # noqa: C901
    """Write a position into the workspace; nothing is reached yet."""
    n = len(stock)
    ws.drawn[0] = fits[waste]
    ws.stock_holds[n] = 0
    for j in range(n - 1, -1, -1):
        ws.drawn[j + 1] = fits[stock[j]]
        ws.stock_holds[j] = ws.stock_holds[j + 1] + (1 << (4 * int(stock[j])))
    for some in range(COLUMNS * HEIGHT):
        ws.draw_cost[some] = costs[DRAW] + costs[EARLY] * some
    ws.stride[0] = 1
    packed = left = 0
    total = NO_COST
    for k in range(COLUMNS):
        height = int(heights[k])
        ws.stride[k + 1] = ws.stride[k] * (height + 1)
        packed |= height << (3 * k)
        left += height
        for h in range(height):
            rank = int(columns[k, h])
            card = 8 * k + h + 1
            ws.rank[card] = rank
            ws.accept[card] = fits[rank]
            ws.near[2 * card] = ws.near[2 * card + 1] = SPARE
            nth = 0
            for other in range(1, 14):
                if (fits[rank] >> other) & 1 and nth < 2:
                    ws.near[2 * card + nth] = other
                    nth += 1
            if rank == JOKER:
                ws.near[2 * card] = NEVER
            cost = costs[HIGH] * (2 * h + 1) + costs[RANK + rank] + costs[BURIED + rank] * (HEIGHT - 1 - h)
            if h and (fits[columns[k, h - 1]] >> rank) & 1:
                cost += costs[FOLLOWS]
            if h and columns[k, h - 1] == rank:
                cost += costs[TWINS]
            if h > 1 and columns[k, h - 2] == rank:
                cost += costs[NEAR_TWINS]
            ws.cost[card] = cost
            total += cost
            ws.columns_hold[card] = ws.columns_hold[card - 1] + (1 << (4 * rank))
            soonest = NEVER
            for j in range(n, -1, -1):
                ws.wait[card * WIDE + j] = soonest
                if (ws.drawn[j] >> rank) & 1:
                    soonest = j
    low = 0
    for c in range(heights[2] + 1):
        for b in range(heights[1] + 1):
            for a in range(heights[0] + 1):
                ws.low_heights[low] = a | b << 3 | c << 6
                ws.low_hold[low] = ws.columns_hold[a] + ws.columns_hold[8 + b] + ws.columns_hold[16 + c]
                ws.low_left[low] = a + b + c
                low += 1
    start = ws.stride[COLUMNS] - 1
    ws.mark[STOCK] = n
    ws.mark[JOINS] = (
        (fits[13] >> 1 & 1) * ACE_ON_KING + (fits[1] >> 13 & 1) * KING_ON_ACE + (fits[13] >> 12 & 1) * QUEEN_ON_KING
    )
    ws.mark[START] = start
    ws.mark[LOWS] = low
    ws.mark[BEST_LEFT] = left
    ws.mark[SEEN] = 0
    ws.mark[PATH] = 0
    ws.mark[CODE] = total << COST_BITS | packed << AT_BITS | start


def line(ws: Workspace) -> list[str]:
    """Write the moves to the best that was found, as words."""
    words: list[str] = []
    drawn = 0
    for column, draws in reversed(ws.path[: ws.mark[PATH]].tolist()):
        if draws != NEVER:
            words.extend("d" * (draws - drawn))
            drawn = draws
        words.append(WORDS[column])
    return words
