"""Exhaustive search of Golf with draws free: over all heights that the columns can have, each once, from many to few.

A state is the heights of the columns, the card on the waste and the number of stock cards drawn. One that was reached
with fewer draws can do all that it can do with more, for it can draw the difference just before the other's next draw.
So it is enough to know, for each heights, the fewest draws with which each rank fits on the waste there. Removals lead
to smaller heights: taken in falling order, all that leads to heights is known before they are looked at.

Heights are not followed up where a count shows that too many cards must stay (`must_stay`): every card that is removed
goes onto a neighbour of its rank, and no two onto the same.

A beam is the same search, removal by removal, of the most hopeful heights only.
"""

from __future__ import annotations

from bots.solver.golf.position import COLUMNS, Int64
from bots.solver.golf.workspace import (
    ACE_ON_KING,
    ALL_NEVER,
    AT,
    AT_BITS,
    BEST_LEFT,
    CODE,
    COST_BITS,
    HEIGHTS,
    JOINS,
    KING_ON_ACE,
    LOWS,
    NEVER,
    NEXT,
    NONE,
    PATH,
    QUEEN_ON_KING,
    REACHED,
    SEEN,
    START,
    STOCK,
    TALLY,
    WIDE,
    Workspace,
)
from bots.solver.jit import compiled, inlined


@inlined
def must_stay(columns: int, stock: int, joins: int) -> int:
    """Count cards that must stay, given how many of each rank are in the columns and in the stock.

    Of any set of ranks no more cards can be removed than there are cards of neighbouring ranks, and jokers, to put them
    on. Walks through the ranks by twos, so that what a rank goes onto lies between it and those next to it on the walk,
    and keeps the best set with and without the present rank. The ring of ranks is cut between queen and ace.
    """
    onto = columns + stock
    most, without, chosen = 0, 0, -99
    between = (onto >> 52) & 15 if joins & ACE_ON_KING else 0
    for step in range(13):
        rank = 2 * step + 1 if step < 7 else 2 * step - 12
        if rank == 2 and not joins & KING_ON_ACE:
            most, without, chosen = max(without, chosen), 0, -99
            between = (onto >> 4) & 15
        unchosen = without
        without = max(without, chosen)
        chosen = max(chosen, unchosen - between) + ((columns >> (4 * rank)) & 15)
        if rank == 12:
            between = (onto >> 52) & 15 if joins & QUEEN_ON_KING else 0
        elif rank == 13:
            between = (onto >> 4) & 15 if joins & KING_ON_ACE else 0
        else:
            between = (onto >> (4 * rank + 4)) & 15
        chosen -= between
    return most + max(without, chosen) - (onto & 15)


@compiled
def begin(ws: Workspace) -> None:
    """Reach the position itself, and forget all else that was reached."""
    if ws.mark[REACHED] < 0:
        ws.least[:] = NEVER
    for i in range(ws.mark[REACHED]):
        ws.least[ws.reached[i]] = NEVER
    start = ws.mark[START]
    ws.least[start] = 0
    ws.reached[0] = start
    ws.mark[REACHED] = 1
    for rank in range(16):
        ws.onto[16 * start + rank] = 0 if (ws.drawn[0] >> rank) & 1 else NEVER
    ws.mark[NEXT] = start


@inlined
def remove(ws: Workspace, at: int, heights: int, hold: int, goal: int) -> int:
    """Remove each card that can be removed at these heights, at once or after draws; returns the columns, a bit each,
    whose removal led to heights not reached before.

    Nothing is done where no fewer than `goal` cards can be left. The waste's card can take one card more than the count
    says: where that decides, a draw, which covers it, is too much.
    """
    drawn = ws.least[at]
    n = ws.mark[STOCK]
    stay = must_stay(hold, ws.stock_holds[drawn], ws.mark[JOINS])
    if stay > goal:
        return 0
    waiting = WIDE - 1 if stay == goal else int(drawn)
    ws.onto[16 * at] = drawn  # A joker fits on whatever lies there.
    fresh = 0
    for k in range(COLUMNS):
        card = 8 * k + ((heights >> (3 * k)) & 7)
        draws = min(ws.onto[16 * at + ws.rank[card]], ws.wait[card * WIDE + waiting])
        if draws > n:
            continue
        to = at - ws.stride[k]
        if ws.least[to] == NEVER:
            ws.onto_eight[2 * to] = ws.onto_eight[2 * to + 1] = ALL_NEVER
            fresh |= 1 << k
        ws.least[to] = min(ws.least[to], draws)
        near = ws.near[2 * card]
        if near == NEVER:
            for rank in range(14):
                ws.onto[16 * to + rank] = min(ws.onto[16 * to + rank], draws)
        else:
            ws.onto[16 * to + near] = min(ws.onto[16 * to + near], draws)
            near = ws.near[2 * card + 1]
            ws.onto[16 * to + near] = min(ws.onto[16 * to + near], draws)
    return fresh


@compiled
def cut(ws: Workspace, found: Int64, new: int, width: int, left: int) -> None:
    """Move the best so many of the heights found to the front: those that cost least, see `costs.py`, roughly."""
    costs, draw_cost = ws.costs, ws.draw_cost[left]
    least = most = draw_cost * ws.least[found[0] & AT] + (found[0] >> COST_BITS)
    for i in range(new):
        costs[i] = draw_cost * ws.least[found[i] & AT] + (found[i] >> COST_BITS)
        least, most = min(least, costs[i]), max(most, costs[i])
    tally = ws.tally
    tally[:] = 0
    span = most - least + 1
    for i in range(new):
        costs[i] = (costs[i] - least) * TALLY // span
        tally[costs[i]] += 1
    worst, better = 0, 0
    while better + tally[worst] <= width:
        better += tally[worst]
        worst += 1
    ties = width - better
    keep = 0
    for i in range(new):
        ties -= costs[i] == worst
        if costs[i] < worst or (costs[i] == worst and ties >= 0):
            found[keep] = found[i]
            keep += 1


@compiled
def trace(ws: Workspace, at: int) -> None:
    """Write down the way to heights, with the fewest draws that are known to lead there.

    Goes back from what a removal needed to one before it that gave it: a rank that fits on the waste with so many
    draws, or, where a stock card lay there, just so many draws.
    """
    length = 0
    rank, draws = NONE, int(ws.least[at])
    while at != ws.mark[START]:
        for k in range(COLUMNS):
            before = at + ws.stride[k]
            height = at // ws.stride[k] % (ws.stride[k + 1] // ws.stride[k])
            if (height + 1) * ws.stride[k] == ws.stride[k + 1] or ws.least[before] == NEVER:
                continue
            card = 8 * k + height + 1
            if rank < NONE and not (ws.accept[card] >> rank) & 1:
                continue
            at_once = ws.onto[16 * before + ws.rank[card]] if ws.rank[card] else ws.least[before]
            drawn = ws.wait[card * WIDE + ws.least[before]]
            if at_once <= draws or drawn <= draws:
                ws.path[length, 0] = k
                ws.path[length, 1] = NEVER if at_once <= draws else drawn
                rank, draws = (int(ws.rank[card]), int(at_once)) if at_once <= draws else (NONE, int(ws.least[before]))
                at = before
                length += 1
                break
    ws.mark[PATH] = length


@compiled
def look_ahead(ws: Workspace, width: int, goal: int) -> bool:
    """Search for fewer than `goal` cards left among the best so many heights of each removal.

    Returns whether any had to be left out: if not, the search was exhaustive.
    """
    begin(ws)
    kept, found = ws.kept, ws.found
    kept[0] = ws.mark[CODE]
    keep, left = 1, 0
    for k in range(COLUMNS):
        left += (kept[0] >> (AT_BITS + 3 * k)) & 7
    complete = True
    while left:
        new = 0
        for i in range(keep):
            code = kept[i]
            at, heights = code & AT, (code >> AT_BITS) & HEIGHTS
            hold = 0
            for k in range(COLUMNS):
                hold += ws.columns_hold[8 * k + ((heights >> (3 * k)) & 7)]
            fresh = remove(ws, at, heights, hold, goal)
            for k in range(COLUMNS):
                if (fresh >> k) & 1:
                    card = 8 * k + ((heights >> (3 * k)) & 7)
                    found[new] = code - (ws.cost[card] << COST_BITS) - (1 << (AT_BITS + 3 * k)) - ws.stride[k]
                    ws.reached[ws.mark[REACHED] + new] = at - ws.stride[k]
                    new += 1
        ws.mark[SEEN] += keep
        ws.mark[REACHED] += new
        if new == 0:
            break
        left -= 1
        keep = new
        if new > width:
            complete = False
            keep = width
            cut(ws, found, new, width, left)
        kept, found = found, kept
    if left < ws.mark[BEST_LEFT]:
        ws.mark[BEST_LEFT] = left
        trace(ws, kept[0] & AT)
    return not complete


@compiled
def sweep(ws: Workspace, goal: int, nodes: int) -> None:
    """Look at so many more of the heights reached, in falling order, for fewer than `goal` cards left.

    `begin` comes first; `mark[NEXT]` is below 0 when all have been looked at.
    """
    lows = ws.mark[LOWS]
    best, best_at = ws.mark[BEST_LEFT], -1
    goal = min(goal, best)
    at = ws.mark[NEXT]
    ws.mark[REACHED] = -1  # More than anybody lists.
    seen = 0
    while at >= 0 and seen < nodes:
        low, high = at % lows, at // lows
        heights, hold, left = 0, 0, 0
        for k in range(3, COLUMNS):
            height = high % (ws.stride[k + 1] // ws.stride[k])
            high //= ws.stride[k + 1] // ws.stride[k]
            heights |= height << (3 * k)
            hold += ws.columns_hold[8 * k + height]
            left += height
        while low >= 0:
            if at & 7 == 7 and low >= 7 and ws.least_eight[at >> 3] == ALL_NEVER:
                at -= 8
                low -= 8
                continue
            if ws.least[at] < NEVER:
                seen += 1
                if left + ws.low_left[low] < best:
                    best = left + ws.low_left[low]
                    best_at = at
                    goal = min(goal, best)
                remove(ws, at, heights | ws.low_heights[low], hold + ws.low_hold[low], goal)
            at -= 1
            low -= 1
    ws.mark[NEXT] = at
    ws.mark[SEEN] += seen
    if best_at >= 0:
        ws.mark[BEST_LEFT] = best
        trace(ws, best_at)
